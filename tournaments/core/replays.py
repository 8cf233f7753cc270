"""Matches that a correction put up to be played again: which, by whom, and when."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import AnyEntry, MatchRow, RoundRow
from tournaments.models import Match, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A match to be played again in a round; ``before`` is the round before which, 0 is now.

    Once that round is published it is now, too.
    """

    match: MatchRow
    round: RoundRow
    players: tuple[AnyEntry, ...]
    before: int

    @property
    def pair(self) -> str:
        """Return its players in the order of their seats, as "Anna–Bruno"."""
        return "–".join(entry.display_name for entry in self.players)

    @property
    def when(self) -> str:
        """Return when it is played, inside a sentence: "now", "before round 5"."""
        if not self.before:
            return _("now")
        return _("before round %(number)s") % {"number": self.before}


def replays(facts: EventFacts, *, of: PlayerId | None = None) -> tuple[Replay, ...]:
    """Return the matches of the stage in progress that are to be played again; no query.

    ``of``: only those of this player.
    """
    stage = facts.open_stage
    found = _replays(facts, stage) if stage else ()
    return tuple(
        each for each in found if of is None or of in {entry.number for entry in each.players}
    )


def _replays(facts: EventFacts, stage: StageFacts) -> Iterator[Replay]:
    found = facts.latest_published
    latest = found[1].ordinal if found else 0
    for item in stage.regular_rounds:
        if item.state != Round.State.PUBLISHED:
            continue
        for match in stage.matches_of(item):
            if match.again is not None and match.state != Match.State.FINAL:
                players = tuple(facts.entries[facts.numbers[key]] for key in match.seats)
                before = match.again if match.again > latest else 0
                yield Replay(match=match, round=item, players=players, before=before)


def round_to_come(stage: StageFacts) -> int:
    """Return the number of the round that is drafted, or comes next in a stage; 0 if none does."""
    last = stage.last_round
    if last is None:
        return 0
    if last.state == Round.State.DRAFT:
        return last.ordinal
    return 0 if stage.rounds_done else last.ordinal + 1
