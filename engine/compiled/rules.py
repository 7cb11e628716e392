"""One game as C++: its moves, what they do, its score and end, and what the search asks of its declaration."""

from collections.abc import Callable
from itertools import chain
from string import Template
from typing import Any

from cadogan.engine.compiled.functions import Function
from cadogan.engine.compiled.values import Code, Known, Unit, Untranslatable, Value
from cadogan.engine.declaration import Route, Special
from cadogan.engine.game import Game
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.moves import TRANSFER
from cadogan.engine.solver.estimate import Estimate, open_piles
from cadogan.engine.solver.safe_moves import SafeMoves

_ROUTE = Template(
    """
    if (!($when)) return;
    Int fit[$targets], limits[$targets], opened[$targets], all = 0;
    int count = 0;
    for (int place = 0; place < $targets; place++) {
        const Int target = $target;
        const Pile pile = s.piles[target];
        const Int fitting = $fitting;
        if (!(fitting $room)) continue;
        opened[count] = target;
        limits[count] = $limit;
        fit[count++] = fitting;
        all |= fitting;
    }
    if (!all) return;
    for (int from = 0; from < $sources; from++) {
        const Int source = $source;
        const Pile pile = s.piles[source];
        if (!pile) continue;
        const Int most = $most;
        if (!most || pile.size() - most < $keep) continue;
        bool is_free = false;
        for (Int cards = $least; cards <= most; cards++) {
            const Int bit = bit_of(pile[-cards]);
            if (!(bit & all)) continue;
            if (!is_free && !($free)) break;
            is_free = true;
            for (int to = 0; to < count; to++)
                if ((bit & fit[to]) && cards <= limits[to] && opened[to] != source $between)
                    moves.push_back(make_transfer(source, opened[to], cards));
        }
    }"""
)
"""`Route` in C++: the targets that take anything, and then each source whose cards fit one of them.

`cadogan.engine.move_generation.compile_route` and its part for `up_to` do the same.
"""
MOST_PILES = 255
"""A pile index is one byte in C++."""


def verbs_of(game: Game) -> tuple[str, ...]:
    """Return the verbs of a game in the order of their numbers in C++."""
    declared = game.declaration
    specials = [special.verb for special in declared.specials]
    return (TRANSFER, *dict.fromkeys([*specials, *(action.verb for action in declared.actions)]))


def namespace_of(slug: str) -> str:
    """Return the C++ namespace in which the rules of a game are."""
    return f"game_{slug.replace('-', '_')}"


def translate_game(game: Game) -> str:
    """Return the C++ of one game. Raises Untranslatable, with file and line, where its file leaves the subset."""
    return _Translation(game).write()


