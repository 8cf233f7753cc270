"""What the commands share: how they refuse, and the event that is meant."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from config.wording import explain
from rules.errors import RuleError
from tournaments.models import Event


class NotDoneError(CommandError):
    """Nothing was stored: exit 2."""

    def __init__(self, words: str) -> None:
        super().__init__(words, returncode=2)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn a ``RuleError`` into its sentence and exit 2."""
    try:
        yield
    except RuleError as refused:
        raise NotDoneError(explain(refused)) from None


def event_of(slug: str) -> Event:
    """Return the event with a slug; raises NotDoneError if there is none."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        raise no_event(slug)
    return event


def no_event(slug: str) -> NotDoneError:
    return NotDoneError(_("There is no event “%(slug)s”.") % {"slug": slug})
