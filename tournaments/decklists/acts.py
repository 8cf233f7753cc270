"""Acts of ``decklists``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Rows, Shows
from tournaments.core.permissions import can_manage, can_see_decks

HANDED_IN = Never(_("A list that was handed in stays; the player can hand in another one."))

DECK_SUBMITTED = Act(
    key="deck.submitted",
    words=_("Decklist handed in"),
    may=can_see_decks,
    player_may=True,
    undo=HANDED_IN,
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
DECK_KEPT_ASIDE = Act(
    key="deck.kept_aside",
    words=_("Decklist kept beside a newer one"),
    may=can_see_decks,
    player_may=True,
    undo=HANDED_IN,
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
DECK_OPENED = Act(
    key="deck.opened",
    words=_("Decklist opened for a player"),
    may=can_see_decks,
    undo=Rows(),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
DECK_CLOSED = Act(
    key="deck.closed",
    words=_("Decklist closed again"),
    may=can_see_decks,
    undo=Rows(),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
LISTS_PUBLISHED = Act(
    key="lists.published",
    words=_("Lists published"),
    may=can_manage,
    undo=Rows(),
    order=Order.BESIDE,
    writes=("event",),
    shows=Shows.ADDS,
    ask_undo=_(
        "The lists are hidden from everybody again, but who has read them has read them. Hide them?"
    ),
    ask_redo=_(
        "Show everybody the lists of those who played? You can hide them again, but who has read "
        "them has read them."
    ),
)
LISTS_HIDDEN = Act(
    key="lists.hidden",
    words=_("Lists hidden again"),
    may=can_manage,
    undo=Rows(),
    order=Order.BESIDE,
    writes=("event",),
    shows=Shows.TAKES_AWAY,
    ask_redo=_(
        "The lists are hidden from everybody again, but who has read them has read them. Hide them?"
    ),
)
