"""A document of ``rank``, of pairs or of tables, and its standings.

Source: contracts, rank; tables, 9.
"""

from collections.abc import Mapping
from typing import NamedTuple

from rules.criteria import CRITERIA, Criterion
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.standings.json_validation import as_object, limit
from rules.standings.ordering import Effort
from rules.standings.rank_json import MOST_MATCHES, MOST_PLAYERS, parse
from rules.standings.table import Standings, rank, rank_history
from rules.standings.table_rank_json import MOST_TABLES, parse_tables

MOST_EFFORT = Effort(steps=200_000, bits=2_000)
"""Measured: so many steps take half a second of the processor (``make measure-costs``)."""


class Ranked(NamedTuple):
    """The standings of a document, and the criteria applied, in their order."""

    standings: Standings
    criteria: tuple[Criterion, ...]


def ranked(document: object) -> Ranked:
    """Rank the players of a document as the contract defines it.

    A document whose matches have ``seats`` is one of tables. Raises BadInput ``invalid_results``
    with the path of the offending value, ``too_costly``.
    """
    top = as_object(document, "")
    limit(top, "players", MOST_PLAYERS)
    limit(top, "matches", MOST_MATCHES)
    if _is_of_tables(top):
        limit(top, "matches", MOST_TABLES)
        history, keys = parse_tables(top)
        criteria = tuple(map(TABLE_CRITERIA.get, keys))
        return Ranked(rank_history(history, criteria=keys, effort=MOST_EFFORT), criteria)
    arguments = parse(top)
    return Ranked(
        rank(**arguments, effort=MOST_EFFORT), tuple(map(CRITERIA.get, arguments["criteria"]))
    )


def _is_of_tables(top: Mapping[str, object]) -> bool:
    matches = top.get("matches")
    return isinstance(matches, list) and any(
        isinstance(match, dict) and "seats" in match for match in matches
    )
