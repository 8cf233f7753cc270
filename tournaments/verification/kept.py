"""Check of what is kept for undo, and of snapshots."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from tournaments.chain.kept import kept_now, told_by
from tournaments.chain.lines import KEPT_DIGESTS
from tournaments.models import Event, LogLine
from tournaments.verification.finding import Finding


def check_kept(event: Event, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield what is kept otherwise than the log tells it; two queries."""
    told = told_by(
        (line.number, line.words[KEPT_DIGESTS]) for line in lines if KEPT_DIGESTS in line.words
    )
    for what, digest in kept_now(event).items():
        if not (told.is_before(what) or told.tells(what, digest)):
            kind, number, *_key = what.split("/")
            words = _("The snapshot of version %s is not the one that was taken.")
            if kind == "rows":
                words = _("What is stored to take back line %s of the log is not what was kept.")
            yield Finding("kept", words % number)
