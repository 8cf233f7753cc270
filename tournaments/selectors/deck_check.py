"""A list against the rules of an event, while it is written."""

from decks.cards.catalogues import resolver
from decks.checking.checking import check_text
from decks.checking.live_check import LiveCheck, live_check
from decks.readers.kinds import read_file
from rules.errors import BadInput
from rules.wording import gettext_noop as _
from tournaments.models import Event
from tournaments.selectors.deck_rules import rules_of_event


def check_of(event: Event, text: str) -> LiveCheck | None:
    """Return what is said of a text; None for an empty one, or one that can't be kept.

    As many queries as the rules of the event need.
    """
    if not text.strip():
        return None
    try:
        return live_check(check_text(rules_of_event(event), text=text), text)
    except BadInput:
        return None


def text_of_file(event: Event, content: bytes, name: str) -> str:
    """Return the list of a file in writing; raises BadInput for a file that holds none."""
    rules = rules_of_event(event)
    text = read_file(content, name, rules, resolve=resolver(rules.catalogue)).text
    if not text.strip():
        raise BadInput("empty_list", _("The file holds no card; nothing was stored."))
    return text
