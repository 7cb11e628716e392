"""Settings: from flags, environment and defaults; a bad one says what to do."""

from pathlib import Path

import pytest

from server import config
from server.config import SettingError, Settings, read_settings


def test_without_settings_the_defaults_are_used() -> None:
    assert read_settings({}) == Settings()


def test_every_setting_is_read_from_its_variable(tmp_path: Path) -> None:
    calendar = tmp_path / "calendar.toml"
    calendar.write_text('[[deal]]\nlevel = "ours"\ngames = ["maze"]\n')
    given = {
        "CADOGAN_HOST": "0.0.0.0",
        "CADOGAN_PORT": "9000",
        "CADOGAN_DATABASE_URL": "postgresql://club@localhost/club",
        "CADOGAN_MIGRATE": "1",
        "CADOGAN_BUS": "nats://localhost:4222/club",
        "CADOGAN_ORIGIN": "https://Patience.example/, https://other.example:8443",
        "CADOGAN_BUNDLE": "no",
        "CADOGAN_SECURE_COOKIES": "yes",
        "CADOGAN_PROXIES": "1",
        "CADOGAN_DAILY_GRACE": "0",
        "CADOGAN_CALENDAR": str(calendar),
        "CADOGAN_CERTIFY": "false",
        "CADOGAN_ANALYSTS": "3",
        "CADOGAN_FRESH": "0",
        "CADOGAN_RATE": "5",
        "CADOGAN_BURST": "6",
        "CADOGAN_SOCKETS": "9",
        "CADOGAN_SHUTDOWN": "7",
        "CADOGAN_METRICS_TOKEN": "0123456789abcdef",
        "CADOGAN_LOG_LEVEL": "WARNING",
        "CADOGAN_LOG_FORMAT": "json",
    }
    assert set(given) == {config.variable(setting) for setting in config.all_settings()}
    assert read_settings(given) == Settings(
        host="0.0.0.0",
        port=9000,
        database_url="postgresql://club@localhost/club",
        migrate=True,
        bus="nats://localhost:4222/club",
        origin=("https://patience.example", "https://other.example:8443"),
        bundle=False,
        secure_cookies=True,
        proxies=1,
        daily_grace=0,
        calendar=str(calendar),
        certify=False,
        analysts=3,
        fresh=0,
        rate=5,
        burst=6,
        sockets=9,
        shutdown=7,
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
        ("CADOGAN_METRICS_TOKEN", "too short"),
        ("CADOGAN_LOG_LEVEL", "loud"),
        ("CADOGAN_LOG_FORMAT", "xml"),
        ("CADOGAN_CALENDAR", "nowhere.toml"),
        ("CADOGAN_FRESH", "-1"),
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
