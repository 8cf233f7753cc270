"""Check of what each line of the log tells against the laws of the record."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from rules.events.ledger import Ledger
from tournaments.chain.laws import laws_broken_by
from tournaments.models import LogLine
from tournaments.verification.finding import Finding
from tournaments.verification.ledger import where_of

WORDS: Mapping[int, str] = {
    1: gettext_noop(
        "Line %(line)s of the log (%(action)s) tells what this act does not write (law 1). "
        "%(where)s."
    ),
    2: gettext_noop(
        "Line %(line)s of the log (%(action)s) changes a result that was told before (law 2). "
        "%(where)s."
    ),
    3: gettext_noop(
        "Line %(line)s of the log (%(action)s) changes a draw, or draws by a seed whose "
        "fingerprint no line told before (law 3). %(where)s."
    ),
    4: gettext_noop(
        "Line %(line)s of the log (%(action)s) brings back what was never there (law 4). %(where)s."
    ),
}
"""What a line does that breaks a law, by its number."""


def check_laws(ledger: Ledger, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield the lines that break a law or can't be read; all others are added to the ledger."""
    for line in lines:
        values = {"line": line.number, "action": line.action}
        try:
            broken = list(laws_broken_by(ledger, line))
        except (AttributeError, TypeError, ValueError):
            words = _("Line %(line)s of the log (%(action)s): its content can't be read.")
            yield Finding("ledger", words % values)
            continue
        for breach in broken:
            where = where_of(breach.place, ledger)
            where = f"{where}: {breach.column}" if breach.column else where
            yield Finding("laws", _(WORDS[breach.law]) % (values | {"where": where}))


def law_notes(lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield a note of the first line checked against the laws, if earlier lines were not."""
    judged = (
        each.number for each in lines if isinstance(each.facts, dict) and "laws" in each.facts
    )
    first = next(judged, None)
    if first not in (None, 1):
        words = _("The laws of the record were asked of each line from line %(line)s on.")
        yield Finding("laws", words % {"line": first})
