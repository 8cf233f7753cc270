"""Digests of what an event keeps to go back to: rows for undo, and snapshots.

Who stores one of these tells its digest, which the event's next line has in the closed words of
``KEPT_DIGESTS``: that of the act that keeps it, later that of an erasure that redacted it. The last
line that tells one counts. Every line has these words, so the first with them says since when.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from rules.errors import RuleError
from rules.events.log_chain import canonical
from tournaments.chain.lines import KEPT_DIGESTS, is_as_written
from tournaments.models import Event, KeptRows, LogLine, Snapshot
from tournaments.models.touched import touched

Digests = dict[str, str]
"""Digests by what they are of: "rows/12" of line 12, "snapshot/11/3" of version 11, with key 3."""


def of_rows(kept: KeptRows) -> Digests:
    """Return the digest of the rows kept with a line."""
    return {f"rows/{kept.line}": sha256(canonical(kept.rows)).hexdigest()}


def of_snapshot(snapshot: Snapshot) -> Digests:
    """Return the digest of a snapshot."""
    digest = sha256(bytes(snapshot.document)).hexdigest()
    return {f"snapshot/{snapshot.version}/{snapshot.pk}": digest}


@dataclass(slots=True)
class Told:
    """What a log tells of what is kept: the line and the digest that count, by what they are of.

    ``first`` is the first line that has to tell what it keeps, 0 without one; 0 is the line that
    is still to be written.
    """

    first: int = 0
    digests: dict[str, tuple[int, str]] = field(default_factory=dict)

    def tells(self, what: str, digest: str) -> bool:
        """Return whether this is the digest told."""
        return self.digests.get(what, (0, ""))[1] == digest

    def is_before(self, what: str) -> bool:
        """Return whether something was kept before lines told digests."""
        number = int(what.split("/")[1])
        return what not in self.digests and (not self.first or number < self.first)


def told_by(lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Told:
    """Return what lines tell, each given by its number and its digests of kept rows, in order."""
    told = Told()
    for number, words in lines:
        told.first = told.first or number
        told.digests |= {what: (number, digest) for what, digest in words.items()}
    return told


def told_of(event: Event) -> Told:
    """Return what the log of an event tells, and its next line will tell; one query."""
    lines = event.log.filter(words__has_key=KEPT_DIGESTS).order_by("number")
    told = told_by(lines.values_list("number", f"words__{KEPT_DIGESTS}"))
    told.digests |= {what: (0, each) for what, each in touched().kept.get(event.pk, {}).items()}
    return told


def tell(event: Event, digests: Digests) -> None:
    """Have the event's next line tell these digests, those of what this transaction stores."""
    touched().kept.setdefault(event.pk, {}).update(digests)


def kept_as_told(event: Event) -> frozenset[str]:
    """Return what an event keeps as it was told; three queries.

    To be asked before an erasure, which tells the digests of these alone anew.
    """
    told = told_of(event)
    return frozenset(what for what, digest in kept_now(event).items() if told.tells(what, digest))


def tell_anew(event: Event, only: frozenset[str]) -> None:
    """Have the next line tell the digests of these things as they are now; two queries."""
    tell(event, {what: digest for what, digest in kept_now(event).items() if what in only})


def kept_now(event: Event) -> Digests:
    """Return the digests of what an event keeps; two queries."""
    found: Digests = {}
    for kept in event.kept_rows.all():
        found |= of_rows(kept)
    for snapshot in event.snapshots.all():
        found |= of_snapshot(snapshot)
    return found


def check_kept(event: Event, digests: Digests) -> dict[str, bool]:
    """Return what the line of an act says that goes back to something kept; six queries.

    Raises RuleError ``kept_rows_differ`` unless it is as the log tells it.
    """
    told, said = told_of(event), {}
    for what, digest in digests.items():
        if told.is_before(what):
            said["kept_before"] = True
        elif not told.tells(what, digest):
            raise _differs(event)
        elif number := told.digests[what][0]:
            check_line(event, number)
    return said


def check_line(event: Event, number: int) -> None:
    """Raise RuleError ``kept_rows_differ`` unless a line is as it was written; four queries."""
    if not is_as_written(LogLine.objects.get(event=event, number=number)):
        raise _differs(event)


def _differs(event: Event) -> RuleError:
    return RuleError(
        "kept_rows_differ",
        "What was kept for this is not what the log says: it was changed outside the program. "
        "Nothing was stored: make the change by hand where it belongs, and have the site’s "
        "operator run “manage.py verify %(slug)s”.",
        slug=event.slug,
    )
