"""Which departures and returns are offered to the staff: those that still change something."""

from dataclasses import dataclass

from rules.events.lifecycle import is_allowed
from rules.events.returning import OPEN
from tournaments.core.event_state import EventFacts
from tournaments.core.permissions import Rights
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry
from tournaments.players.selectors.returns import returning_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """What can be done with a player now."""

    withdraw: bool
    disqualify: bool
    come_back: bool

    def __bool__(self) -> bool:
        """Return whether anything can."""
        return self.withdraw or self.disqualify or self.come_back


def moves_of(facts: EventFacts, entry: AnyEntry, rights: Rights) -> Moves:
    """Return what can be done with a player, as far as the reader may; no query.

    Nobody leaves once everything is played, or comes back to nothing; a disqualification is given
    and taken back until the event is finished.
    """
    status = entry.status
    moves = is_allowed("event", facts.event.state, "move_player")
    played_out = facts.plan is not None and facts.open_stage is None
    back = rights.run and status == Entry.Status.WITHDRAWN and returning_of(facts, entry) in OPEN
    reinstated = rights.rule and is_allowed("entry", status, "reinstate")
    return Moves(
        withdraw=moves
        and not played_out
        and rights.run
        and is_allowed("entry", status, "withdraw"),
        disqualify=moves and rights.rule and is_allowed("entry", status, "disqualify"),
        come_back=moves and (back or reinstated),
    )