class _Translation:
    def __init__(self, game: Game) -> None:
        if len(game.piles) > MOST_PILES:
            raise Untranslatable(f"{game.slug}: more than {MOST_PILES} piles")
        self.game = game
        self.declared = game.declaration
        self.unit = Unit()
        self.number = {index: index - group.start for group in self.declared.groups for index in group}
        self.position = Code("s", "Position")
        self.table = Code("t", "Table")

    def write(self) -> str:
        """Return the whole text."""
        declared, unit, slug = self.declared, self.unit, self.game.slug
        offers: list[Route | Special] = [*declared.routes, *declared.specials]
        forced = [self._offer(one) for one in offers if one.forced]
        others = [self._offer(one) for one in offers if not one.forced]
        others += [self._offer_action(number) for number in range(len(declared.actions))]
        estimate = Estimate(self.game, self.game.deal(bytes(32)))
        point, complete = float(estimate.point), float(estimate.complete)
        in_lines = set(chain.from_iterable(declared.covering))
        opened = sorted(open_piles(self.game), key=in_lines.__contains__)
        lines = [unit.table(list(map(str, line)), "std::uint8_t") for line in declared.covering]
        lines = [f"{{{table}, {len(line)}}}" for table, line in zip(lines, declared.covering, strict=True)]
        face_down = [str(group.face_down).lower() for group in declared.groups for _ in group]
        functions = [
            f"static void offer_forced(const Position& s, Moves& moves) {{ (void)s; (void)moves; {' '.join(forced)} }}",
            f"static void offer_others(const Position& s, Moves& moves) {{ (void)s; (void)moves; {' '.join(others)} }}",
            f"static void play(Table& t, const Move& move) {{ {self._play()} }}",
            f"static Int score(const Position& s) {{ return {self._asked(declared.score, 'Int')}; }}",
            f"static Int home(const Position& s) {{ return {self._home()}; }}",
            f"static bool won(const Position& s) {{ return {self._asked(declared.won, 'bool')}; }}",
        ]
        hopeless = self._named(declared.hopeless, "bool")
        alike, forgotten, safe = self._alike(), self._forgotten(), self._safe_home()
        facts = [
            f'"{slug}", {len(self.game.piles)}, {len(self.game.counters)}, {unit.table(face_down, "bool")}',
            f"offer_forced, offer_others, play, score, home, won, {hopeless}, {declared.hopeless_since}",
            f"{point.hex()}, {complete.hex()}",
            f"{unit.table(list(map(str, opened)), 'std::uint8_t')}, {len(opened)}, {len(opened) - len(in_lines)}",
            f"{unit.table(lines, 'Line') if lines else 'nullptr'}, {len(lines)}",
            f"{alike}, {len(declared.interchangeable)}, {forgotten}, {len(declared.forgotten)}, {safe}",
        ]
        name = namespace_of(slug)
        head = f"// {slug}, translated from its declaration.\nnamespace cadogan {{\nnamespace {name} {{\n"
        body = "\n".join([*unit.lines, *functions])
        return f"{head}{body}\nextern const Rules rules;\nconst Rules rules{{{', '.join(facts)}}};\n}}\n}}\n"

    def _call(self, function: Callable[..., Any], *arguments: Value) -> Value:
        return Function(self.unit, {}, {}, self.game.slug).call(Known(function), arguments, {})

    def _asked(self, function: Callable[..., Any], of_type: str) -> str:
        """Return C++ for what a function says about the position."""
        value, caster = self._call(function, self.position), Function(self.unit, {}, {}, self.game.slug)
        return caster.truth(value) if of_type == "bool" else caster.cast(value, of_type)

    def _done(self, function: Callable[..., Any], *arguments: Value) -> str:
        """Return the statement that lets a function change the table."""
        value = self._call(function, *arguments)
        return f"{value.text};" if isinstance(value, Code) else ""

    def _home(self) -> str:
        if self.declared.home is not None:
            return self._asked(self.declared.home, "Int")
        piles = [index for group in self.declared.groups if group.role == "foundation" for index in group]
        return " + ".join([f"s.piles[{index}].size()" for index in piles]) or "0"

    def _offer(self, one: Route | Special) -> str:
        if isinstance(one, Special):
            caster = Function(self.unit, {}, {}, self.game.slug)
            verb = verbs_of(self.game).index(one.verb)

            def add(piles: Value) -> str:
                code = caster.code(piles)
                return f"moves.push_back(make_move({verb}, {code.text}));"

            return caster.loop(self._call(one.offer, self.position), add)
        name = self.unit.name("route_")
        self.unit.lines.append(f"static void {name}(const Position& s, Moves& moves) {{ {self._route(one)} }}")
        return f"{name}(s, moves);"

    def _offer_action(self, number: int) -> str:
        action = self.declared.actions[number]
        verb = verbs_of(self.game).index(action.verb)
        return f"if ({self._asked(action.when, 'bool')}) moves.push_back(make_move({verb}, List<Int>{{}}));"

    def _route(self, route: Route) -> str:
        """Return the moves of a route, as `cadogan.engine.move_generation.compile_route` finds them."""
        unit, sources, targets = self.unit, pile_indices(route.source), pile_indices(route.target)
        bases = [route.empty(self.number[each]) if callable(route.empty) else route.empty for each in targets]
        caster = Function(unit, {}, {}, self.game.slug)
        target, source, pile = Code("target", "Int"), Code("source", "Int"), Code("pile", "Pile")
        onto = f"at({unit.table([str(each) for each in route.onto.table])}, pile[-1])" if route.onto else "Int(0)"
        fitting = f"(pile ? {onto} : {unit.table([str(base) for base in bases])}[place])"
        if route.takes is not None:
            fitting = caster.cast(self._call(route.takes, self.position, target), "Int")
        limit = "128" if route.most is None else caster.number(self._call(route.most, self.position, target))
        free = "true" if route.free is None else caster.truth(self._call(route.free, self.position, source))
        cards = "1" if route.cards is None else caster.number(self._call(route.cards, pile))
        least = most = cards
        if route.up_to is not None:
            least, most = (
                "1",
                f"std::min<Int>({caster.number(self._call(route.up_to, pile))}, pile.size() - {route.keep})",
            )
        return _ROUTE.substitute(
            when="true" if route.when is None else self._asked(route.when, "bool"),
            targets=len(targets),
            target=_place(unit, targets, "place"),
            fitting=fitting,
            room="" if route.room is None else f"&& pile.size() < {route.room}",
            limit=limit,
            sources=len(sources),
            source=_place(unit, sources, "from"),
            least=least,
            most=most,
            keep=route.keep,
            free=free,
            between=self._between(route, sources, targets),
        )

    def _between(self, route: Route, sources: tuple[int, ...], targets: tuple[int, ...]) -> str:
        if route.between is None:
            return ""
        count, number = len(self.game.piles), self.number
        allowed = [["0"] * count for _ in range(count)]
        for one in sources:
            for other in targets:
                allowed[one][other] = str(int(bool(route.between(number[one], number[other]))))
        return f" && {self.unit.square(allowed)}[source][opened[to]]"

    def _play(self) -> str:
        declared, source, target = self.declared, Code("Int(move.piles[0])", "Int"), Code("Int(move.piles[1])", "Int")
        plays: dict[tuple[int, int], Callable[..., Any]] = {
            (one, other): route.play
            for route in declared.routes
            if route.play
            for one in pile_indices(route.source)
            for other in pile_indices(route.target)
        }
        kinds = list({id(play): play for play in plays.values()}.values())
        done = [self._done(play, self.table, source, target) for play in kinds]
        cases = [f"case {number}: {each} break;" for number, each in enumerate(done, 1)]
        transfer = "t.move(move.piles[0], move.piles[1], move.cards);"
        if kinds:
            count = len(self.game.piles)
            which = [["0"] * count for _ in range(count)]
            for (one, other), play in plays.items():
                which[one][other] = str(1 + next(n for n, kind in enumerate(kinds) if kind is play))
            kind = f"{self.unit.square(which)}[move.piles[0]][move.piles[1]]"
            transfer = f"switch ({kind}) {{ case 0: {transfer} break; {' '.join(cases)} }}"
        text = f"switch (move.verb) {{ case 0: {transfer} break; "
        steps = {action.verb: action.play for action in declared.actions}
        specials = {special.verb: special.play for special in declared.specials}
        for number, verb in enumerate(verbs_of(self.game)[1:], 1):
            if verb in steps:
                act = self._done(steps[verb], self.table)
            else:
                act = self._done(specials[verb], self.table, Code("named", "List<Int>"))
                act = f"const List<Int> named = piles_of(move); {act}"
            text += f"case {number}: {{ {act} break; }} "
        return text + "} " + " ".join(self._done(step, self.table) for step in declared.automatic)

    def _named(self, asked: Callable[..., Any] | None, of_type: str) -> str:
        """Return the name of a C++ function that says what this one says about a position; nullptr for None."""
        if asked is None:
            return "nullptr"
        name = self.unit.name("asked_")
        body = self._asked(asked, of_type)
        self.unit.lines.append(f"static {of_type} {name}(const Position& s) {{ (void)s; return {body}; }}")
        return name

    def _alike(self) -> str:
        if not self.declared.interchangeable:
            return "nullptr"
        alike = self.declared.interchangeable
        written = [f"{{{one.piles.start}, {one.piles.stop}, {self._named(one.when, 'bool')}}}" for one in alike]
        return self.unit.table(written, "Alike")

    def _forgotten(self) -> str:
        if not self.declared.forgotten:
            return "nullptr"
        piles = [(one.piles.start, one.piles.stop, self._named(one.but, "Int")) for one in self.declared.forgotten]
        return self.unit.table([f"{{{start}, {stop}, {but}}}" for start, stop, but in piles], "Forgotten")

    def _safe_home(self) -> str:
        declared, unit = self.declared.safe_home, self.unit
        if declared is None:
            return "nullptr"
        safe = SafeMoves(self.declared)
        piles = list(safe.foundations)
        if any(pile not in safe.onto for pile in piles):
            raise Untranslatable(f"{self.game.slug}: a foundation without a route cannot be a safe home")
        onto = [unit.table([str(each) for each in safe.onto[pile]]) for pile in piles]
        places = [str(piles.index(index) if index in piles else -1) for index in range(len(self.game.piles))]
        facts = [
            self._named(declared.when, "bool"),
            unit.table(places, "std::int16_t"),
            str(len(piles)),
            unit.table([str(pile) for pile in piles], "std::uint8_t"),
            unit.table(onto, "Int* const"),
            unit.table([str(safe.empty[pile]) for pile in piles]),
            unit.table([str(sum(1 << card for card in cards)) for cards in safe.laid_on]),
            unit.table([str(safe.copies[card]) for card in range(64)], "std::uint8_t"),
        ]
        return "&" + unit.table([f"{{{', '.join(facts)}}}"], "SafeHome") + "[0]"


def _place(unit: Unit, indices: tuple[int, ...], name: str) -> str:
    if indices == tuple(range(indices[0], indices[0] + len(indices))):
        return f"{indices[0]} + {name}"
    return f"{unit.table([str(index) for index in indices])}[{name}]"
