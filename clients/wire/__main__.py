"""Generate the files of the wire contract: its two documents, and its types for TypeScript.

    python -m cadogan.wire [FOLDER] # by default the folder of this package, where `make` expects them

These files are not in Git. The wheel contains them, and a server generates the documents itself.
"""

import sys
from pathlib import Path

from cadogan.wire import schema, typescript


def write_contract(folder: Path) -> None:
    """Write `openapi.json`, `asyncapi.json` and `wire.d.ts` to a folder."""
    for make in (schema.openapi, schema.asyncapi):
        (folder / f"{make.__name__}.json").write_text(schema.text(make()), "utf-8")
    (folder / "wire.d.ts").write_text(typescript.typescript(), "utf-8")


if __name__ == "__main__":
    write_contract(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent)
