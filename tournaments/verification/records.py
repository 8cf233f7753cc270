"""Findings, and checks of draws and decklists, of the log's numbers and digests, and of the tables
against the log.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from decks.checking import check_text
from decks.decklists.selectors import read_as_today
from decks.models import Decklist
from decks.rulebook import DeckRules
from rules.deckbuilding.render import canonical, render
from rules.deckbuilding.text import ABOUT_TEXT
from rules.errors import BadInput
from rules.events.ledger import FIRST, Ledger, closed_digest, incomparable_words, line_digest
from rules.people.person_names import joined
from rules.ties.draws import drawn_order, fingerprint, seeded_order
from tournaments.chain.lines import closed_part, open_part, player_who_acted
from tournaments.chain.payload import Payload, event_payload
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import EventFacts, restoration_of
from tournaments.decklists.selectors.rules import (
    may_be_read_differently,
    may_have_changed,
    rules_of_event,
)
from tournaments.models import DeckSubmission, Draw, Event, LogLine


@dataclass(frozen=True, slots=True)
class Finding:
    """``check`` is the name of the check; ``words`` a sentence in the active language."""

    check: str
    words: str

    def __str__(self) -> str:
        return f"{self.check}: {self.words}"


def check_draws(facts: EventFacts) -> Iterator[Finding]:
    """Yield draws whose order does not follow from the seed, or whose fingerprint is wrong."""
    for draw in facts.draws:
        if not draw.by_hand and draw.fingerprint != fingerprint(draw.seed):
            words = _("Random draw %(number)s: the fingerprint is not that of the seed.")
            yield Finding("fingerprint", words % {"number": draw.number})
        if draw.state == Draw.State.DRAWN and not _follows_from_seed(draw):
            words = _(
                "Random draw %(number)s: the stored order %(order)s is not the one its seed gives."
            )
            values = {"number": draw.number, "order": draw.order}
            yield Finding("draw", words % values)


def draw_notes(facts: EventFacts) -> Iterator[Finding]:
    """Yield a note on each draw's origin, as far as it is known; queries of `draw_origins`."""
    for number, origin in draw_origins(facts.event, facts.draws).items():
        if origin.words:
            words = _("Random draw %(number)s: %(origin)s")
            yield Finding("draw", words % {"number": number, "origin": origin.words})


def _follows_from_seed(draw: Draw) -> bool:
    order = list(draw.order)
    if draw.kind == Draw.Kind.START:
        entrants = [(number, place) for number, place in draw.entrants]
        numbers = [number for number, _place in entrants]
        drawn = list(seeded_order(draw.seed, entrants))
    else:
        numbers = list(draw.entrants)
        drawn = list(drawn_order(draw.seed, numbers))
    return sorted(order) == sorted(numbers) if draw.by_hand else order == drawn


def check_decks(facts: EventFacts) -> Iterator[Finding]:
    """Yield decklists that changed, are judged differently today, or came late; three queries."""
    rules = rules_of_event(facts.event)
    yield from _former_lists(facts)
    found = DeckSubmission.objects.filter(current_of__event=facts.event)
    for submission in found.select_related("decklist", "entry"):
        decklist, name = submission.decklist, submission.entry.name
        if sha256(decklist.text.encode()).hexdigest() != decklist.fingerprint:
            words = _("The decklist of %(name)s is not the one of its fingerprint.")
            yield Finding("deck_fingerprint", words % {"name": name})
        elif not _same_today(decklist, rules):
            words = _("The decklist of %(name)s is judged or read differently today.")
            yield Finding("deck_legality", words % {"name": name})
        started = facts.event.started_at
        late = started is not None and submission.submitted_at > started
        if (late and not submission.reason) or (started and submission.locked_at is None):
            words = _("The decklist of %(name)s changed after the start without a reason.")
            yield Finding("deck_lock", words % {"name": name})


def _former_lists(facts: EventFacts) -> Iterator[Finding]:
    """Yield lists that do not count any more and are not those of their fingerprints."""
    former = DeckSubmission.objects.filter(entry__event=facts.event, current_of=None)
    columns = ("entry__name", "decklist__text", "decklist__fingerprint")
    for name, text, digest in former.values_list(*columns):
        if sha256(text.encode()).hexdigest() != digest:
            words = _("A former decklist of %(name)s is not the one of its fingerprint.")
            yield Finding("deck_fingerprint", words % {"name": name})


def _same_today(decklist: Decklist, rules: DeckRules) -> bool:
    try:
        checked = check_text(rules, text=decklist.raw)
    except BadInput:
        return False
    same = render(canonical(checked.deck), checked.format) == decklist.text
    if not read_as_today(decklist) and (
        not same or _some_are_about_text(v.code for v in checked.violations)
    ):
        return True  # what was read then in one way is another today, or asked about
    if decklist.raw == decklist.text and _some_are_about_text(
        row["code"] for row in decklist.violations
    ):
        return same  # of an erased player: what could not be read is gone with the text
    judged_alike = checked.legal == decklist.legal or may_have_changed(rules, decklist)
    return judged_alike and (same or may_be_read_differently(rules, decklist))


