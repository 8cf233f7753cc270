"""Acts of ``player_pages``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows

OWN_PAGE = Never(_("A person decides about their own page, on the page of their account."))

PERSON_SHOWN = Act(
    key="person.shown",
    words=_("Page across events shown"),
    undo=OWN_PAGE,
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
PERSON_HIDDEN = Act(
    key="person.hidden",
    words=_("Page across events hidden"),
    undo=OWN_PAGE,
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.TAKES_AWAY,
)
