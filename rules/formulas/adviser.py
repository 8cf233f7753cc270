"""Advice on which formulas fit a number of players, tables and hours.

Each formula names the options worth a try (``Formula.ways``); where none fits, what would make one
fit is said: more tables, shorter rounds, more time, or two of these.

Source: tournament rules, The Mutant Chronicles formula (adviser).
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import DefaultGames, Formula, Options, OptionValue
from rules.plans import FormulaPlan, StagePlan
from rules.stages.base import stage_kind, state_with_all_seats
from rules.wording import Sentence, labelled_value
from rules.wording import gettext_noop as _

TURN_ROUND = 10  # minutes between two rounds: entering results, pairing, seating
UNTIMED = 90  # minutes: assumed length of a match without time limit


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStage:
    """A stage of a plan, and its number of rounds if all seats are taken."""

    stage: StagePlan
    rounds: int

    @property
    def seats(self) -> int:
        """Return the number of players."""
        return sum(len(group.seats) for group in self.stage.groups)

    @property
    def bracket(self) -> bool:
        """Return whether the stage is an elimination bracket."""
        return stage_kind(self.stage).has_bracket

    @property
    def by_points(self) -> bool:
        """Return whether the stage pairs players of similar points, as Swiss rounds do."""
        return stage_kind(self.stage).pairs_by_points


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime(PlannedStage):
    """A planned stage with its number of matches and its end.

    ``ends`` are minutes from the start of the event.
    """

    matches: int
    ends: int


def matches_by_round(stage: StagePlan) -> list[int]:
    """Return the number of matches in each round of a stage with all seats taken.

    A second match of the grand final is included.
    """
    return stage_kind(stage).matches_by_round(state_with_all_seats(stage))


@dataclass(frozen=True, slots=True)
class Durations:
    """Computes how long a plan takes with any number of tables and length of a round.

    ``sized`` are its stages, each with the number of matches in each round; ``turn_round`` are the
    minutes between rounds.
    """

    sized: tuple[tuple[StagePlan, list[int]], ...]
    turn_round: int = TURN_ROUND

    @classmethod
    def of(cls, plan: FormulaPlan, turn_round: int = TURN_ROUND) -> "Durations":
        """Return the durations of a plan."""
        return cls(tuple((stage, matches_by_round(stage)) for stage in plan.stages), turn_round)

    @property
    def most_tables(self) -> int:
        """Return the number of tables with which no round is played in turns."""
        return max(max(sizes, default=0) for _stage, sizes in self.sized)

    def stages(self, minutes: int, tables: int | None) -> tuple[StageTime, ...]:
        """Return when each stage ends; with too few tables a round is played in turns."""
        found, now = [], 0
        for stage, sizes in self.sized:
            lasting = round_minutes(stage, minutes)
            for matches in sizes:
                turns = -(-matches // tables) if tables else 1
                now += max(turns, 1) * lasting + self.turn_round
            found.append(StageTime(stage=stage, rounds=len(sizes), matches=sum(sizes), ends=now))
        return tuple(found)

    def total(self, minutes: int, tables: int | None) -> int:
        """Return the minutes from the start to the end."""
        return self.stages(minutes, tables)[-1].ends


def round_minutes(stage: StagePlan, minutes: int) -> int:
    """Return the minutes of a stage's round, given those of the event's rounds.

    For a stage without time limit at least ``UNTIMED``.
    """
    return minutes if stage.timed else max(minutes, UNTIMED)


SHORTEST = 25
"""Minutes of the shortest round that is proposed; who asks with shorter ones gets no others."""
STEP = 5
"""Lengths of rounds are proposed in steps of so many minutes."""
ONE_DAY = 12 * 60
"""Minutes that a venue is open at most on a day."""
HALF_HOUR = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededChange:
    """A change that would make an event fit the time: more tables, shorter rounds, more time.

    ``tables`` and ``minutes`` (of a round) are the new values; ``time`` is the event's whole
    duration in minutes, in steps of half an hour. All None if nothing would make it fit on one day.
    """

    tables: int | None = None
    minutes: int | None = None
    time: int | None = None

    @property
    def facts(self) -> tuple[Sentence, ...]:
        """Return what would be needed: tables, length of a round, time."""
        found = []
        if self.tables:
            found.append(labelled_value(_("Tables"), self.tables))
        if self.minutes:
            found.append(Sentence("Round: %(minutes)s min", {"minutes": self.minutes}))
        if self.time:
            hours, rest = divmod(self.time, 60)
            clock = {"hours": hours, "minutes": f"{rest:02}"}
            found.append(Sentence("%(hours)s h %(minutes)s min", clock))
        return tuple(found) or (Sentence("More than one day"),)

    def dearness(self, minutes: int, tables: int | None, limit: int) -> Fraction:
        """Return how large the change is, to be compared; time weighs more than tables."""
        more = Fraction(self.tables or 1, tables or 1) if self.tables else Fraction(1)
        longer = Fraction(self.time or limit, limit) * Fraction(minutes, self.minutes or minutes)
        return more * longer**2


def needed_changes(
    durations: Durations, minutes: int, tables: int | None, limit: int
) -> tuple[NeededChange, ...]:
    """Return the changes each of which alone would make a plan fit into ``limit`` minutes.

    ``minutes`` is the length of a round, ``tables`` their number (None: enough). One empty change
    if nothing would make it fit on one day.
    """
    found = [
        *_more_time(durations, minutes, tables),
        *_shorter_rounds(durations, minutes, tables, limit),
    ]
    enough = durations.most_tables
    if tables is not None and tables < enough:
        # Monotonic: more tables never end later.
        counts = range(tables + 1, enough + 1)
        first = bisect_left(counts, -limit, key=lambda n: -durations.total(minutes, n))
        if first < len(counts):
            found.append(NeededChange(tables=counts[first]))
        if not found:
            both = (
                *_shorter_rounds(durations, minutes, enough, limit),
                *_more_time(durations, minutes, enough),
            )
            found = [
                NeededChange(tables=enough, minutes=one.minutes, time=one.time) for one in both
            ]
    return tuple(found) or (NeededChange(),)


def _more_time(durations: Durations, minutes: int, tables: int | None) -> list[NeededChange]:
    lasts = -(-durations.total(minutes, tables) // HALF_HOUR) * HALF_HOUR
    return [NeededChange(time=lasts)] if lasts <= ONE_DAY else []


def _shorter_rounds(
    durations: Durations, minutes: int, tables: int | None, limit: int
) -> list[NeededChange]:
    """Return the longest rounds that fit and are worth playing."""
    lengths = range(SHORTEST, minutes, STEP)
    # Monotonic: longer rounds never end sooner.
    fitting = bisect_left(lengths, limit + 1, key=lambda m: durations.total(m, tables))
    return [NeededChange(minutes=lengths[fitting - 1])] if fitting else []


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
    """A suggested tournament format with options, its duration, and what would make it fit.

    ``options`` are those that differ from the defaults. ``fits``: it lasts no longer than allowed;
    ``needs``: each change alone would make it fit, empty if it does. ``minutes`` is the whole
    duration. Everybody plays at least ``least`` matches, byes included; ``decides``: no more
    players can stay undefeated than the knock-out separates. ``best``: recommended.
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
    needs: tuple[NeededChange, ...]
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
class AdviceList:
    """All suggested formats, and what would make a good one fit if none does.

    ``rows`` are the recommended ones, best first, then others that fit, then each format that does
    not fit, with default options.
    """

    rows: tuple[Advice, ...]
    needed: tuple[Advice, NeededChange] | None

    @property
    def best(self) -> tuple[Advice, ...]:
        """Return the best ways that fit, at most ``BEST``, of different kinds."""
        return tuple(advice for advice in self.rows if advice.best)


