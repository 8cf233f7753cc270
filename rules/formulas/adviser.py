"""Advice on which formulas fit a number of players, tables and hours.

Source: tournament rules, The Mutant Chronicles formula (adviser).
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import DefaultGames, Formula, Options, OptionValue
from rules.plans.plan import FormulaPlan, StagePlan
from rules.stages.kind import full_state, kind_of
from rules.wording import Sentence

TURN_ROUND = 10  # minutes between two rounds: entering results, pairing, seating
SHORTEST = 5  # minutes: minimum length of a match
UNTIMED = 90  # minutes: assumed length of a match without time limit


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime:
    """A stage of an advised formula; ``ends`` in minutes after the start of the event."""

    label: Sentence
    rounds: int
    matches: int
    ends: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A formula for a number of players, its duration, and what would make it fit.

    ``needs`` are sentences, each of which alone would make it fit; empty if it does. ``options``
    are those that differ from the formula's defaults; ``twice``: all players meet twice.
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
    games: DefaultGames | None = None,
    twice: bool = False,
    formulas: Iterable[Formula] = FORMULAS,
) -> tuple[Advice, ...]:
    """Return an advice for each formula that supports the number of players, fitting ones first.

    ``minutes`` is the length of a round, ``tables`` the number of tables (None: enough),
    ``hours`` the opening time of the venue (None: unlimited). With too few tables a round is
    played in several turns. ``twice`` adds variants in which all players meet twice, if these
    fit. Raises BadInput ``too_few_players``.
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
            "No formula takes so few players: there are %(players)s.",
            players=players,
        )
    return tuple(sorted(found, key=lambda advice: (not advice.fits, advice.minutes)))


def too_small(players: int, formulas: Iterable[Formula] = FORMULAS) -> tuple[Formula, ...]:
    """Return the formulas that need more players."""
    return tuple(formula for formula in formulas if players < formula.minimum)


def twice_options(formula: Formula) -> dict[str, OptionValue]:
    """Return the options with which all players meet twice; empty if there are none."""
    legs = formula.option("legs")
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
    """Return when each stage ends; ``sized`` pairs stages with the number of matches by round."""
    found, now = [], 0
    for stage, sizes in sized:
        lasting = minutes if stage.timed else max(minutes, UNTIMED)
        for matches in sizes:
            turns = -(-matches // tables) if tables else 1
            now += max(turns, 1) * lasting + turn_round
        found.append(StageTime(label=stage.label, rounds=len(sizes), matches=sum(sizes), ends=now))
    return tuple(found)


def matches_by_round(stage: StagePlan) -> list[int]:
    """Return the number of matches in each round of a stage with all seats taken.

    A second match of the grand final is included.
    """
    return kind_of(stage).matches_by_round(full_state(stage))


def _needs(
    sized: Sequence[tuple[StagePlan, list[int]]],
    minutes: int,
    tables: int | None,
    limit: int,
    turn_round: int,
) -> tuple[Sentence, ...]:
    """Return the changes that would make a formula fit: more time, shorter rounds, more tables."""

    def lasts(minutes: int, tables: int | None) -> int:
        return _times(sized, minutes, tables, turn_round)[-1].ends

    hours, rest = divmod(lasts(minutes, tables), 60)
    found = [
        Sentence("%(hours)s h %(minutes)s min of time.", {"hours": hours, "minutes": f"{rest:02}"})
    ]
    # Monotonic: longer rounds never end sooner, more tables never later.
    lengths = range(SHORTEST, minutes)
    fitting = bisect_left(lengths, limit + 1, key=lambda m: lasts(m, tables))
    if fitting:
        found.append(Sentence("Rounds of %(minutes)s minutes.", {"minutes": lengths[fitting - 1]}))
    if tables is not None:
        counts = range(tables + 1, max(max(sizes, default=0) for _stage, sizes in sized) + 1)
        enough = bisect_left(counts, -limit, key=lambda count: -lasts(minutes, count))
        if enough < len(counts):
            found.append(Sentence("%(tables)s tables.", {"tables": counts[enough]}))
    return tuple(found)
