"""A document of ``rank``, of pairs or of tables, and its standings.

Source: contracts, rank; tables, 9.
"""

from typing import NamedTuple

from rules.criteria import CRITERIA, Criterion
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.standings.ordering import Effort
from rules.standings.rank_json import parse
from rules.standings.table import Standings, rank, rank_history
from rules.standings.table_rank_json import parse_tables

MOST_EFFORT = Effort(steps=200_000, bits=2_000)
"""Measured: so many steps take half a second of the processor."""


class Ranked(NamedTuple):
    """The standings of a document, and the criteria applied, in their order."""

    standings: Standings
    criteria: tuple[Criterion, ...]


def ranked(document: object) -> Ranked:
    """Rank the players of a document as the contract defines it.

    A document whose matches have ``seats`` is one of tables. Raises BadInput ``invalid_results``
    with the path of the offending value, ``too_costly``.
    """
    if _is_of_tables(document):
        history, keys = parse_tables(document)
        criteria = tuple(map(TABLE_CRITERIA.get, keys))
        return Ranked(rank_history(history, criteria=keys, effort=MOST_EFFORT), criteria)
    arguments = parse(document)
    return Ranked(
        rank(**arguments, effort=MOST_EFFORT), tuple(map(CRITERIA.get, arguments["criteria"]))
    )


def _is_of_tables(document: object) -> bool:
    matches = document.get("matches") if isinstance(document, dict) else None
    return isinstance(matches, list) and any(
        isinstance(match, dict) and "seats" in match for match in matches
    )
