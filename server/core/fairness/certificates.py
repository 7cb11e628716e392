"""Certificates prove that a deal of a day can be won; and casual deals that can. Pure, for the offline verifier.

A certified deal has the cards of its first candidate that the solver wins within the announced budget of nodes. The
candidate's number and the winning line are secret until the day has closed. When the day begins, a seal is published, a
hash over the day's secret and the certificate; the certificate itself is published at the close.

A casual deal that can be won is found in the same way: its player asks for it, and it is the first candidate that the
solver wins within `WINNABLE_BUDGET`. The game says which one that is, and needs no line: the search finds it again.

    CertificateBroken    the certificate proves nothing; the text has the reason
"""

from hashlib import sha256

from cadogan import engine
from cadogan.engine.compiled.choice import solve, solve_in_steps
from cadogan.engine.errors import EngineError
from cadogan.engine.solver import SOLVER_VERSION, SOLVER_VERSIONS, shorten
from cadogan.engine.solver.steps import Steps, run_steps
from cadogan.server.core.eventlog.events import AnnouncedDeal, Certificate, GameDealt, LineMove, canonical_json
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.commit_reveal import MAX_CANDIDATES, candidate_nonce, daily_nonce

SHORTEN_NODES = 5_000
"""The node limit for shortening the line of a certificate, whose length is the par of the deal."""
MAX_BUDGET = 10_000_000
"""The highest node limit of a search for a deal of a day or an evening, for each candidate."""
WINNABLE_BUDGET = 5_000
"""The node limit for each candidate of a winnable deal: the player waits for all of them."""


class CertificateBroken(Exception):
    """A certificate that does not prove that the deal can be won. The text has the reason."""


def certificate_seal(secret: bytes, certificate: Certificate) -> str:
    """Return the seal of a certificate, in hex: a SHA-256 hash over the day's secret and the canonical JSON."""
    return sha256(b"cadogan/certificate/1\0" + secret + canonical_json(certificate).encode()).hexdigest()


def can_be_searched(deal: AnnouncedDeal) -> bool:
    """Return whether the deal is to be certified, as this program can: by its solver, within `MAX_BUDGET`."""
    return deal.search is not None and deal.search.solver in SOLVER_VERSIONS and deal.search.budget <= MAX_BUDGET


def find_certificate(deal: AnnouncedDeal, secret: bytes, round_digest: str | None = None) -> Certificate | None:
    """Search the candidates in order; return None if the solver wins none of them within the budget.

    In this module, `round_digest` is the digest of the day's beacon round, if it has one
    (`cadogan.server.core.fairness.commit_reveal`).
    """
    for number in range(MAX_CANDIDATES):
        if found := search_candidate(deal, secret, number, round_digest):
            return found
    return None


def check_certificate(
    deal: AnnouncedDeal, secret: bytes, certificate: Certificate, round_digest: str | None = None
) -> None:
    """Check that the line of a certificate wins the deal. Raises CertificateBroken.

    It does not check that the search wins no earlier candidate: see `check_earlier_candidates`.
    """
    game = engine.game(deal.game)
    if not 0 <= certificate.candidate < MAX_CANDIDATES:
        raise CertificateBroken(f"there is no candidate {certificate.candidate}")
    if certificate.rules_version != game.rules_version:
        versions = f"version {certificate.rules_version} of the rules, and this program has {game.rules_version}"
        raise CertificateBroken(f"its line was found by {versions}")
    seed = commit_reveal.seed(deal.game, daily_nonce(deal.deal, certificate.candidate, round_digest), secret)
    state = game.deal(seed)
    for number, step in enumerate(certificate.line, 1):
        if game.won(state):
            raise CertificateBroken(f"the game is won before move {number} of the line")
        try:
            played = game.play(state, game.move(step.move), seed)
        except EngineError as error:
            raise CertificateBroken(f"move {number} of the line: {error}") from None
        if step.effects != tuple(map(game.effect_text, played.effects)):
            raise CertificateBroken(f"move {number} of the line has other effects")
        state = played.state
    if not game.won(state):
        raise CertificateBroken(f"the game is not won after the {len(certificate.line)} moves of the line")


