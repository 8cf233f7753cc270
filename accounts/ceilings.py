"""Ceilings: how much one account may hold, so that no stranger can fill the site.

``settings.CEILINGS`` has the usual numbers. They hold for every account that is not the site's
staff, as many times as its ``ceiling_factor`` says; with 0 there is none. Whoever stores something
asks :func:`check_account_limit` inside its transaction, before or after writing.
"""

from collections.abc import Callable

from django.conf import settings

from accounts.models import User
from rules.errors import BadInput
from rules.wording import Sentence
from rules.wording import gettext_noop as _

MEGABYTE = 1_000_000
Count = Callable[[User], int]

TOO_MANY = _("Your limit is %(what)s. Delete some, or ask the site’s operator to raise it.")
TOO_OFTEN = _("Your limit is %(what)s. Try again later, or ask the site’s operator to raise it.")
SENTENCES = {
    "events": ("too_many_events", TOO_MANY, _("%(most)s events that have not started")),
    "events_an_hour": ("too_many_events", TOO_OFTEN, _("%(most)s events per hour")),
    "restores_a_day": ("too_many_restores", TOO_OFTEN, _("%(most)s restored archives per day")),
    "formats": ("too_many_formats", TOO_MANY, _("%(most)s custom formats")),
    "catalogues": ("too_many_catalogues", TOO_MANY, _("%(most)s card catalogues")),
    "megabytes": (
        "too_much_stored",
        TOO_MANY,
        _("%(most)s MB of card catalogues and restored archives"),
    ),
}
"""The code and the sentence of a refusal and what it counts, by the key of ``CEILINGS``."""

STORED: list[Count] = []
"""Functions that return how many bytes of one kind an account holds; features add theirs."""


def register_byte_counter(count: Count) -> Count:
    """Register a function that returns how many bytes of one kind a user stores; return it."""
    STORED.append(count)
    return count


def account_limit(user: User | None, key: str) -> int | None:
    """Return a user's limit for a key of ``CEILINGS``; None for no limit.

    None for the site itself (no user), for the site's staff, and if ``ceiling_factor`` is 0.
    """
    if user is None or user.is_staff or not user.ceiling_factor:
        return None
    return int(settings.CEILINGS[key]) * user.ceiling_factor


def check_account_limit(user: User | None, key: str, held: Count, *, adding: int = 1) -> None:
    """Raise BadInput if the account would exceed one of its limits.

    key: of ``CEILINGS``; ``SENTENCES`` has the error's code. held: function that returns the amount
    a user stores already; not called if there is no limit. adding: the amount about to be added.
    Locks the user's row until the end of the transaction, so that concurrent requests can't both
    pass.
    """
    most = account_limit(user, key)
    if user is None or most is None:
        return
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    if held(user) + adding > most:
        code, sentence, what = SENTENCES[key]
        raise BadInput(code, sentence, what=Sentence(what, {"most": most}))


def check_storage_limit(user: User | None, *, adding: int = 0) -> None:
    """Raise BadInput ``too_much_stored`` if the account would store too many bytes.

    adding: bytes about to be stored; 0 if they are stored already.
    """
    check_account_limit(user, "megabytes", _megabytes, adding=-(-adding // MEGABYTE))


def _megabytes(user: User) -> int:
    return sum(count(user) for count in STORED) // MEGABYTE
