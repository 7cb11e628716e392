"""Settings from a file, credentials, variables and flags: which one holds, and what is said of a bad one."""

from pathlib import Path

import pytest

from cadogan.server import config
from cadogan.server.config import SettingError, Settings
from cadogan.server.config_sources import (
    GivenValue,
    Source,
    find_settings,
    make_settings,
    read_settings,
    unknown_variables,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file for settings, which does not exist yet."""
    return tmp_path / "cadogan.toml"


def given(found: tuple[GivenValue, ...], name: str) -> GivenValue:
    """What was found of the setting with this name."""
    return next(each for each in found if each.setting.name == name)


def test_a_file_holds_numbers_switches_texts_and_lists(file: Path) -> None:
    file.write_text(
        'port = 9000\nmigrate = true\nlog_level = "warning"\norigin = ["https://one.example", "https://two.example"]\n'
    )
    assert read_settings({}, file=file) == Settings(
        port=9000, migrate=True, log_level="warning", origin=("https://one.example", "https://two.example")
    )


def test_a_list_may_be_written_as_one_text(file: Path) -> None:
    file.write_text('origin = "https://one.example, https://two.example"')
    assert read_settings({}, file=file).origin == ("https://one.example", "https://two.example")


def test_a_variable_names_the_file_and_an_option_names_another(tmp_path: Path, file: Path) -> None:
    file.write_text("port = 9000")
    (tmp_path / "other.toml").write_text("port = 9001")
    environment = {"CADOGAN_CONFIG": str(file)}
    assert read_settings(environment).port == 9000
    assert read_settings(environment, file=tmp_path / "other.toml").port == 9001
    assert read_settings({"CADOGAN_CONFIG": ""}) == Settings()


def test_each_source_overrides_those_before_it_and_is_named(tmp_path: Path, file: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    environment: dict[str, str] = {"CREDENTIALS_DIRECTORY": str(credentials)}
    flags: dict[str, str] = {}
    found_settings = []

    def tell() -> None:
        found = given(find_settings(environment, flags, file), "metrics_token")
        found_settings.append((found.source, found.value, found.where))

    file.write_text("")
    tell()
    file.write_text('\nmetrics_token = "from-the-file-file"')
    tell()
    (credentials / "cadogan_metrics_token").write_text("from-the-credential\n")
    tell()
    environment["CADOGAN_METRICS_TOKEN"] = "from-the-variable"
    tell()
    flags["metrics_token"] = "from-the-option-given"
    tell()
    assert found_settings == [
        (Source.DEFAULT, "", ""),
        (Source.FILE, "from-the-file-file", f"{file}, line 2: metrics_token"),
        (Source.CREDENTIAL, "from-the-credential", f"{credentials}/cadogan_metrics_token"),
        (Source.VARIABLE, "from-the-variable", "CADOGAN_METRICS_TOKEN"),
        (Source.OPTION, "from-the-option-given", "--metrics-token"),
    ]


def test_only_a_secret_setting_is_read_from_a_credential(tmp_path: Path) -> None:
    (tmp_path / "cadogan_port").write_text("9000")
    assert read_settings({"CREDENTIALS_DIRECTORY": str(tmp_path)}) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = 'eighty'", "line 1: port: write a whole number, without quotes"),
        ("processes = true", 'line 1: processes: write a whole number, without quotes, or "auto"'),
        ("port = true", "line 1: port: write a whole number"),
        ("port = 80.5", "line 1: port: write a whole number"),
        ("migrate = 1", "line 1: migrate: write true or false, without quotes"),
        ("\n\nlog_level = 3", "line 3: log_level: write a text in quotes"),
        ("origin = [1]", "line 1: origin: write a text in quotes, or several like"),
        ("# one\nport = 70000", "line 2: port: '70000' is not a whole number from 1 to 65535"),
        ("log_format = 'xml'", "line 1: log_format: 'xml' is not one of console, json"),
        ("prot = 8000", "line 1: 'prot' is not a setting: did you mean 'port'?"),
        ("CADOGAN_PORT = 8000", "line 1: 'CADOGAN_PORT' is not a setting: did you mean 'port'?"),
        ("log-level = 'info'", "line 1: 'log-level' is not a setting: did you mean 'log_level'?"),
        ("port = 8000\n[server]\nhost = 'x'", "line 2: 'server' is not a setting"),
        ("server.host = 'x'", "line 1: 'server' is not a setting"),
        ('metrics_token = """\n\nport\n"""\nzzz = 1', "line 5: 'zzz' is not a setting; `cadogan config` lists all"),
        ('host = """\nfoo = 1"""\nfoo = 2', "line 3: 'foo' is not a setting"),
        ("port = 1\nport = 2", "is not TOML: Cannot overwrite a value"),
        ("port =", "is not TOML: Invalid value"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_name_its_line_and_what_is_allowed(
    file: Path, text: str, said: str
) -> None:
    file.write_text(text)
    with pytest.raises(SettingError) as caught:
        read_settings({}, file=file)
    assert str(caught.value).startswith(str(file))
    assert said in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, file: Path) -> None:
    for path, said in ((file, "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(SettingError, match=f"{path}: cannot be read: {said}"):
            read_settings({}, file=path)
    file.write_bytes(b"port = 8000 # \xff")
    with pytest.raises(SettingError, match="is not a text in UTF-8, at byte 14"):
        read_settings({}, file=file)
    (tmp_path / "cadogan_metrics_token").mkdir()
    with pytest.raises(SettingError, match="metrics_token: cannot be read"):
        read_settings({"CREDENTIALS_DIRECTORY": str(tmp_path)})


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("database_url", "postgresql://club:hunter2@host/club", "postgresql://***@host/club"),
        ("database_url", "postgresql://club:hun:t@er2@host/club", "postgresql://***@host/club"),
        ("database_url", "postgresql://host/club?user=club&password=hunter2", "postgresql://host/club?***"),
        ("bus", "nats://hunter2@host:4222/club", "nats://***@host:4222/club"),
        ("metrics_token", "hunter2hunter2hunter2", "***"),
        ("metrics_token", "", ""),
        ("origin", "https://one.example,https://two.example", "https://one.example,https://two.example"),
    ],
)
def test_what_is_secret_is_masked(name: str, value: str, shown: str) -> None:
    setting = next(each for each in config.all_settings() if each.name == name)
    read = tuple(value.split(",")) if name == "origin" else value
    assert GivenValue(setting, read, Source.FILE).shown == shown


def test_a_variable_that_is_no_setting_is_found() -> None:
    known = {config.variable(setting): "" for setting in config.all_settings()}
    assert unknown_variables({**known, "CADOGAN_CONFIG": "", "CADOGAN_PROT": "1", "HOME": "/"}) == ["CADOGAN_PROT"]


def test_a_setting_that_has_been_removed_starts_as_before_and_is_named_with_what_holds_in_its_place(file: Path) -> None:
    file.write_text("port = 9000\nshutdown = 5\n")
    warnings: list[str] = []
    environment = {"CADOGAN_WEBHOOKS_INSIDE": "true", "CADOGAN_BUNDLE": ""}
    found = find_settings(environment, {"sockets": "7"}, file, warnings.append)
    assert make_settings(found) == Settings(port=9000)
    assert warnings == [
        f"{file}, line 2: shutdown has no effect any more: connections get ten seconds to finish when the server stops",
        "--sockets has no effect any more: one address may have 25 times `burst` sockets and streams open",
        "CADOGAN_WEBHOOKS_INSIDE has no effect any more: if it was true, add `webhooks` to `private_destinations`",
    ]
    assert unknown_variables(environment) == []
