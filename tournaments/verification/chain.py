"""Check of the log: digests, and the file that holds its head."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from rules.events.log_chain import FIRST, closed_digest, line_digest
from tournaments.chain.heads import FILE, folder_mark, is_of, kept_head
from tournaments.chain.lines import closed_part, open_part, player_who_acted
from tournaments.models import Event, LogLine
from tournaments.verification.files import Files
from tournaments.verification.finding import Finding
from tournaments.verification.signatures import is_wrong


def lines_of(event: Event) -> list[LogLine]:
    """Return the lines of an event's log by number; one query."""
    return list(event.log.select_related("by_entry").order_by("number", "pk"))


def check_chain(event: Event, lines: Sequence[LogLine], files: Files) -> Iterator[Finding]:
    """Yield lines that were changed, removed or inserted, and a log whose end was cut off."""
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
    yield from _findings_at_end(event, before)
    yield from _findings_in_file(event, lines, files)


def chain_notes(lines: Sequence[LogLine], files: Files) -> Iterator[Finding]:
    """Yield remarks: the line from which the chain is intact, and whether a file has its end."""
    for line in lines:
        if isinstance(line.facts, dict) and line.facts.get("begun"):
            words = _("The chain of the log holds from line %(line)s on.")
            yield Finding("chain", words % {"line": line.number})
    if lines and files.head is None and not files.fault:
        words = _("No file beside the database knows the end of this log: a cut would go unseen.")
        yield Finding("head", words)


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


def _findings_at_end(event: Event, digest: str) -> Iterator[Finding]:
    if event.version and event.head != digest:
        words = _("The event's fingerprint is %(head)s; the last line of its log has %(digest)s.")
        yield Finding("head", words % {"head": event.head[:16], "digest": digest[:16]})


def _findings_in_file(event: Event, lines: Sequence[LogLine], files: Files) -> Iterator[Finding]:
    """Yield contradictions to the head file, which may lag behind the log, never lead."""
    head = files.head
    if files.fault:
        yield Finding("head", _("The file of the log's end can't be read: %s") % files.fault)
    else:
        yield from _file_set_back(event, lines)
    if head is None:
        return
    number, digest = head["number"], str(head.get("digest"))
    found = {line.number: line.digest for line in lines}
    if not is_of(event, head):
        words = _("The file beside the database is about another event: %(slug)s, of %(created)s.")
        values = {"slug": head.get("event"), "created": head.get("created")}
        yield Finding("head", words % values)
    elif is_wrong(number, digest, str(head.get("signature")), files):
        yield Finding("head", _("The file beside the database is not signed by this site."))
    elif number not in found:
        words = _("The log ends at line %(last)s; the file beside the database has line %(kept)s.")
        yield Finding("head", words % {"last": max(found, default=0), "kept": number})
    elif found[number] != digest:
        words = _(
            "Line %(line)s of the log has the fingerprint %(found)s; the file beside the database "
            "says %(kept)s."
        )
        values = {"line": number, "found": found[number][:16], "kept": digest[:16]}
        yield Finding("head", words % values)


def _file_set_back(event: Event, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield a finding if the head file is missing or older than lines of the log say it was.

    The file is read again after the log, as each line names the file's state before that line.
    """
    states = [(line.words.get(FILE, {}), line.number) for line in lines]
    here = [(state["line"], by) for state, by in states if state.get("folder") == folder_mark()]
    had, by = max(here, default=(0, 0))
    head = kept_head(event)
    values = {"line": by, "had": had, "kept": head["number"] if head else 0}
    if head is None and had:
        words = _(
            "The file beside the database is missing, though it was there when line %(line)s of "
            "the log was written."
        )
        yield Finding("head", words % values)
    elif head is not None and head["number"] < had and is_of(event, head):
        words = _(
            "The file beside the database has line %(kept)s, though it had line %(had)s when line "
            "%(line)s of the log was written."
        )
        yield Finding("head", words % values)
