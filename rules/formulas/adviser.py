"""Which formulas fit so many players, tables, minutes and hours.

Tournament rules, The Mutant Chronicles formula (adviser).
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import Formula, Games, Options, OptionValue
from rules.plans.plan import FormulaPlan, StagePlan
from rules.stages.kind import full_state, kind_of
from rules.wording import Sentence
from rules.wording import gettext_noop as _

TURN_ROUND = 10  # minutes between two rounds: results in, pairings out, people seated
SHORTEST = 5  # minutes; nobody plays a match in less
UNTIMED = 90  # minutes that a match without time limit is taken to last


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime:
    """A stage of an advised formula; ``ends`` in minutes after the beginning of the event."""

    label: Sentence
    rounds: int
    matches: int
    ends: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A formula for so many players, how long it takes, and what would make it fit.

    ``needs`` are sentences, each of which alone would make it fit; empty where it does.
    ``options`` are those of the formula that differ from the usual ones, ``twice`` says that
    everybody meets twice.
    """

    formula: Formula
    options: Options
    twice: bool
    fits: bool
    rounds: int
    matches: int
    minutes: int
    stages: tuple[StageTime, ...]
    needs: tuple[Sentence, ...]


def advise(
    players: int,
    *,
    minutes: int,
    tables: int | None = None,
    hours: float | None = None,
    turn_round: int = TURN_ROUND,
    games: Games | None = None,
    twice: bool = False,
    formulas: Iterable[Formula] = FORMULAS,
) -> tuple[Advice, ...]:
    """Return an advice for each formula that so many players can play, those that fit first.

    ``minutes`` are those of a round, ``tables`` how many there are (None: enough), ``hours``
    how long the hall is open (None: as long as it takes). With too few tables a round is played
    in turns, one after the other. ``twice`` adds the formulas in which everybody can meet twice,
    where that fits. Raises BadInput ``too_few_players``.
    """
    found = []
    for formula in formulas:
        legs = twice_options(formula) if twice else {}
        for options in ({}, legs) if legs else ({},):
            with suppress(BadInput):
                plan = formula.plan(players, options, games)
                advice = _advice(formula, options, plan, minutes, tables, hours, turn_round)
                if advice.fits or not options:
                    found.append(advice)
    if not found:
        raise BadInput(
            "too_few_players",
            _("No formula takes so few players: there are %(players)s."),
            players=players,
        )
    return tuple(sorted(found, key=lambda advice: (not advice.fits, advice.minutes)))


def too_small(players: int, formulas: Iterable[Formula] = FORMULAS) -> tuple[Formula, ...]:
    """Return the formulas that so few players can't play."""
    return tuple(formula for formula in formulas if players < formula.minimum)


def twice_options(formula: Formula) -> dict[str, OptionValue]:
    """Return the options with which everybody meets twice; none where a formula has no legs."""
    legs = next((o for o in formula.options if o.key == "legs"), None)
    if legs is None:
        return {}
    return {legs.key: [2] * len(legs.items) if legs.kind == "choices" else 2}


def _advice(
    formula: Formula,
    options: Options,
    plan: FormulaPlan,
    minutes: int,
    tables: int | None,
    hours: float | None,
    turn_round: int,
) -> Advice:
    sized = [(stage, matches_by_round(stage)) for stage in plan.stages]
    timed = _times(sized, minutes, tables, turn_round)
    total = timed[-1].ends
    limit = None if hours is None else int(hours * 60)
    fits = limit is None or total <= limit
    needs = () if fits or limit is None else _needs(sized, minutes, tables, limit, turn_round)
    return Advice(
        formula=formula,
        options=options,
        twice=bool(options),
        fits=fits,
        rounds=sum(stage.rounds for stage in timed),
        matches=sum(stage.matches for stage in timed),
        minutes=total,
        stages=timed,
        needs=needs,
    )


def _times(
    sized: Sequence[tuple[StagePlan, list[int]]], minutes: int, tables: int | None, turn_round: int
) -> tuple[StageTime, ...]:
    """Return when each stage ends; ``sized`` has each with how many matches its rounds have."""
    found, now = [], 0
    for stage, sizes in sized:
        lasting = minutes if stage.timed else max(minutes, UNTIMED)
        for matches in sizes:
            turns = -(-matches // tables) if tables else 1
            now += max(turns, 1) * lasting + turn_round
        found.append(StageTime(label=stage.label, rounds=len(sizes), matches=sum(sizes), ends=now))
    return tuple(found)


def matches_by_round(stage: StagePlan) -> list[int]:
    """Return how many matches are played in each round of a stage whose seats are all taken.

    A second match of a grand final is one of them.
    """
    return kind_of(stage).matches_by_round(full_state(stage))


def _needs(
    sized: Sequence[tuple[StagePlan, list[int]]],
    minutes: int,
    tables: int | None,
    limit: int,
    turn_round: int,
) -> tuple[Sentence, ...]:
    """Return what would make a formula fit: more time, shorter rounds, or more tables."""

    def lasts(minutes: int, tables: int | None) -> int:
        return _times(sized, minutes, tables, turn_round)[-1].ends

    hours, rest = divmod(lasts(minutes, tables), 60)
    found = [
        Sentence(
            _("%(hours)s h %(minutes)s min of time."), {"hours": hours, "minutes": f"{rest:02}"}
        )
    ]
    # A round of more minutes never ends sooner, one with more tables never later.
    lengths = range(SHORTEST, minutes)
    fitting = bisect_left(lengths, limit + 1, key=lambda m: lasts(m, tables))
    if fitting:
        found.append(
            Sentence(_("Rounds of %(minutes)s minutes."), {"minutes": lengths[fitting - 1]})
        )
    if tables is not None:
        counts = range(tables + 1, max(max(sizes, default=0) for _stage, sizes in sized) + 1)
        enough = bisect_left(counts, -limit, key=lambda count: -lasts(minutes, count))
        if enough < len(counts):
            found.append(Sentence(_("%(tables)s tables."), {"tables": counts[enough]}))
    return tuple(found)
