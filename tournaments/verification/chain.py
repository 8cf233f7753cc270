"""Check of the log's digests."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from rules.events.log_chain import FIRST, closed_digest, line_digest
from tournaments.chain.lines import closed_part, open_part, player_who_acted
from tournaments.models import Event, LogLine
from tournaments.verification.finding import Finding


def lines_of(event: Event) -> list[LogLine]:
    """Return the lines of an event's log by number; one query."""
    return list(event.log.select_related("by_entry").order_by("number", "pk"))


def check_chain(event: Event, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield lines that were changed, removed or inserted."""
    every = [line.facts for line in lines if isinstance(line.facts, dict)]
    erased = {n for facts in every for n in _erased_numbers(facts.get("erased", []))}
    before = FIRST
    for expected, line in enumerate(lines, start=1):
        if line.number != expected:
            words = _("The log has line %(number)s where line %(expected)s is due.")
            yield Finding("chain", words % {"number": line.number, "expected": expected})
            break
    for line in lines:
        yield from _findings_in_line(line, before, erased)
        before = line.digest
    if event.version and event.head != before:
        words = _("The event's fingerprint is %(head)s; the last line of its log has %(digest)s.")
        yield Finding("head", words % {"head": event.head[:16], "digest": before[:16]})


def chain_notes(lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield the line from which the chain is intact if it began later than its event."""
    for line in lines:
        if isinstance(line.facts, dict) and line.facts.get("begun"):
            words = _("The chain of the log holds from line %(line)s on.")
            yield Finding("chain", words % {"line": line.number})


def _erased_numbers(value: object) -> list[int]:
    return [each for each in value if type(each) is int] if isinstance(value, list) else []


def _findings_in_line(line: LogLine, before: str, erased: set[int]) -> Iterator[Finding]:
    values = {"line": line.number, "action": line.action}
    if line.digest != line_digest(before, open_part(line)):
        words = _(
            "Line %(line)s of the log (%(action)s) is not as it was written, or lines before it "
            "are missing."
        )
        yield Finding("chain", words % values)
    if not line.salt:
        if line.number not in erased:
            words = _("Line %(line)s of the log (%(action)s): its words can't be checked any more.")
            yield Finding("chain_words", words % values)
    elif line.closed_digest != closed_digest(line.salt, closed_part(line)):
        words = _("Line %(line)s of the log (%(action)s): its words are not those written.")
        yield Finding("chain_words", words % values)
    if line.by_entry is not None and line.by_entry.number != player_who_acted(line):
        words = _("Line %(line)s of the log (%(action)s): player %(player)s did this.")
        yield Finding("chain", words % (values | {"player": player_who_acted(line)}))
