"""Which standings pages tell of one player: those of now, or those after the last whole round.

In the middle of a round who has a bye, or has finished early, stands above all who still play. The
pages of one player name the standings after the last whole round of a longer table, as those of a
crowd must not change with every result either; a short one is told as it stands now.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.results import PlayerId
from rules.standings.table import Standing, Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.round_words import counted_rounds
from tournaments.core.rows import RoundRow
from tournaments.models import Stage
from tournaments.standings.selectors.round_standings import standings_after, whole_rounds

FEW = 8
"""Rows of a table that is told whole, as it stands now."""
FEW_TABLES = 8
"""Open matches of a stage's last round with which a longer table is told as it stands now, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRounds:
    """The rounds of a stage that a player's pages count.

    ``last`` is the last of them where a later one is left out, None where all count; ``open``: they
    include a round in which somebody still plays.
    """

    count: int
    last: RoundRow | None = None
    open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRow:
    """A player's row of their latest table, and the standings and rounds that it is of."""

    stage: StageFacts
    group: str
    row: Standing
    standings: Standings
    rounds: ToldRounds


def told_rounds(stage: StageFacts, group: str) -> ToldRounds | None:
    """Return the rounds that count on pages of a group's players, None before one; no query."""
    every, regular, whole = len(stage.state.rounds), stage.regular_rounds, whole_rounds(stage)
    held = bool(stage.held)
    open_ = whole < len(regular) and not held
    if sum(player is not None for player in stage.state.seats[group]) <= FEW:
        return ToldRounds(count=every, open=open_)
    if whole == len(regular) or _nearly_over(stage):
        return ToldRounds(count=every, open=open_)
    return ToldRounds(count=whole, last=regular[whole - 1]) if whole else None


def told_row(facts: EventFacts, number: PlayerId) -> ToldRow | None:
    """Return a player's row of their latest table; no query.

    None before a match of it counts: nobody has a rank yet.
    """
    for stage in reversed(facts.stages):
        if stage.stage.state != Stage.State.PENDING and not stage.kind.has_bracket:
            for group, seats in stage.state.seats.items():
                if number in seats:
                    return told_row_in(facts, stage, group, number)
    return None


def told_row_in(
    facts: EventFacts, stage: StageFacts, group: str, number: PlayerId
) -> ToldRow | None:
    """Return a player's row of a group, None before a match of it counts; no query."""
    rounds = told_rounds(stage, group)
    if rounds is None:
        return None
    standings = standings_after(facts, stage, rounds.count)[group]
    row = next((row for row in standings.rows if row.player == number), None)
    if row is None or not any(each.played for each in standings.rows):
        return None
    return ToldRow(stage=stage, group=group, row=row, standings=standings, rounds=rounds)


def as_of_words(rounds: ToldRounds) -> str:
    """Return as of when standings are, where a round is still played; else ""."""
    if rounds.last is not None:
        return _("after round %(round)s") % {"round": rounds.last.ordinal}
    return _("as of now") if rounds.open else ""


def as_of(told: ToldRow) -> str:
    """Return as of when a row is, where that is not plain: of later rounds some is left out."""
    if told.stage.held and (rounds := counted_rounds(told.stage)):
        return _("after round %(round)s") % {"round": rounds[-1].ordinal}
    return as_of_words(told.rounds)


def left_out(told: ToldRow) -> tuple[RoundRow, ...]:
    """Return the rounds of the row's stage that it does not count: held back, or still played."""
    later = told.stage.regular_rounds[told.rounds.count :]
    return tuple(item for item in told.stage.regular_rounds if item.pk in told.stage.held) or later


def _nearly_over(stage: StageFacts) -> bool:
    """Return whether the last round is played but for a few tables."""
    last = len(stage.regular_rounds) >= stage.total_rounds
    return last and len(stage.missing) <= FEW_TABLES
