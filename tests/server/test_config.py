"""Settings: from flags, environment and defaults; a bad one says what to do."""

import re
from pathlib import Path

import pytest

from cadogan.server import config
from cadogan.server.config import SettingError, Settings
from cadogan.server.config_sources import read_settings

LOG_KEY = "club.example/log+74dd92c4+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
WITNESS_KEY = "friends.example/witness+b39fa8e4+BHm1Vi6P5lT5QHixEuipi6eQH4U65pW+1+DjkQutBJZk"
EXAMPLE = Path(config.__file__).with_name("cadogan.toml").read_text("utf-8")


def test_without_settings_the_defaults_are_used() -> None:
    assert read_settings({}) == Settings()


def test_every_setting_is_read_from_its_variable(tmp_path: Path) -> None:
    calendar = tmp_path / "calendar.toml"
    calendar.write_text('[[deal]]\nlevel = "ours"\ngames = ["maze"]\n')
    given = {
        "CADOGAN_HOST": "0.0.0.0",
        "CADOGAN_PORT": "9000",
        "CADOGAN_PROCESSES": "4",
        "CADOGAN_DATABASE_URL": "postgresql://club@localhost/club",
        "CADOGAN_MIGRATE": "1",
        "CADOGAN_KEY_FILE": "host.key",
        "CADOGAN_WITNESSES": f"https://friends.example/witness#{WITNESS_KEY}",
        "CADOGAN_WITNESS_FOR": LOG_KEY,
        "CADOGAN_BUS": "nats://localhost:4222/club",
        "CADOGAN_ORIGIN": "https://Patience.example.:443/, https://patience.example https://other.example:8443",
        "CADOGAN_SECURE_COOKIES": "yes",
        "CADOGAN_PROXIES": "1",
        "CADOGAN_DAILY_GRACE": "0",
        "CADOGAN_CALENDAR": str(calendar),
        "CADOGAN_BEACON": f"drand:{'ab' * 32}@https://api.drand.sh",
        "CADOGAN_CERTIFY": "false",
        "CADOGAN_ANALYSTS": "3",
        "CADOGAN_COMPILED": "false",
        "CADOGAN_SEARCH_POSITIONS": "50000",
        "CADOGAN_FRESH": "0",
        "CADOGAN_RATE": "5",
        "CADOGAN_BURST": "6",
        "CADOGAN_PRIVATE_DESTINATIONS": "webhooks, Notifications",
        "CADOGAN_SMTP_URL": "smtp://club:secret@mail.example:587",
        "CADOGAN_MAIL_FROM": "The club <club@patience.example>",
        "CADOGAN_OIDC_ISSUER": "https://login.example",
        "CADOGAN_OIDC_CLIENT_ID": "cadogan",
        "CADOGAN_OIDC_CLIENT_SECRET": "a secret",
        "CADOGAN_METRICS_TOKEN": "0123456789abcdef",
        "CADOGAN_LOG_LEVEL": "WARNING",
        "CADOGAN_LOG_FORMAT": "json",
    }
    assert set(given) == {config.variable(setting) for setting in config.all_settings()}
    assert read_settings(given) == Settings(
        host="0.0.0.0",
        port=9000,
        processes=4,
        database_url="postgresql://club@localhost/club",
        key_file="host.key",
        witnesses=(f"https://friends.example/witness#{WITNESS_KEY}",),
        witness_for=(LOG_KEY,),
        migrate=True,
        bus="nats://localhost:4222/club",
        origin=("https://patience.example", "https://other.example:8443"),
        secure_cookies=True,
        proxies=1,
        daily_grace=0,
        calendar=str(calendar),
        beacon=f"drand:{'ab' * 32}@https://api.drand.sh",
        certify=False,
        analysts=3,
        compiled=False,
        search_positions=50_000,
        fresh=0,
        private_destinations=("webhooks", "notifications"),
        rate=5,
        burst=6,
        smtp_url="smtp://club:secret@mail.example:587",
        mail_from="The club <club@patience.example>",
        oidc_issuer="https://login.example",
        oidc_client_id="cadogan",
        oidc_client_secret="a secret",
        metrics_token="0123456789abcdef",
        log_level="warning",
        log_format="json",
    )


def test_a_flag_takes_precedence_over_the_environment() -> None:
    assert read_settings({"CADOGAN_PORT": "9000"}, {"port": "9001"}).port == 9001


def test_an_empty_variable_counts_as_not_set() -> None:
    assert read_settings({"CADOGAN_ORIGIN": "", "CADOGAN_PORT": ""}) == Settings()


