"""Check of what is kept for undo, and of snapshots."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from tournaments.chain.kept_digests import digests_in, kept_now
from tournaments.chain.lines import KEPT_DIGESTS
from tournaments.models import Event, LogLine
from tournaments.verification.finding import Finding


def check_kept(event: Event, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield a finding for each row for undo or snapshot that differs from its logged digest."""
    logged = digests_in(
        (line.number, line.words[KEPT_DIGESTS]) for line in lines if KEPT_DIGESTS in line.words
    )
    for what, digest in kept_now(event).items():
        if not (logged.is_earlier(what) or logged.has(what, digest)):
            kind, number, *_key = what.split("/")
            words = _("The snapshot of version %s is not the one that was taken.")
            if kind == "rows":
                words = _("What is stored to take back line %s of the log is not what was kept.")
            yield Finding("kept", words % number)
