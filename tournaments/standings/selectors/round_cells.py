"""What each round of a stage brought each player: the cells of a table of standings.

No function here queries the database.
"""

from collections.abc import Mapping
from typing import NamedTuple

from rules.results import PlayerId, Result
from rules.stages.base import Played
from rules.standings.table import Mark, mark_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import games_as_read, rank_figure
from tournaments.core.rows import EntryRow
from tournaments.core.values_cache import cached_while_same

MOST_ROUNDS = 8
"""Rounds shown at first of a table of more than ``MOST_WHOLE``."""
MOST_WHOLE = 9
MOST_LETTERS = 4
"""Rounds played that a phone shows; after that it shows the record."""
LONGEST_WORD = 12
"""Letters of a name's longest word beside which a phone has room for rounds."""


class RoundCell(NamedTuple):
    """A round of one player, without ``kind`` if nobody was paired with them.

    ``kind`` is a ``Mark``, "missed", "void" or "open". ``ranks`` are those of the ``others`` after
    the last complete round, ``place`` that at a table of three to five, ``score`` seen by the
    player. ``number`` is the match's in the stage.
    """

    kind: str = ""
    others: tuple[EntryRow, ...] = ()
    ranks: tuple[int, ...] = ()
    place: str = ""
    score: str = ""
    number: int = 0


NO_CELL = RoundCell()


class RoundHead(NamedTuple):
    """The head of a round's column: its number in the event, if it is published, if it is old."""

    ordinal: int
    there: bool
    old: bool = False


def round_heads(stage: StageFacts) -> tuple[RoundHead, ...]:
    """Return the rounds of a stage, those to come too; old are those left out at first."""
    made = [item.ordinal for item in stage.regular_rounds]
    first = made[-1] + 1 if made else 1
    coming = range(first, first + max(0, stage.total_rounds - len(made))) if made else ()
    every = [*made, *coming]
    shown_from = max(len(made), MOST_ROUNDS) - MOST_ROUNDS if len(every) > MOST_WHOLE else 0
    shown_to = shown_from + MOST_ROUNDS if len(every) > MOST_WHOLE else len(every)
    return tuple(
        RoundHead(ordinal, at < len(made), not shown_from <= at < shown_to)
        for at, ordinal in enumerate(every)
    )


def cells_of(
    facts: EventFacts, stage: StageFacts, rounds: int, ranks: Mapping[PlayerId, int]
) -> dict[PlayerId, tuple[RoundCell, ...]]:
    """Return the cells of the first ``rounds`` of a stage, by player, for those who have ``ranks``.

    Each round is read once until its results change.
    """
    made = [_round(facts, stage, number) for number in range(rounds)]
    return {
        player: tuple(_with_ranks(each.get(player, NO_CELL), ranks) for each in made)
        for player in ranks
    }


def _with_ranks(cell: RoundCell, ranks: Mapping[PlayerId, int]) -> RoundCell:
    if not cell.others:
        return cell
    return cell._replace(ranks=tuple(ranks.get(other.number, 0) for other in cell.others))


def _round(facts: EventFacts, stage: StageFacts, number: int) -> Mapping[PlayerId, RoundCell]:
    played = stage.state.rounds[number]
    key = stage.stage.pk, number, "cells"
    return cached_while_same(facts, key, (played,), lambda: _cells(facts, played))


def _cells(facts: EventFacts, played: Played) -> dict[PlayerId, RoundCell]:
    return {
        player: _cell(facts, result, pairing.number, seat)
        for pairing, result in played
        for seat, player in enumerate(pairing.seats)
    }


def _cell(facts: EventFacts, result: Result, number: int, seat: int) -> RoundCell:
    player, places = result.seats[seat], result.places
    others = tuple(facts.entries[one] for one in result.seats if one != player)
    mark = mark_of(result, player)
    if mark is None:
        return RoundCell("void" if result.is_played else "open", others, number=number)
    if not others:
        return RoundCell("bye" if mark is Mark.BYE else "missed", number=number)
    place, score = "", ""
    if len(result.seats) > 2 and places is not None:
        own = places[seat]
        place = rank_figure(own, shared=places.count(own) > 1) if own else "–"
    elif pair := result.score or (result.games_won and games_as_read(result.games_won)):
        first, second = pair if seat == 0 else pair[::-1]
        score = f"{first}–{second}"
    return RoundCell(str(mark), others, place=place, score=score, number=number)
