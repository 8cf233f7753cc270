"""Which departures and returns are offered to the staff: those that still change something."""

from dataclasses import dataclass

from rules.events.lifecycle import is_allowed
from rules.events.returning import OPEN
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Rights
from tournaments.models import Entry, Event
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


def moves_of(event: Event, entry: Entry, rights: Rights, *, played_out: bool) -> Moves:
    """Return what can be done with a player, as far as the reader may.

    Nobody leaves once everything is played (`is_played_out`), or comes back to nothing; a
    disqualification is given and taken back until the event is finished. No query, those of the
    facts for who has withdrawn.
    """
    status = entry.status
    moves = is_allowed("event", event.state, "move_player")
    back = rights.run and status == Entry.Status.WITHDRAWN and not played_out
    if back:
        back = returning_of(read_facts(event, drafts=True), entry) in OPEN
    reinstated = rights.rule and is_allowed("entry", status, "reinstate")
    return Moves(
        withdraw=moves
        and not played_out
        and rights.run
        and is_allowed("entry", status, "withdraw"),
        disqualify=moves and rights.rule and is_allowed("entry", status, "disqualify"),
        come_back=moves and (back or reinstated),
    )
