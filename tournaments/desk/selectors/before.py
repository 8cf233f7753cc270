"""The desk before a stage has a round: who plays, and who is missing."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.results import PlayerId
from tournaments.core.event_state import StageFacts
from tournaments.core.names import by_surname
from tournaments.core.rows import EntryRow
from tournaments.models import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeRound:
    """The players of a stage without a published round.

    ``missing`` were not marked as present, while others were; ``gone`` have left.
    """

    players: tuple[EntryRow, ...]
    here: int
    missing: tuple[EntryRow, ...]
    gone: tuple[EntryRow, ...]

    @property
    def counted(self) -> bool:
        """Return whether players were marked as present at all."""
        return bool(self.here)


def before_round(stage: StageFacts, entries: Mapping[PlayerId, EntryRow]) -> BeforeRound:
    """Return the players of a stage by surname: those who play, who are absent, who have left."""
    seated = [entries[player] for player in stage.state.players]
    plays = [entry for entry in seated if entry.plays]
    missing = [entry for entry in plays if entry.status != Entry.Status.CHECKED_IN]
    return BeforeRound(
        players=tuple(sorted(plays, key=by_surname)),
        here=len(plays) - len(missing),
        missing=tuple(sorted(missing, key=by_surname)),
        gone=tuple(sorted((e for e in seated if not e.plays), key=by_surname)),
    )