def _some_are_about_text(codes: Iterable[str]) -> bool:
    return not ABOUT_TEXT.isdisjoint(codes)


def check_log(facts: EventFacts) -> Iterator[Finding]:
    """Yield a log whose numbers are not 1 to the event's version; one query."""
    numbers = list(facts.event.log.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, facts.event.version + 1)):
        words = _("The log has %(lines)s lines; the event's version is %(version)s.")
        values = {"lines": len(numbers), "version": facts.event.version}
        yield Finding("log", words % values)


LONGEST = 80


def replay(ledger: Ledger, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Apply the lines of a log to a ledger; yield those that can't be read."""
    for line in lines:
        try:
            ledger.apply(line.number, line.facts, line.words)
        except (AttributeError, TypeError, ValueError):
            words = _("Line %(line)s of the log (%(action)s): its content can't be read.")
            yield Finding("ledger", words % {"line": line.number, "action": line.action})


def check_ledger(event: Event, ledger: Ledger) -> Iterator[Finding]:
    """Yield each difference between the tables and the replayed log; some thirteen queries.

    Accounts of lines that came with an archive are not compared: they were another site's.
    """
    if ledger.since is None:
        if event.version:
            yield Finding("ledger", _("The log does not say what the event holds."))
        return
    stored, restoration = event_payload(event), restoration_of(event)
    brought = restoration.version if restoration else 0
    for place in sorted({*ledger.contents, *stored.rows}, key=_sort_key):
        where, line = _where(place, ledger, stored), ledger.lines.get(place, 0)
        values = {"where": where, "line": line}
        if place not in stored.rows:
            words = _("%(where)s: not stored, though line %(line)s of the log tells of it.")
            yield Finding("ledger", words % values)
        elif place not in ledger.contents:
            words = _("%(where)s: stored, though no line of the log tells of it.")
            yield Finding("ledger", words % values)
        else:
            closed, then_closed = stored.words.get(place, {}), ledger.contents[place].words
            held, logged = stored.rows[place] | closed, ledger.contents[place].row | then_closed
            foreign = {"account"} if line <= brought else set()
            for column in incomparable_words(closed, then_closed) | foreign:
                held.pop(column, None)
                logged.pop(column, None)
            for column, now, then in _differences(held, logged):
                words = _(
                    "%(where)s: %(column)s is %(now)s; by line %(line)s of the log it is %(then)s."
                )
                shown = {
                    "column": column,
                    "now": _shortened_value(now),
                    "then": _shortened_value(then),
                }
                yield Finding("ledger", words % (values | shown))


def _differences(now: Any, then: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of each value that differs, and both values."""
    if isinstance(now, dict) and isinstance(then, dict):
        for key in sorted({*now, *then}):
            way = f"{path}.{key}" if path else key
            yield from _differences(now.get(key), then.get(key), way)
    elif isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        for at, (one, other) in enumerate(zip(now, then, strict=True), start=1):
            yield from _differences(one, other, f"{path}[{at}]")
    elif now != then:
        yield path, now, then


def _shortened_value(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _sort_key(place: str) -> tuple[Any, ...]:
    parts = place.split("/")
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)


def _where(place: str, ledger: Ledger, stored: Payload) -> str:
    """Return the description of a place for people, with table and players."""
    kind, *rest = place.split("/")
    held = ledger.contents.get(place)
    row: Mapping[str, Any] = stored.rows.get(place) or (held.columns if held else {})
    row = row or stored.words.get(place, {}).get("draft", {})

    def name(number: object) -> str:
        at = f"entry/{number}"
        logged = ledger.contents.get(at)
        words = stored.words.get(at) or (logged.words if logged else {})
        return str(words.get("name", number))

    if kind == "entry":
        return _("Player %(number)s (%(name)s)") % {"number": rest[0], "name": name(rest[0])}
    if kind == "round" and len(rest) > 1:
        values = {"round": rest[0], "match": rest[2], "table": row.get("table") or "–"}
        values["players"] = joined(map(name, row.get("seats", ())))
        return _("Round %(round)s, match %(match)s, table %(table)s (%(players)s)") % values
    if kind == "round":
        return _("Round %s") % rest[0]
    if kind == "stage":
        return _("Stage %s") % rest[0]
    if kind == "draw":
        return _("Random draw %s") % rest[0]
    if kind == "penalties":
        return _("Penalties")
    return _("Players kept apart") if kind == "apart" else _("The event")


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
