"""Check of a restored event: whether it continues what was deleted at its address."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from tournaments.chain.addresses import continues
from tournaments.core.restorations import restoration_of, restored_words
from tournaments.models import Event, LogLine
from tournaments.verification.files import Files
from tournaments.verification.finding import Finding


def check_restoration(event: Event, lines: Sequence[LogLine], files: Files) -> Iterator[Finding]:
    """Yield a finding for a restored log that lacks the last line of the event deleted there."""
    restoration = restoration_of(event)
    if restoration is None:
        return
    held = continues(files.deleted, {line.number: line.digest for line in lines})
    if restoration.continues and held:
        return
    words = _("This restored event does not continue the one that was deleted at its address.")
    if files.deleted:
        words = _(
            "This restored event does not continue the one that was deleted at its address, whose "
            "line %(line)s has the fingerprint %(digest)s."
        )
        head = files.deleted[-1]
        words %= {"line": head["number"], "digest": head["digest"][:16]}
    yield Finding("address", words)


def restoration_notes(event: Event) -> Iterator[Finding]:
    """Yield a note if the event was restored: when, and from which site."""
    restoration = restoration_of(event)
    if restoration is not None:
        yield Finding("restored", restored_words(event, restoration))
