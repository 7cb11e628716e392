"""Every relative link in the documents leads somewhere, and every path of the repository that they name exists."""

import re
import subprocess
from pathlib import Path
from pkgutil import resolve_name

ROOT = Path(__file__).parents[2]
TRACKED = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
FILES = TRACKED.stdout.decode().splitlines()
PAGES = [
    path
    for path in FILES
    if path.endswith(".md") and path != "CHANGELOG.md" and not path.startswith(("engine/games/", "tests/games/"))
]
TEXTS = [path for path in FILES if re.search(r"\.(md|py|toml)$", path) and not re.match(r"CHANGELOG|tests/gate/", path)]
"""Every text that names modules and folders of the server; those in the tests of the gate are examples."""
FOLDERS = {path.partition("/")[0] for path in FILES if "/" in path}
PLACEHOLDER = re.compile(r"[<>{}*…\s]|\.\.\.|orchard|^cadogan/.*/1$")
"""What is a pattern or an example of a path (`orchard` in CONTRIBUTING.md), or a label that goes into a hash."""
OF_THE_WHEEL = {"cadogan/server/app.py"}
"""Paths that exist in an installed wheel only."""


def without_code(text: str) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$|^    .*?$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", without_code(page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links_of(page: str) -> list[str]:
    """Return the targets of all links of a page that lead to a file or a heading of the repository."""
    text = re.sub(r"`[^`]*`", "code", without_code((ROOT / page).read_text("utf-8")))
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"\w+:|/", target)]


def paths_of(page: str) -> list[str]:
    """Return every text in backticks that looks like a path of the repository."""
    texts = re.findall(r"`([^`\n]+)`", without_code((ROOT / page).read_text("utf-8")))
    found = [text.partition("::")[0] for text in texts if not PLACEHOLDER.search(text)]
    return [text for text in found if "/" in text and text.partition("/")[0] in FOLDERS and text not in OF_THE_WHEEL]


def is_broken(page: str, target: str) -> bool:
    """Return whether a link leads nowhere."""
    name, _, anchor = target.partition("#")
    file = (ROOT / page).parent / name if name else ROOT / page
    return not file.exists() or (bool(anchor) and anchor not in anchors(file))


def test_the_pages_that_are_read_first_are_among_those_tested() -> None:
    assert {"README.md", "CONTRIBUTING.md", "docs/architecture.md", "server/README.md"} <= set(PAGES)


def test_every_relative_link_leads_somewhere() -> None:
    assert [(page, target) for page in PAGES for target in links_of(page) if is_broken(page, target)] == []


def test_every_path_of_the_repository_that_a_page_names_exists() -> None:
    named = [(page, path) for page in PAGES for path in paths_of(page) if not (ROOT / path).exists()]
    assert [(page, path) for page, path in named if not ((ROOT / page).parent / path).exists()] == []


def test_every_module_and_folder_of_the_server_that_a_text_names_exists() -> None:
    def exists(name: str) -> bool:
        if "/" in name:
            return any(ROOT.glob(f"{name}*"))
        try:
            return bool(resolve_name(name))
        except (ImportError, AttributeError):
            return False

    pattern = re.compile(r"\bcadogan\.server(?:\.\w+)+|(?<![\w/.-])server/[\w/.]*\w")
    named = {(path, name) for path in TEXTS for name in pattern.findall((ROOT / path).read_text("utf-8"))}
    assert len(named) > 1000
    assert [(path, name) for path, name in sorted(named) if not exists(name)] == []


def test_every_decision_stands_in_the_list() -> None:
    listed = set(links_of("docs/decisions/README.md"))
    assert {path.name for path in (ROOT / "docs" / "decisions").glob("20*.md")} <= listed


def test_every_top_level_folder_with_code_has_a_readme() -> None:
    folders = {path.partition("/")[0] for path in FILES if path.endswith(".py") and "/" in path}
    assert [folder for folder in sorted(folders) if not (ROOT / folder / "README.md").exists()] == []
