"""Digests of what an event keeps to go back to: rows for undo, and snapshots.

The code that stores one of these logs its digest: the event's next line has it in its closed words
under ``KEPT_DIGESTS``. An erasure that redacts what is kept logs the new digest. The last line with
a digest counts. Every line has these words, so the first line with them says since when.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from rules.errors import RuleError
from rules.events.ledger import canonical
from tournaments.chain.lines import KEPT_DIGESTS, is_as_written
from tournaments.models import Event, KeptRows, LogLine, Snapshot
from tournaments.models.touched import touched

Digests = dict[str, str]
"""Digests by what they are of: "rows/12" of line 12, "snapshot/11/3" of version 11, with key 3."""


def of_rows(kept: KeptRows) -> Digests:
    """Return the digest of the rows stored for the undo of one line, by its key "rows/LINE"."""
    return {f"rows/{kept.line}": sha256(canonical(kept.rows)).hexdigest()}


def of_snapshot(snapshot: Snapshot) -> Digests:
    """Return the digest of a snapshot, by its key "snapshot/VERSION/KEY"."""
    digest = sha256(bytes(snapshot.document)).hexdigest()
    return {f"snapshot/{snapshot.version}/{snapshot.pk}": digest}


@dataclass(slots=True)
class LoggedDigests:
    """The latest logged digest of each stored thing, as (line number, digest); line 0 is the next.

    ``first`` is the number of the first line with digests of what it keeps, 0 without one.
    """

    first: int = 0
    digests: dict[str, tuple[int, str]] = field(default_factory=dict)

    def has(self, what: str, digest: str) -> bool:
        """Return whether this is the latest logged digest of the rows or snapshot ``what``."""
        return self.digests.get(what, (0, ""))[1] == digest

    def is_earlier(self, what: str) -> bool:
        """Return whether ``what`` was stored before lines of the log had digests."""
        number = int(what.split("/")[1])
        return what not in self.digests and (not self.first or number < self.first)


def digests_in(lines: Iterable[tuple[int, Mapping[str, Any]]]) -> LoggedDigests:
    """Return the digests in log lines, given in order as (number, digests by key)."""
    found = LoggedDigests()
    for number, words in lines:
        found.first = found.first or number
        found.digests |= {what: (number, digest) for what, digest in words.items()}
    return found


def logged_digests(event: Event) -> LoggedDigests:
    """Return the digests in an event's log, and those that its next line will have; one query."""
    lines = event.log.filter(words__has_key=KEPT_DIGESTS).order_by("number")
    found = digests_in(lines.values_list("number", f"words__{KEPT_DIGESTS}"))
    found.digests |= {what: (0, each) for what, each in touched().kept.get(event.pk, {}).items()}
    return found


def log_digests(event: Event, digests: Digests) -> None:
    """Put these digests, of what this transaction stores, into the event's next line."""
    touched().kept.setdefault(event.pk, {}).update(digests)


def kept_as_logged(event: Event) -> frozenset[str]:
    """Return the keys of stored rows and snapshots whose digests match the log; three queries.

    To be called before an erasure, which logs new digests of these alone.
    """
    logged = logged_digests(event)
    return frozenset(what for what, digest in kept_now(event).items() if logged.has(what, digest))


def log_anew(event: Event, only: frozenset[str]) -> None:
    """Put the present digests of these rows and snapshots into the next line; two queries."""
    log_digests(event, {what: digest for what, digest in kept_now(event).items() if what in only})


def kept_now(event: Event) -> Digests:
    """Return the digests of the event's rows for undo and snapshots, by key; two queries."""
    found: Digests = {}
    for kept in event.kept_rows.all():
        found |= of_rows(kept)
    for snapshot in event.snapshots.all():
        found |= of_snapshot(snapshot)
    return found


def check_kept(event: Event, digests: Digests) -> dict[str, bool]:
    """Check stored rows or snapshots against the log before an act restores them; six queries.

    Raises RuleError ``kept_rows_differ`` unless the digests are the logged ones.
    """
    logged, words = logged_digests(event), {}
    for what, digest in digests.items():
        if logged.is_earlier(what):
            words["kept_before"] = True
        elif not logged.has(what, digest):
            raise _digests_differ_error(event)
        elif number := logged.digests[what][0]:
            check_line(event, number)
    return words


def check_line(event: Event, number: int) -> None:
    """Raise RuleError ``kept_rows_differ`` if a line of the log was changed; four queries."""
    if not is_as_written(LogLine.objects.get(event=event, number=number)):
        raise _digests_differ_error(event)


def _digests_differ_error(event: Event) -> RuleError:
    return RuleError(
        "kept_rows_differ",
        "What was kept for this is not what the log says: it was changed outside the program. "
        "Nothing was stored: make the change by hand where it belongs, and have the site’s "
        "operator run “manage.py verify %(slug)s”.",
        slug=event.slug,
    )
