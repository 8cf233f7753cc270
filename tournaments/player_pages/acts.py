"""Acts of ``player_pages``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows

act = partial(
    Act,
    undo=Never(_("A person decides about their own page, on the page of their account.")),
    order=Order.BESIDE,
)
PERSON_SHOWN = act(key="person.shown", words=_("Page across events shown"), shows=Shows.ADDS)
PERSON_HIDDEN = act(
    key="person.hidden", words=_("Page across events hidden"), shows=Shows.TAKES_AWAY
)
