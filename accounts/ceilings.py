"""Ceilings: how much one account may hold, so that no stranger can fill the site.

``settings.CEILINGS`` has the usual numbers. They hold for every account that is not the site's
staff, as many times as its ``ceiling_factor`` says; with 0 there is none. Whoever stores something
asks :func:`check_ceiling` inside its transaction, before or after writing.
"""

from collections.abc import Callable

from django.conf import settings

from accounts.models import User
from rules.errors import BadInput
from rules.wording import gettext_noop as _

MEGABYTE = 1_000_000
Count = Callable[[User], int]

SENTENCES = {
    "events": (
        "too_many_events",
        _(
            "An account holds at most %(most)s events that have not started. Nothing was stored: "
            "delete some, or ask who runs this site for more."
        ),
    ),
    "events_an_hour": (
        "too_many_events",
        _(
            "An account makes at most %(most)s events an hour. Nothing was stored: go on later, "
            "or ask who runs this site for more."
        ),
    ),
    "restores_a_day": (
        "too_many_restores",
        _(
            "An account restores at most %(most)s archives a day. Nothing was stored: go on "
            "tomorrow, or ask who runs this site for more."
        ),
    ),
    "formats": (
        "too_many_formats",
        _(
            "An account has at most %(most)s formats of its own. Nothing was stored: change one "
            "of them, or ask who runs this site for more."
        ),
    ),
    "catalogues": (
        "too_many_catalogues",
        _(
            "An account has at most %(most)s card catalogues. Nothing was stored: delete one, or "
            "ask who runs this site for more."
        ),
    ),
    "megabytes": (
        "too_much_stored",
        _(
            "Card catalogues and restored archives of an account take at most %(most)s MB. "
            "Nothing was stored: delete some, or ask who runs this site for more."
        ),
    ),
}
"""The code and the sentence of a refusal, by the key of ``settings.CEILINGS``."""

STORED: list[Count] = []
"""Functions that return how many bytes of one kind an account holds; features add theirs."""


def counts_bytes(count: Count) -> Count:
    """Register a function that returns how many bytes an account holds."""
    STORED.append(count)
    return count


def ceiling_of(user: User | None, key: str) -> int | None:
    """Return an account's ceiling; None for the site itself, its staff and programs of theirs."""
    if user is None or user.is_staff or not user.ceiling_factor:
        return None
    return int(settings.CEILINGS[key]) * user.ceiling_factor


def check_ceiling(user: User | None, key: str, held: Count, *, adding: int = 1) -> None:
    """Raise BadInput with the code of the ceiling if the account would hold more than that.

    ``held`` returns what it holds already; it is not called without a ceiling. Locks the
    account until the end of the transaction, so that two requests can't pass side by side.
    """
    most = ceiling_of(user, key)
    if user is None or most is None:
        return
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    if held(user) + adding > most:
        code, sentence = SENTENCES[key]
        raise BadInput(code, sentence, most=most)


def check_stored(user: User | None, *, adding: int = 0) -> None:
    """Raise BadInput ``too_much_stored`` if the account would hold more bytes than it may."""
    check_ceiling(user, "megabytes", _megabytes, adding=-(-adding // MEGABYTE))


def _megabytes(user: User) -> int:
    return sum(count(user) for count in STORED) // MEGABYTE
