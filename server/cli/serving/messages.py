"""What the supervisor and the processes that serve tell each other, over a socket of each process: lines of JSON."""

import msgspec

from cadogan.server.cli.serving.metrics_total import Family
from cadogan.server.config import Settings

MAX_LINE_BYTES = 1 << 24
"""Bytes of the longest line: some thousand figures."""


class Begin(msgspec.Struct, tag="begin"):
    """To a process, first of all: serve with these settings, on these sockets, which it has inherited.

    `number` is that of the process, from 1.
    """

    number: int
    sockets: list[int]
    settings: Settings


class AskFigures(msgspec.Struct, tag="ask_figures"):
    """To a process: answer with `Figures` of this request."""

    request: int


class Total(msgspec.Struct, tag="total"):
    """To a process: the metrics of all processes, in the text format of Prometheus, for its `AskTotal`."""

    request: int
    text: str


class Ready(msgspec.Struct, tag="ready"):
    """From a process: it accepts connections."""


class Figures(msgspec.Struct, tag="figures"):
    """From a process: its own metrics, every few seconds as a sign of life, or for a request."""

    families: list[Family]
    request: int | None = None


class AskTotal(msgspec.Struct, tag="ask_total"):
    """From a process that was asked for the metrics: answer with the `Total`. Its own figures come along."""

    request: int
    families: list[Family]


ToProcess = Begin | AskFigures | Total
FromProcess = Ready | Figures | AskTotal

_TO_PROCESS: msgspec.json.Decoder[ToProcess] = msgspec.json.Decoder(ToProcess)
_FROM_PROCESS: msgspec.json.Decoder[FromProcess] = msgspec.json.Decoder(FromProcess)


def encode(message: ToProcess | FromProcess) -> bytes:
    """Return a message as a line."""
    return msgspec.json.encode(message) + b"\n"


def decode_for_process(line: bytes) -> ToProcess:
    """Return what the supervisor says in a line. Raises msgspec.DecodeError."""
    return _TO_PROCESS.decode(line)


def decode_from_process(line: bytes) -> FromProcess:
    """Return what a process says in a line. Raises msgspec.DecodeError."""
    return _FROM_PROCESS.decode(line)
