"""Criteria of stages whose tables have three to five players.

Source: tables, 4. They have a catalogue of their own: what compares two who met alone says nothing
here, and what a share of a table is means nothing where two play.
"""

from collections.abc import Callable, Sequence

from rules.criteria.base import (
    CRITERIA,
    Criterion,
    Level,
    SeatFractions,
    TiebreakerSplit,
    numeric_criterion,
    split_by_figures,
)
from rules.criteria.points import FEWEST_PENALTIES, LOTS, POINTS, WINS
from rules.errors import BadInput
from rules.history.table_history import TableHistory
from rules.registry import Registry
from rules.tables.results import UNITS
from rules.wording import Sentence

TABLE_CRITERIA = Registry("criterion", Criterion)
WIN5_ORDER = ("points", "opponents_share", "opponents_average", "lots")
PLACES_ORDER = ("points", "places_made", "opponents_average", "lots")
"""Orders of criteria for points by result, and by place."""


def default_tiebreakers(*, by_place: bool) -> tuple[str, ...]:
    """Return the default tiebreaker keys for multiplayer tables.

    ``by_place``: points are awarded by placing instead of by result.
    """
    return PLACES_ORDER if by_place else WIN5_ORDER


def check_table_criteria(criteria: Sequence[str]) -> None:
    """Raise BadInput unless these tiebreaker keys work at multiplayer tables.

    ``criterion_needs_two`` for one that compares two players by their match; ``unknown_criterion``.
    """
    for key in criteria:
        if key in TABLE_CRITERIA:
            continue
        if key not in CRITERIA:
            TABLE_CRITERIA.get(key)
        raise BadInput(
            "criterion_needs_two",
            "“%(criterion)s” works only for two-player matches.",
            criterion=CRITERIA.get(key).label,
        )


def find_criterion(key: str, *, at_tables: bool = False) -> Criterion:
    """Return a tiebreaker by key, of two-player matches or of multiplayer tables.

    ``at_tables``: if both have the key, return that of tables, whose explanation differs. Raises
    BadInput ``unknown_criterion``.
    """
    known = key in CRITERIA and not (at_tables and key in TABLE_CRITERIA)
    return CRITERIA.get(key) if known else TABLE_CRITERIA.get(key)


def _places_made(history: TableHistory, level: Level) -> TiebreakerSplit:
    by_player = dict(zip(history.players, history.places_made, strict=False))
    return split_by_figures(level, by_player)


def _same_for_tables(
    known: Criterion,
    values: Callable[[TableHistory], Sequence[int] | SeatFractions],
    explains: Sentence,
) -> Criterion:
    return numeric_criterion(
        catalogue=TABLE_CRITERIA,
        key=known.key,
        label=known.label,
        short=known.short,
        explains=explains,
        values=values,
        lowest_first=known.lowest_first,
    )


TABLE_POINTS = _same_for_tables(
    POINTS,
    lambda history: SeatFractions(history.points_made, UNITS),
    Sentence("Points from all tables and byes."),
)
OPPONENTS_SHARE = numeric_criterion(
    catalogue=TABLE_CRITERIA,
    key="opponents_share",
    label=Sentence("Opponents’ percentage"),
    short=Sentence("Opp %%"),
    explains=Sentence(
        "Average percentage of all opponents. Opponents met at two tables count "
        "twice; a bye counts as the minimum."
    ),
    values=lambda history: SeatFractions(*history.opponents_shares),
    percentage=True,
)
OPPONENTS_AVERAGE = numeric_criterion(
    catalogue=TABLE_CRITERIA,
    key="opponents_average",
    label=Sentence("Opponents’ average points"),
    short=Sentence("Opp ⌀"),
    explains=Sentence("Average points of all opponents. Opponents met at two tables count twice."),
    values=lambda history: SeatFractions(*history.opponents_averages),
)
OWN_SHARE = numeric_criterion(
    catalogue=TABLE_CRITERIA,
    key="own_share",
    label=Sentence("Own percentage"),
    short=Sentence("Own %%"),
    explains=Sentence("Points scored out of the maximum possible."),
    values=lambda history: SeatFractions(*history.own_shares),
    percentage=True,
)
TABLE_WINS = _same_for_tables(
    WINS, lambda history: history.outcomes.won, Sentence("Tables won outright, plus byes.")
)
PLACES_MADE = TABLE_CRITERIA.define(
    key="places_made",
    label=Sentence("Places made"),
    short=Sentence("Places"),
    explains=Sentence("More first places, then more second places, and so on."),
    split=_places_made,
)
BEATEN = numeric_criterion(
    catalogue=TABLE_CRITERIA,
    key="beaten",
    label=Sentence("Players beaten"),
    short=Sentence("Beaten"),
    explains=Sentence("Number of different opponents at tables that the player won outright."),
    values=lambda history: history.beaten,
)
TABLE_CRITERIA.add(FEWEST_PENALTIES)
TABLE_CRITERIA.add(LOTS)