def test_a_default_written_out_reads_as_the_default() -> None:
    written = {config.variable(setting): config.default(setting) for setting in config.all_settings()}
    assert read_settings(written) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CADOGAN_HOST", "  "),
        ("CADOGAN_PORT", "eighty"),
        ("CADOGAN_PORT", "0"),
        ("CADOGAN_PORT", "65536"),
        ("CADOGAN_PORT", "-1"),
        ("CADOGAN_PORT", "8e3"),
        ("CADOGAN_PROCESSES", "0"),
        ("CADOGAN_PROCESSES", "65"),
        ("CADOGAN_PROCESSES", "many"),
        ("CADOGAN_DATABASE_URL", "mysql://localhost/club"),
        ("CADOGAN_DATABASE_URL", "cadogan.db"),
        ("CADOGAN_DATABASE_URL", "sqlite://"),
        ("CADOGAN_BUS", "redis://localhost"),
        ("CADOGAN_BUS", "nats://"),
        ("CADOGAN_BUS", "nats://localhost:4222/two.words"),
        ("CADOGAN_BUS", "postgresql"),
        ("CADOGAN_ORIGIN", "patience.example"),
        ("CADOGAN_ORIGIN", "https://patience.example/page"),
        ("CADOGAN_ORIGIN", "*"),
        ("CADOGAN_SECURE_COOKIES", "maybe"),
        ("CADOGAN_WITNESSES", f"friends.example#{WITNESS_KEY}"),
        ("CADOGAN_WITNESSES", f"https://friends.example#{LOG_KEY}"),
        ("CADOGAN_WITNESS_FOR", WITNESS_KEY),
        ("CADOGAN_WITNESS_FOR", "club.example/log"),
        ("CADOGAN_METRICS_TOKEN", "too short"),
        ("CADOGAN_SMTP_URL", "mail.example"),
        ("CADOGAN_OIDC_ISSUER", "http://login.example"),
        ("CADOGAN_MAIL_FROM", "The club"),
        ("CADOGAN_LOG_LEVEL", "loud"),
        ("CADOGAN_LOG_FORMAT", "xml"),
        ("CADOGAN_CALENDAR", "nowhere.toml"),
        ("CADOGAN_FRESH", "-1"),
        ("CADOGAN_PRIVATE_DESTINATIONS", "mails"),
        ("CADOGAN_RATE", "0"),
    ],
)
def test_an_invalid_value_is_refused_with_the_name_of_its_variable(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=name):
        read_settings({name: value})


def test_an_invalid_flag_is_refused_with_its_name() -> None:
    with pytest.raises(SettingError, match="--log-format"):
        read_settings({}, {"log_format": "xml"})


@pytest.mark.parametrize(
    "url", ["postgresql://club:hunter2@host:port/club", "hunter2", "mysql://club:hunter2@host/club"]
)
def test_an_invalid_database_url_is_not_repeated_because_it_may_hold_a_password(url: str) -> None:
    with pytest.raises(SettingError) as caught:
        read_settings({"CADOGAN_DATABASE_URL": url})
    assert "hunter2" not in str(caught.value)


def test_the_table_for_people_names_every_setting_and_its_default() -> None:
    lines = config.settings_table().splitlines()
    assert len(lines) == 2 + len(config.all_settings())
    assert "| `CADOGAN_PORT` | `8000` | the port to listen on |" in lines


def test_every_setting_whose_name_speaks_of_a_secret_is_masked() -> None:
    named = re.compile("token|password|secret|key(?!_file)|database_url")
    assert [each.name for each in config.all_settings() if named.search(each.name) and not config.is_secret(each)] == []


def test_the_example_of_a_file_names_every_setting_with_its_default() -> None:
    assert re.findall(r"^#(\w+) = ", EXAMPLE, re.MULTILINE) == [each.name for each in config.all_settings()]


def test_the_example_of_a_file_loads_and_with_every_line_switched_on_it_holds_the_defaults(tmp_path: Path) -> None:
    for text in (EXAMPLE, re.sub(r"^#(?=\w+ = )", "", EXAMPLE, flags=re.MULTILINE)):
        (tmp_path / "cadogan.toml").write_text(text, "utf-8")
        assert read_settings({}, file=tmp_path / "cadogan.toml") == Settings()


POSTGRESQL = "postgresql://club@localhost/club"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "an SQLite file belongs to one process: set CADOGAN_DATABASE_URL to a PostgreSQL database"),
        (
            {"CADOGAN_DATABASE_URL": POSTGRESQL, "CADOGAN_BUS": "local"},
            "with the bus `local` they do not hear of each other: set CADOGAN_BUS to auto, or to nats://host:4222",
        ),
    ],
)
def test_several_processes_are_refused_where_they_cannot_serve_together(given: dict[str, str], reason: str) -> None:
    assert read_settings({**given, "CADOGAN_PROCESSES": "1"}).processes == 1
    alone = read_settings({**given, "CADOGAN_PROCESSES": "auto"})
    assert config.process_count(alone, 8) == 1
    with pytest.raises(SettingError, match=re.escape(f"CADOGAN_PROCESSES: 2 processes cannot serve, {reason}")):
        read_settings({**given, "CADOGAN_PROCESSES": "2"})


@pytest.mark.parametrize("bus", ["auto", "postgresql", "nats://localhost:4222"])
def test_with_postgresql_there_are_as_many_processes_as_are_asked_for_or_as_the_machine_has_cores(bus: str) -> None:
    given = {"CADOGAN_DATABASE_URL": POSTGRESQL, "CADOGAN_BUS": bus}
    asked, automatic = (read_settings({**given, "CADOGAN_PROCESSES": count}) for count in ("3", "auto"))
    assert [config.process_count(asked, cores) for cores in (1, 8, 200)] == [3, 3, 3]
    assert [config.process_count(automatic, cores) for cores in (1, 8, 200)] == [1, 8, config.MAX_PROCESSES]
