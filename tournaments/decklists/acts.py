"""Acts of ``decklists``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Rows, Shows
from tournaments.core.permissions import can_manage, can_see_decks

HANDED_IN = Never(_("A list that was handed in stays; the player can hand in another one."))

act = partial(Act, may=can_see_decks, undo=Rows(), order=Order.BESIDE, shows=Shows.ADDS)
DECK_SUBMITTED = act(
    key="deck.submitted", words=_("Decklist handed in"), player_may=True, undo=HANDED_IN
)
DECK_KEPT_ASIDE = act(
    key="deck.kept_aside",
    words=_("Decklist kept beside a newer one"),
    player_may=True,
    undo=HANDED_IN,
)
DECK_OPENED = act(key="deck.opened", words=_("Decklist opened for a player"))
DECK_CLOSED = act(key="deck.closed", words=_("Decklist closed again"))
LISTS_PUBLISHED = act(
    key="lists.published",
    words=_("Lists published"),
    may=can_manage,
    ask_undo=_(
        "The lists are hidden from everybody again, but who has read them has read them. Hide them?"
    ),
    ask_redo=_(
        "Show everybody the lists of those who played? You can hide them again, but who has read "
        "them has read them."
    ),
)
LISTS_RELEASED = act(
    key="lists.released",
    words=_("Decklists of the stage released"),
    may=can_manage,
    state="play",
    undo=Never(_("The players may have read them.")),
)
LISTS_HIDDEN = act(
    key="lists.hidden",
    words=_("Lists hidden again"),
    may=can_manage,
    shows=Shows.TAKES_AWAY,
    ask_redo=_(
        "The lists are hidden from everybody again, but who has read them has read them. Hide them?"
    ),
)
