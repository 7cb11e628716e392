"""The keys that the caller of a command trusts, and who attests a record, for people and as JSON."""

from collections.abc import Callable
from typing import Any, BinaryIO

import click

from cadogan.server.core import dates
from cadogan.server.subjects.audit.attestation import Attestation, Trust, join_trust, parse_host, read_trust
from cadogan.server.subjects.transparency.notes import BadKey


def trust_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options --key and --trust to a command, as `keys` and `host` for `trust_of`."""
    key = click.option(
        "--key", "keys", multiple=True, help="The public key of the host, or of a witness, that you trust."
    )
    host = click.option(
        "--trust",
        "host",
        type=click.File("rb"),
        help="The host's keys: what its server says at /.well-known/cadogan.json, or `host.json` of an export.",
    )
    return key(host(command))


def trust_of(keys: tuple[str, ...], host: BinaryIO | None) -> Trust:
    """Return the keys in the options. Raises click.UsageError."""
    try:
        return join_trust(read_trust(keys), parse_host(host.read()) if host is not None else Trust())
    except BadKey as error:
        raise click.UsageError(f"a key cannot be used: {error}") from None


def describe_attestation(found: Attestation | None, events: int) -> list[str]:
    """Return who attests a record with this number of events, as lines for people."""
    if found is None:
        return ["not attested: it has no proof that it is in a host's log"]
    if found.key is None:
        return [
            f"not attested: it has a proof of the log {found.origin}, whose key you have not given (--key, --trust)"
        ]
    part = "" if found.version == events else f" up to event {found.version} of {events}"
    signed = f"attested{part}: entry {found.number + 1} of {found.size} in the log {found.origin}, signed by its key"
    lines = [f"{signed} {found.key.id.hex()}"]
    for witness in found.witnesses:
        at = dates.second_text(witness.at_seconds)
        lines.append(f"witnessed: {witness.name} saw this log at {at}")
    for name in found.skipped:
        lines.append(f"not checked: {name} signed by ML-DSA-44, which the installed library cryptography does not know")
    return lines if found.witnesses else [*lines, "not witnessed: nobody else whom you trust has signed this log"]


def describe_dating(what: str, begins_at: int, dated: Attestation | None) -> list[str]:
    """Return a line for people about each trusted witness that saw the announcement of a day or an evening in the log.

    It begins at `begins_at`, in milliseconds since 1970.
    """
    lines = []
    for witness in dated.witnesses if dated else ():
        at = dates.second_text(witness.at_seconds)
        ahead = begins_at // 1000 - witness.at_seconds
        days, hours, minutes = ahead // 86_400, ahead // 3600 % 24, ahead // 60 % 60
        long = f"{days} days and {hours} hours" if days else f"{hours} hours and {minutes} minutes"
        when = f"{long} before {what} began" if ahead >= 0 else f"after {what} had begun"
        lines.append(f"dated: {witness.name} saw the commitments and the deals in this log at {at}, {when}")
    return lines or [f"not dated: no witness whom you trust saw the announcement of {what} before it began"]


def attestation_as_json(found: Attestation | None) -> dict[str, object]:
    """Return who attests a record, as the values of `attested`, `witnessed` and, if there are any, `skipped`."""
    if found is None or found.key is None:
        return {"attested": None, "witnessed": []}
    attested = {
        "origin": found.origin,
        "key": found.key.text,
        "number": found.number,
        "size": found.size,
        "version": found.version,
    }
    witnessed = [witness._asdict() for witness in found.witnesses]
    skipped = {"skipped": found.skipped} if found.skipped else {}
    return {"attested": attested, "witnessed": witnessed, **skipped}