def wins(deal: AnnouncedDeal, secret: bytes, certificate: Certificate, round_digest: str | None) -> bool:
    """Return whether the line of a certificate wins the deal."""
    try:
        check_certificate(deal, secret, certificate, round_digest)
    except (CertificateBroken, EngineError):
        return False
    return True


def check_earlier_candidates(
    deal: AnnouncedDeal, secret: bytes, certificate: Certificate | None, round_digest: str | None = None
) -> None:
    """Repeat the search, and check that it finds this certificate, or none. Raises CertificateBroken.

    It takes as long as the first search. `can_be_searched` must be true for the deal.
    """
    found = find_certificate(deal, secret, round_digest)
    if found == certificate:
        return
    ours, theirs = ("no candidate" if one is None else f"candidate {one.candidate}" for one in (found, certificate))
    if ours == theirs:
        raise CertificateBroken("the search finds another line, or the same in another number of nodes")
    raise CertificateBroken(f"the search wins {ours} first, and {theirs} was certified")


def search_certified(
    deal: AnnouncedDeal, secret: bytes, certificate: Certificate, round_digest: str | None = None
) -> tuple[str, str, bool]:
    """Repeat the search of a certified deal; return its id, the result, and whether the certificate is wrong."""
    assert deal.search is not None
    if deal.search.budget > MAX_BUDGET:
        return deal.deal, f"not searched again: it was announced with more than {MAX_BUDGET} nodes", False
    if not can_be_searched(deal):
        own = " and ".join(map(str, SOLVER_VERSIONS))
        versions = f"version {deal.search.solver} of the solver, and this program has {own}"
        return deal.deal, f"not searched again: it was found by {versions}", False
    try:
        check_earlier_candidates(deal, secret, certificate, round_digest)
    except CertificateBroken as error:
        return deal.deal, str(error), True
    return deal.deal, "the search finds the same candidate and the same line again", False


def search_candidate(
    deal: AnnouncedDeal, secret: bytes, number: int, round_digest: str | None = None
) -> Certificate | None:
    """Search one candidate; None if the announced version of the solver does not win it within the announced budget.

    The line is shortened within `SHORTEN_NODES`; `nodes` of the certificate counts only the search for a win.
    """
    assert deal.search is not None
    game = engine.game(deal.game)
    seed = commit_reveal.seed(deal.game, daily_nonce(deal.deal, number, round_digest), secret)
    state = game.deal(seed)
    found = solve(game, state, seed, deal.search.budget, version=deal.search.solver)
    if found.verdict != "won":
        return None
    line = []
    for move in shorten(game, state, seed, found.line, SHORTEN_NODES):
        played = game.play(state, move, seed)
        line.append(LineMove(move.text, tuple(map(game.effect_text, played.effects))))
        state = played.state
    return Certificate(deal.deal, number, game.rules_version, found.nodes, tuple(line))


def find_winnable(
    game: str, nonce: str, secret: bytes, budget: int = WINNABLE_BUDGET, version: int = SOLVER_VERSION
) -> Steps[int | None]:
    """Search the candidates of a casual deal in order, with pauses: the number of the first one that is won, or None.

    `game` is the name of the game, `nonce` that of the player, `budget` the node limit for each candidate, and
    `version` that of the solver.
    """
    rules = engine.game(game)
    for number in range(MAX_CANDIDATES):
        seed = commit_reveal.seed(game, candidate_nonce(nonce, number), secret)
        found = yield from solve_in_steps(rules, rules.deal(seed), seed, budget, version=version)
        if found.verdict == "won":
            return number
    return None


def check_winnable(dealt: GameDealt, secret: bytes) -> None:
    """Repeat the search for a winnable deal, and check that it wins this candidate first. Raises CertificateBroken.

    It takes some seconds. This program must have the version of the solver that found the deal.
    """
    winnable = dealt.winnable
    assert winnable is not None
    found = run_steps(find_winnable(dealt.game, dealt.nonce, secret, winnable.budget, winnable.solver))
    if found != winnable.candidate:
        ours = "no candidate" if found is None else f"candidate {found}"
        raise CertificateBroken(f"the search wins {ours} first, and candidate {winnable.candidate} was dealt")
