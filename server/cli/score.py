"""The command that scores an evening, ratings, a season, shields or a virtual run from its JSON."""

import sys
from pathlib import Path

import click
import msgspec

from cadogan.server.cli.output import Failure, say
from cadogan.server.core.scoring.answer import InvalidForm, score, write_table


@click.command("score")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--csv", "as_csv", is_flag=True, help="Print the standings as a table for spreadsheets instead of JSON.")
def score_command(file: Path, as_csv: bool) -> None:
    """Score FILE: the JSON of an evening, of ratings, a season, shields or a virtual run, as docs/scoring.md has it.

    Prints the answer as JSON. Exits 1 if the file cannot be scored, and says where it is wrong.
    """
    try:
        answer = score(file.read_bytes())
    except (InvalidForm, OSError) as error:
        raise Failure(f"{file} cannot be scored: {error}") from None
    if as_csv:
        table = write_table(answer)
        if not table:
            raise Failure("this answer has no rows")
        sys.stdout.write(table)
    else:
        say(msgspec.json.format(msgspec.json.encode(answer)).decode(), keep="\n")
