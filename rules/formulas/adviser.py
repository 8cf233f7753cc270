"""Advice on which formulas fit a number of players, tables and hours.

Each formula names the options worth a try (``Formula.ways``); ``needs`` says what would make one of
them fit. Source: tournament rules, The Mutant Chronicles formula (adviser).
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import DefaultGames, Formula, Options, OptionValue
from rules.formulas.durations import TURN_ROUND, Durations, StageTime
from rules.formulas.needs import Need, needs_of
from rules.plans.plan import FormulaPlan
from rules.stages.kind import kind_of

BEST = 3
"""Ways that are named as the best at most."""
LONG = 10 * 60
"""Minutes after which two days are worth a thought."""
ENOUGH = 4
"""Matches of everybody from which more make no way better than another."""
FEWEST = 2
"""Matches of everybody below which a way is named only beside a single other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A way to run an event: a formula with options, its duration, and what would make it fit.

    ``needs`` each alone would make it fit; empty if it does. ``options`` are those that differ from
    the formula's defaults. Everybody plays ``least`` matches at least, byes included; ``decides``:
    no more players can stay undefeated than the knock-out keeps apart. ``best``: one to take.
    """

    formula: Formula
    options: Options
    fits: bool
    rounds: int
    matches: int
    minutes: int
    least: int
    decides: bool
    stages: tuple[StageTime, ...]
    needs: tuple[Need, ...]
    best: bool = False

    @property
    def is_good(self) -> bool:
        """Return whether everybody plays more than once, and the rounds are enough."""
        return self.decides and self.least >= FEWEST

    @property
    def order(self) -> tuple[object, ...]:
        """Return the sort key: better ways first, among equal ones the plainest formula."""
        table, plain = not self.stages[-1].bracket, len(self.formula.options)
        return not self.is_good, -min(self.least, ENOUGH), table, self.minutes, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """The ways that there are, and the change by which a good one would fit where none does.

    ``rows`` are the best, then those that fit, then each formula's usual way that does not.
    """

    rows: tuple[Advice, ...]
    needed: tuple[Advice, Need] | None

    @property
    def best(self) -> tuple[Advice, ...]:
        """Return the best ways that fit, at most ``BEST``, of different kinds."""
        return tuple(advice for advice in self.rows if advice.best)


def advise(
    players: int,
    *,
    minutes: int,
    tables: int | None = None,
    hours: float | None = None,
    turn_round: int = TURN_ROUND,
    games: DefaultGames | None = None,
    formulas: Iterable[Formula] = FORMULAS,
) -> Advised:
    """Return the ways to run an event.

    ``minutes`` is the length of a round, ``tables`` the number of tables (None: enough),
    ``hours`` the opening time of the venue (None: unlimited). With too few tables a round is
    played in several turns. Formulas of tables of three and more are left out: whether two or four
    play a match is no question of time. Raises BadInput ``too_few_players``.
    """
    limit = None if hours is None else int(hours * 60)
    found = [
        _advice_on(formula, options, plan, turn_round, minutes, tables, limit)
        for formula in formulas
        if not formula.of_tables
        for options, plan in ways(formula, players, games)
    ]
    if not found:
        raise BadInput(
            "too_few_players",
            "No formula takes so few players: there are %(players)s.",
            players=players,
        )
    best = _best_of_each_kind([way for way in found if way.fits and way.minutes <= (limit or LONG)])
    others = sorted(
        (way for way in found if way not in best and (way.fits or not way.options)),
        key=lambda way: (not way.fits, way.minutes),
    )
    return Advised(
        rows=(*(replace(way, best=True) for way in best), *others),
        needed=None
        if any(way.is_good for way in best)
        else _smallest_need(found, minutes, tables, limit or LONG),
    )


def ways(
    formula: Formula, players: int, games: DefaultGames | None = None
) -> Iterator[tuple[Options, FormulaPlan]]:
    """Yield the options and plans to try of a formula, its usual ones first; none if too small."""
    seen: list[FormulaPlan] = []
    for options in ({}, *formula.ways(players, games or DefaultGames())):
        with suppress(BadInput):
            plan = formula.plan(players, options, games)
            if plan not in seen:
                seen.append(plan)
                yield options, plan


def ways_best_first(
    formula: Formula, players: int, *, minutes: int, games: DefaultGames | None = None
) -> list[Advice]:
    """Return all ways of one formula, whether they fit or not, the best first."""
    found = (
        _advice_on(formula, options, plan, TURN_ROUND, minutes, None, None)
        for options, plan in ways(formula, players, games)
    )
    return sorted(found, key=lambda way: way.order)


def too_small(players: int, formulas: Iterable[Formula] = FORMULAS) -> tuple[Formula, ...]:
    """Return the formulas that need more players."""
    return tuple(one for one in formulas if players < one.minimum and not one.of_tables)


def legs_options(formula: Formula, legs: int) -> dict[str, OptionValue]:
    """Return the options with which all players meet so often; empty if there are none."""
    option = formula.option("legs")
    if option is None:
        return {}
    return {option.key: [legs] * len(option.items) if option.kind == "choices" else legs}


def _advice_on(
    formula: Formula,
    options: Options,
    plan: FormulaPlan,
    turn_round: int,
    minutes: int,
    tables: int | None,
    limit: int | None,
) -> Advice:
    durations = Durations.of(plan, turn_round)
    timed = durations.stages(minutes, tables)
    total = timed[-1].ends
    fits = limit is None or total <= limit
    return Advice(
        formula=formula,
        options=options,
        fits=fits,
        rounds=sum(stage.rounds for stage in timed),
        matches=sum(stage.matches for stage in timed),
        minutes=total,
        least=_matches_at_least(timed[0]),
        decides=_swiss_decides(timed),
        stages=timed,
        needs=() if fits or limit is None else needs_of(durations, minutes, tables, limit),
    )


def _matches_at_least(first: StageTime) -> int:
    """Return the matches of those who go on to no other stage, byes included."""
    kind = kind_of(first.stage)
    if kind.has_bracket:
        return 2 if kind.two_brackets else 1
    if kind.pairs_by_points:
        return first.rounds
    return (min(len(group.seats) for group in first.stage.groups) - 1) * first.stage.legs


def _swiss_decides(stages: tuple[StageTime, ...]) -> bool:
    """Return whether Swiss rounds leave one undefeated, or so few that a cut keeps them apart."""
    first = stages[0]
    if not first.by_points:
        return True
    going_on = stages[1].seats if len(stages) > 1 else 0
    return Fraction(first.seats, 2**first.rounds) <= max(1, going_on // 2)


def _best_of_each_kind(fitting: list[Advice]) -> list[Advice]:
    """Return the best of each kind, three at most; poor ones only where there is no second."""
    found: list[Advice] = []
    for way in sorted(fitting, key=lambda way: way.order):
        if not any(_are_alike(way, other) for other in found):
            found.append(way)
    good = sum(way.is_good for way in found)
    return found[: min(BEST, max(BEST - 1, good))]


def _are_alike(one: Advice, other: Advice) -> bool:
    """Return whether two differ in rounds and seats alone, or in the formula's name alone."""
    if one.formula is other.formula and len(one.stages) == len(other.stages):
        return True
    return [(s.stage.kind, s.rounds, s.matches) for s in one.stages] == [
        (s.stage.kind, s.rounds, s.matches) for s in other.stages
    ]


def _smallest_need(
    found: list[Advice], minutes: int, tables: int | None, limit: int
) -> tuple[Advice, Need] | None:
    """Return a good way with the smallest change by which it would fit; None if there is none."""
    asked = [(way, need) for way in found for need in way.needs if need != Need()]
    return min(
        asked,
        key=lambda each: (
            not each[0].is_good,
            each[1].dearness(minutes, tables, limit),
            each[0].order,
        ),
        default=None,
    )