def suggest_formats(
    players: int,
    *,
    minutes: int,
    tables: int | None = None,
    hours: float | None = None,
    turn_round: int = TURN_ROUND,
    games: DefaultGames | None = None,
    formulas: Iterable[Formula] = FORMULAS,
) -> AdviceList:
    """Return the suggested tournament formats for a number of players.

    ``minutes`` is the length of a round, ``tables`` the number of tables (None: enough), ``hours``
    the opening time of the venue (None: unlimited). With too few tables a round is played in
    several turns. Formats with multiplayer tables are left out. Raises BadInput
    ``too_few_players``.
    """
    limit = None if hours is None else int(hours * 60)
    found = [
        _advice_on(formula, options, plan, turn_round, minutes, tables, limit)
        for formula in formulas
        if not formula.of_tables
        for options, plan in candidate_options(formula, players, games)
    ]
    if not found:
        raise BadInput(
            "too_few_players",
            "Too few players: %(players)s.",
            players=players,
        )
    best = _best_of_each_kind([way for way in found if way.fits and way.minutes <= (limit or LONG)])
    others = sorted(
        (way for way in found if way not in best and (way.fits or not way.options)),
        key=lambda way: (not way.fits, way.minutes),
    )
    return AdviceList(
        rows=(*(replace(way, best=True) for way in best), *others),
        needed=None
        if any(way.is_good for way in best)
        else _smallest_need(found, minutes, tables, limit or LONG),
    )


def candidate_options(
    formula: Formula, players: int, games: DefaultGames | None = None
) -> Iterator[tuple[Options, FormulaPlan]]:
    """Yield (options, plan) worth trying for a formula, the defaults first.

    Each plan comes once; nothing is yielded if there are too few players.
    """
    seen: list[FormulaPlan] = []
    for options in ({}, *formula.ways(players, games or DefaultGames())):
        with suppress(BadInput):
            plan = formula.plan(players, options, games)
            if plan not in seen:
                seen.append(plan)
                yield options, plan


def sorted_advice(
    formula: Formula, players: int, *, minutes: int, games: DefaultGames | None = None
) -> list[Advice]:
    """Return the advice on each set of options worth trying, best first.

    ``minutes`` is the length of a round; there are enough tables.
    """
    found = (
        _advice_on(formula, options, plan, TURN_ROUND, minutes, None, None)
        for options, plan in candidate_options(formula, players, games)
    )
    return sorted(found, key=lambda way: way.order)


def formulas_needing_more_players(
    players: int, formulas: Iterable[Formula] = FORMULAS
) -> tuple[Formula, ...]:
    """Return the formulas that need more than so many players.

    Those of multiplayer tables are left out.
    """
    return tuple(one for one in formulas if players < one.minimum and not one.of_tables)


def legs_options(formula: Formula, legs: int) -> dict[str, OptionValue]:
    """Return the option with which all players meet ``legs`` times.

    {} if the formula has no such option.
    """
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
        needs=() if fits or limit is None else needed_changes(durations, minutes, tables, limit),
    )


def _matches_at_least(first: StageTime) -> int:
    """Return the matches of those who advance to no other stage, byes included."""
    kind = stage_kind(first.stage)
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
) -> tuple[Advice, NeededChange] | None:
    """Return a good way with the smallest change by which it would fit; None if there is none."""
    asked = [(way, need) for way in found for need in way.needs if need != NeededChange()]
    return min(
        asked,
        key=lambda each: (
            not each[0].is_good,
            each[1].dearness(minutes, tables, limit),
            each[0].order,
        ),
        default=None,
    )
