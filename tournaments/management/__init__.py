"""Commands of events; what they share: how they refuse, and the event that is meant."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.wording import error_message
from rules.errors import RuleError
from tournaments.models import Event, Series


class NotDoneError(CommandError):
    """Error of a command that has stored nothing; exits with status 2."""

    def __init__(self, words: str) -> None:
        super().__init__(words, returncode=2)


@contextmanager
def rule_errors_as_not_done() -> Iterator[None]:
    """Context manager that turns a RuleError into a NotDoneError with its message."""
    try:
        yield
    except RuleError as refused:
        raise NotDoneError(error_message(refused)) from None


def find_event(slug: str) -> Event:
    """Return the event with a slug; raises NotDoneError if there is none."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        raise no_event_error(slug)
    return event


def find_series(slug: str) -> Series:
    """Return the series with a slug; raises NotDoneError if there is none."""
    series = Series.objects.filter(slug=slug).first()
    if series is None:
        raise no_event_error(slug)
    return series


class EventFileCommand(BaseCommand):
    """Base of commands that write an event to a file.

    ``example`` is a file name for the help text.
    """

    example: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event's slug and the file."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("file", help=f"where to write, as {self.example}")

    def write(self, file: str, write: Callable[[Path], object]) -> None:
        """Write a file and say so. Raises NotDoneError."""
        try:
            write(Path(file))
        except OSError as fault:
            words = _("“%(file)s” can’t be written: %(why)s.")
            raise NotDoneError(words % {"file": file, "why": fault.strerror}) from None
        self.stdout.write(_("Saved: %(name)s") % {"name": file})


def no_event_error(slug: str) -> NotDoneError:
    """Return the error for an unknown event or series."""
    return NotDoneError(_("“%(name)s” does not exist.") % {"name": slug})
