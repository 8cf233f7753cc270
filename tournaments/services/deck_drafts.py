"""Lists that a player has begun: kept on the server, read by nobody else.

A draft leaves no line in the log: that somebody has begun a list is theirs alone to know.
"""

from config import transaction
from decks.checking.checking import require_storable
from rules.errors import RuleError
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, require
from tournaments.log.services import locked
from tournaments.models import DeckDraft, Entry
from tournaments.selectors.deck_locks import list_open


@transaction.atomic
def keep_draft(*, entry: Entry, text: str, by: Actor) -> DeckDraft:
    """Keep what a player has written so far, in the place of the draft before.

    Raises RuleError ``deck_locked``; BadInput for a text that can't be kept.
    """
    event = locked(entry.event)
    require(by.is_entry(entry))
    require_storable(text)
    if not list_open(event, event.entries.get(pk=entry.pk)):
        raise RuleError(
            "deck_locked",
            _("Decklists are locked. Nothing was stored: a judge can still change yours."),
        )
    draft, _made = DeckDraft.objects.update_or_create(entry=entry, defaults={"text": text})
    return draft


@transaction.atomic
def drop_draft(*, entry: Entry, by: Actor) -> None:
    """Throw the draft of a player away; nothing happens where there is none."""
    require(by.is_entry(entry))
    DeckDraft.objects.filter(entry=entry).delete()
