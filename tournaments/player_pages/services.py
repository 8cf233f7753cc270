"""An account chooses whether its page across events is shown."""

from functools import partial

from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config import transaction
from tournaments.core.acts import Act, CacheEffect, NoUndo, UndoTiming
from tournaments.core.permissions import Actor
from tournaments.log.services import lock_event, record
from tournaments.models import Entry

act = partial(
    Act,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
)
PERSON_SHOWN = act(key="person.shown", words=_("Public profile enabled"), shows=CacheEffect.ADDS)
PERSON_HIDDEN = act(
    key="person.hidden", words=_("Public profile disabled"), shows=CacheEffect.TAKES_AWAY
)


LETTERS = "bcdfghjkmnpqrstvwxz23456789"
LENGTH = 12


@transaction.atomic
def publish_profile(*, user: User) -> None:
    """Publish an account's page across events under a random key, if not published.

    It is logged in each event of the account, whose player page then links there.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.person_key is None:
        user.person_key = get_random_string(LENGTH, LETTERS)
        user.save(update_fields=["person_key"])
        _log_in_each_event(user, PERSON_SHOWN)


@transaction.atomic
def unpublish_profile(*, user: User) -> None:
    """Remove an account's page across events; its key isn't used again."""
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.person_key is not None:
        user.person_key = None
        user.save(update_fields=["person_key"])
        _log_in_each_event(user, PERSON_HIDDEN)


def _log_in_each_event(user: User, act: Act) -> None:
    """Record the choice in each event with a player of the account."""
    for entry in Entry.objects.filter(user=user).select_related("event").order_by("event"):
        event = lock_event(entry.event)
        after = {"number": entry.number}
        record(event, act, by=Actor(user=user), subject=entry.name, after=after)
