"""Recomputing the standing of an evening from exported records, offline.

The record of the evening has the entrants, the decisions of the leader, and the logged digest. The record of every run
is verified first (`game_audit`), and the standing is scored from these runs alone. So a run, a decision or a line of
the standing that was changed, added or left out is found, and named.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from cadogan.server.core import ids
from cadogan.server.core.eventlog.events import CompetitionEvent, GameFinished, canonical_json, decode_event
from cadogan.server.core.fairness.commit_reveal import daily_nonce
from cadogan.server.core.scoring import forms
from cadogan.server.core.scoring.standing import Answer, qualified_by_field, score_evening
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import Attestation, Trust, attest_announcement, attest_events
from cadogan.server.subjects.evenings import evening_record
from cadogan.server.subjects.evenings.evening_events import (
    KEY,
    Corrected,
    Finalised,
    FinalistsNamed,
    PlannedRound,
    RoundShortened,
)
from cadogan.server.subjects.evenings.evening_form import form_of, make_run, struck_of
from cadogan.server.subjects.evenings.evening_record import VerifiedEvening
from cadogan.server.subjects.evenings.evening_rules import about_of
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.bodies import Record
from cadogan.wire.evening_standings import EveningRecord

MAX_TRIED_STRIKES = 6
"""Of so many struck runs each combination is tried, and of more only none and all of them."""


class RecomputedEvening(NamedTuple):
    """The result for an evening: the runs, the wrong files with reasons, and the differences in the standing.

    `written` is the digest in the log, `derived` that from the records; both are None for a void evening. `attested` is
    who says that the log has the evening, and `dated` who saw its announcement; None if its record has no such proof.
    """

    evening: VerifiedEvening
    runs: list[forms.Run]
    faults: dict[str, str]
    differences: list[str]
    written: str | None
    derived: str | None
    attested: Attestation | None
    dated: Attestation | None

    @property
    def agrees(self) -> bool:
        """Whether every record is consistent, and the standing and its digest are derived again."""
        return not self.faults and not self.differences and self.written == self.derived


def recompute_evening(evening: str, folder: Path, trust: Trust) -> RecomputedEvening:
    """Derive the standing of an evening from the records in this folder, and compare it with the evening's own record.

    Raises EveningBroken for the evening's record, NotAttested for its proofs, and OSError for a file that cannot be
    read.
    """
    name = evening_record.file_name(evening)
    found = evening_record.verify_evening((folder / name).read_bytes(), evening)
    record, state = found
    attested = attest_events(state.stream, record.proof, record.events, trust)
    dated = attest_announcement(record, trust)
    faults: dict[str, str] = {}
    runs = [*_read_runs(state, folder, faults)]
    missing = {f"{run}.json" for run in record.runs} - {f"{one.run}.json" for one in runs} - faults.keys()
    faults |= dict.fromkeys(sorted(missing), "the record of this run is missing")
    added = sorted({one.run for one in runs} - {*record.runs})
    faults |= {f"{run}.json": "the record of the evening does not name this run" for run in added}
    twice = sorted([run for run, count in Counter(record.runs).items() if count > 1])
    faults |= {f"{run}.json": "the record of the evening names this run twice" for run in twice}
    if state.is_arena and not faults:
        faults |= {f"{run}.json": why for run, why in _find_wrong_order(state, runs)}
    at = state.changed_at if state.finalised_at is None else state.finalised_at
    answer = score_evening(form_of(state, runs, struck_of(state), at))
    written = state.finalised.digest if state.finalised else None
    differences = [*_differences(record.standing, answer)]
    differences += _find_wrong_versions(record, answer["version"])
    differences += _find_wrong_corrections(found, runs, at)
    differences += _find_cut_rounds(found, runs)
    differences += _find_wrong_finalists(found, runs)
    return RecomputedEvening(found, runs, faults, differences, written, answer.get("digest"), attested, dated)


def _find_wrong_versions(record: EveningRecord, version: str) -> Iterator[str]:
    """Yield each version of the scoring that is written and is not the one by which the standing was derived."""
    for one in record.events:
        event = decode_event(one.type, one.schema, canonical_json(one.data))
        if isinstance(event, Finalised | Corrected) and event.version != version:
            yield f"the version of the standing: written {event.version!r}, derived {version!r}"


def _find_wrong_corrections(found: VerifiedEvening, runs: list[forms.Run], at: int) -> Iterator[str]:
    """Yield how the digests of corrections differ from those that were derived."""
    for one in found.record.events:
        event = decode_event(one.type, one.schema, canonical_json(one.data))
        if isinstance(event, Corrected):
            struck = [forms.Struck(run, at) for run in event.struck]
            derived = score_evening(form_of(found.state, runs, struck, at)).get("digest")
            if derived != event.digest:
                yield f"the digest of the corrected standing: written {event.digest}, derived {derived}"


def _find_wrong_finalists(found: VerifiedEvening, runs: list[forms.Run]) -> Iterator[str]:
    """Yield the finalists if they are not those of the first stage.

    Of the runs that were struck by the end, any may have been struck when the final opened.
    """
    state = EveningState(stream=found.state.stream)
    deals = {one.deal for one in found.state.first_stage}
    for one in found.record.events:
        event = decode_event(one.type, one.schema, canonical_json(one.data))
        assert isinstance(event, CompetitionEvent)
        if isinstance(event, FinalistsNamed) and state.settings.final is not None:
            last = found.state.finalised.struck if found.state.finalised else ()
            struck = [run.run for run in runs if run.run in last and run.deal in deals]
            counts = range(len(struck) + 1) if len(struck) <= MAX_TRIED_STRIKES else (0, len(struck))
            possible = [
                _finalists(state, runs, out, one.recorded_at) for n in counts for out in combinations(struck, n)
            ]
            if event.players not in possible:
                yield f"the finalists: written {event.players}, derived {possible[0]}"
        state = state.apply(event, one.recorded_at)


def _finalists(state: EveningState, runs: list[forms.Run], out: Collection[str], at: int) -> dict[str, tuple[str, ...]]:
    """Return the finalists by field, without these runs, as the standing was at this moment."""
    form = form_of(state, runs, [forms.Struck(run, at) for run in out], None)
    return {field: tuple(sorted(players)) for field, players in qualified_by_field(form, at).items()}


def _find_cut_rounds(found: VerifiedEvening, runs: list[forms.Run]) -> Iterator[str]:
    """Yield the rounds of a match that were shortened before everybody who was there had ended their run."""
    state = EveningState(stream=found.state.stream)
    for one in found.record.events:
        event = decode_event(one.type, one.schema, canonical_json(one.data))
        assert isinstance(event, CompetitionEvent)
        if isinstance(event, RoundShortened):
            deal = state.rounds[event.round - 1].deal
            ended = {run.player for run in runs if run.deal == deal and run.ended_at <= one.recorded_at}
            for player in sorted(player for player in state.entrants if state.is_in(player) and player not in ended):
                yield f"round {event.round} was shortened before {player} had ended their run"
        state = state.apply(event, one.recorded_at)


def _find_wrong_order(state: EveningState, runs: list[forms.Run]) -> Iterator[tuple[str, str]]:
    """Yield the runs of an arena before which their player had not ended every earlier deal, each with the reason."""
    numbers = {one.deal: one.round for one in state.rounds}
    ended: dict[str, list[int]] = {}
    for run in sorted(runs, key=lambda run: numbers[run.deal]):
        earlier, number = ended.setdefault(run.player, []), numbers[run.deal]
        if number != len(earlier) + 1:
            yield run.run, f"deal {number} was opened, and deal {len(earlier) + 1} was not"
        elif earlier and run.opened_at < earlier[-1]:
            yield run.run, f"deal {number} was opened before deal {number - 1} had ended"
        earlier.extend([run.ended_at] * (number - len(earlier)))


def _read_runs(state: EveningState, folder: Path, faults: dict[str, str]) -> Iterator[forms.Run]:
    """Yield the runs of the evening in a folder; the wrong files go to `faults`, each with the reason."""
    expected = {
        ids.derive_id(bytes.fromhex(state.secrets[one.round]), one.deal, player): (one, player)
        for one in state.rounds
        if one.round in state.secrets
        for player in state.entrants
    }
    mark = f'"about":"{state.id}/'.encode()
    for file in sorted(folder.glob("*.json")):
        if not file.is_file():
            continue
        text = file.read_bytes()
        if file.stem not in expected and mark not in text:
            continue
        verdict = game_audit.verify(text)
        if not verdict.consistent:
            faults[file.name] = verdict.reason
            continue
        record = game_audit.read_record(text)
        if (why := _find_fault(state, record, file.stem, expected)) is not None:
            faults[file.name] = why
        else:
            yield _scored(record, *expected[record.game])


def _find_fault(
    state: EveningState, record: Record, name: str, expected: Mapping[str, tuple[PlannedRound, str]]
) -> str | None:
    """Return why a consistent record is not that of a run of the evening; None if it is."""
    if record.game not in expected:
        return "it is no run of an entrant of this evening, of a round that was opened"
    if record.game != name:
        return f"it is the record of {record.game}, in a file of another name"
    one, player = expected[record.game]
    dealt = record.events[0].data
    said = (dealt.get("competition"), dealt.get("about"), dealt.get("player"), dealt.get("deal"), dealt.get("game"))
    if said != (KEY, about_of(state.id, one.round), player, one.deal, one.game):
        return f"it is not the run of {player} in round {one.round}"
    certificate = state.certificates.get(one.round)
    nonce = daily_nonce(one.deal, certificate.candidate if certificate else 0, state.round_digest)
    if record.secret != state.secrets[one.round]:
        return f"it was not dealt from the secret of round {one.round}"
    if record.nonce != nonce:
        return f"its cards are not those of the candidate and the beacon of round {one.round}: {nonce}"
    if not any(event.type == "game_finished" for event in record.events):
        return "it has no end, and was cut"
    return None


def _scored(record: Record, one: PlannedRound, player: str) -> forms.Run:
    end = next(event for event in record.events if event.type == "game_finished")
    finished = decode_event(end.type, end.schema, canonical_json(end.data))
    assert isinstance(finished, GameFinished)
    return make_run(record.game, one, player, record.events[0].recorded_at, finished, end.recorded_at)


def _differences(written: Any, derived: Answer) -> Iterator[str]:
    """Yield the differences of the logged standing from the recomputed one, line by line."""
    theirs, ours = _by_name(written), _by_name(derived)
    for name in dict.fromkeys((*ours, *theirs)):
        if theirs.get(name) != ours.get(name):
            yield f"{name}: written {theirs.get(name, 'nothing')}, derived {ours.get(name, 'nothing')}"
    if theirs == ours and [*theirs] != [*ours]:
        yield "the lines of the standing are in another order"


def _by_name(standing: Any) -> dict[str, str]:
    """Return the lines of a standing in their order; several of the same name are one text, so that none is hidden."""
    found: dict[str, str] = {}
    for name, text in _lines(standing):
        found[name] = f"{found[name]} and {text}" if name in found else text
    return found


def _lines(standing: Any, name: str = "the standing") -> Iterator[tuple[str, str]]:
    """Yield every innermost object of a standing, with a name that describes its path."""
    if isinstance(standing, list):
        for number, one in enumerate(standing, 1):
            yield from _lines(one, f"{name} {_name_of(one, number)}")
        return
    if not isinstance(standing, dict):
        yield name, canonical_json({"is": standing})
        return
    plain = {key: one for key, one in standing.items() if not (isinstance(one, list) and one and _is_table(one))}
    yield name, canonical_json(plain)
    for key in sorted(standing.keys() - plain.keys()):
        yield from _lines(standing[key], f"{name}, {key}")


def _is_table(one: list[Any]) -> bool:
    return all(isinstance(part, dict) for part in one)


def _name_of(one: Any, number: int) -> str:
    """Return the subject of a row of a table, or else its number."""
    if not isinstance(one, dict):
        return str(number)
    words = [one[key] for key in ("field", "stage", "deal", "player", "team") if isinstance(one.get(key), str)]
    return "of " + ", ".join(words) if words else str(number)
