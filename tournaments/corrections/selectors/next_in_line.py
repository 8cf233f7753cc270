"""Who moves up for a player who left after qualifying, until the stage's first round is public."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from tournaments.core.event_state import EventFacts
from tournaments.core.names import by_surname
from tournaments.core.rows import EntryRow
from tournaments.corrections.selectors.choices import Correction, departure_of
from tournaments.models import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class NextInLine:
    """A player who left after qualifying, and who ``comes`` in; None where ``why_not`` says why.

    ``mark`` is that of what would change (``choices.Correction``).
    """

    gone: EntryRow
    comes: EntryRow | None
    why_not: str
    mark: str


def next_in_line(facts: EventFacts) -> NextInLine | None:
    """Return whose seat can be given away now, one who can be replaced first; no query.

    None once a round of the stage in progress is published, or if nobody of it has left.
    """
    found = tuple(_leavers(facts))
    return next((each for each in found if each.comes), found[0] if found else None)


def _leavers(facts: EventFacts) -> Iterator[NextInLine]:
    stage = facts.open_stage
    if stage is None or any(item.state == Round.State.PUBLISHED for item in stage.rounds):
        return
    seated = [facts.entries[player] for player in stage.state.players]
    for gone in sorted((entry for entry in seated if not entry.plays), key=by_surname):
        found = departure_of(facts, gone.number)
        if found is not None:
            comes = _who_comes(found)
            why = translate(found.why_not) if found.why_not else _("nobody is left who could.")
            yield NextInLine(gone=gone, comes=comes, why_not=why, mark=found.mark)


def _who_comes(found: Correction) -> EntryRow | None:
    """Return who gets into the stage, None if nobody can."""
    if found.follows is None or found.why_not is not None:
        return None
    held = {change.before for change in found.follows.seats}
    new = [c.after for c in found.follows.seats if c.after is not None and c.after not in held]
    return found.facts.entries[new[0]] if new else None
