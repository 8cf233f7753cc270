"""Finals of a series: how many first-round byes a formula has room for.

A bracket has the byes that fill it up, for its best seeds. Where byes are given to players, as in
Swiss rounds, any number fits that leaves a match to play.

Source: series, A7; contracts, *Added: series*.
"""

from collections.abc import Collection

from rules.brackets import MOST_PLAYERS
from rules.errors import BadInput
from rules.formulas import shipped_formula
from rules.formulas.base import Formula, Options
from rules.plans import FormulaPlan, start_places
from rules.stages.base import StageState, stage_kind

LARGEST_NAMED = 64
NAMED = 5
"""Sizes up to which number are named to somebody whose choice does not fit, and how many."""


def check_final_formula(formula: Formula | str, options: Options, first: int, byes: int) -> None:
    """Raise BadInput unless a formula fits a series final of so many players and byes.

    ``first`` is the number of qualified players, ``byes`` that of first-round byes for the best of
    them; ``formula`` may be the key of a built-in one. ``invalid_final``: with ``path``, and if it
    is about byes with those that are ``possible`` and the ``sizes`` that fit. ``bad_option``.
    """
    found = _formula(formula)
    found.checked(options)
    try:
        possible = possible_byes(found, first, options)
    except BadInput as refused:
        said = refused.sentence
        values = {**said.values, "path": "first"}
        raise BadInput("invalid_final", said.template, **values) from None
    if byes in possible:
        return
    sizes = [size for size in range(2, LARGEST_NAMED + 1) if _fits(found, options, size, byes)]
    raise BadInput(
        "invalid_final",
        "Possible byes for %(first)s players: %(possible)s. Possible sizes with these "
        "byes: %(sizes)s.",
        first=first,
        possible=_nearest(possible, byes) or "–",
        sizes=_nearest(sizes, first) or "–",
        path="first_round_byes",
    )


def possible_byes(
    formula: Formula | str, first: int, options: Options | None = None
) -> tuple[int, ...]:
    """Return the possible numbers of first-round byes for the best seeds of a final.

    ``first`` is its number of players. Raises BadInput if the formula has no room for them, such as
    ``too_few_players``.
    """
    if first > MOST_PLAYERS:
        raise BadInput(
            "too_many_players",
            "Too many players: %(players)s (at most %(maximum)s).",
            players=first,
            maximum=MOST_PLAYERS,
        )
    plan = _formula(formula).plan(first, options)
    playing = _playing_first(plan)
    byes, stage = first - len(playing), plan.stages[0]
    if min(playing) <= byes:
        return ()  # not the best seeds rest
    kind = stage_kind(stage)
    most = first - min(kind.sizes_of(stage)) if kind.honours_byes else byes
    return tuple(range(byes, most + 1))


def _formula(given: Formula | str) -> Formula:
    return shipped_formula(given) if isinstance(given, str) else given


def _fits(formula: Formula, options: Options, first: int, byes: int) -> bool:
    try:
        return byes in possible_byes(formula, first, options)
    except BadInput:
        return False


def _playing_first(plan: FormulaPlan) -> Collection[int]:
    """Return the seeds that play in the first round, if nobody is given a bye.

    In groups and Swiss rounds an odd number of players makes one rest whom the pairing chooses:
    that is no bye for a seed.
    """
    stage = plan.stages[0]
    seeds = {name: seed for seed, name in enumerate(start_places(plan.players), start=1)}
    seats = {
        group.name: tuple(seeds[name] for name in group.seats if name in seeds)
        for group in stage.groups
    }
    if not stage_kind(stage).has_bracket:
        return {seed for seated in seats.values() for seed in seated}
    pairings = stage_kind(stage).next_round(StageState(plan=stage, seats=seats, legs=stage.legs))
    return {int(seed) for one in pairings if len(one.seats) > 1 for seed in one.seats}


def _nearest(numbers: Collection[int], wanted: int) -> tuple[int, ...]:
    return tuple(sorted(sorted(numbers, key=lambda number: abs(number - wanted))[:NAMED]))
