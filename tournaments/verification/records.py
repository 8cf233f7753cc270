"""Findings, and checks of draws and decklists, of the log's numbers and digests, and of the tables
against the log.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from decks.checking import check_decklist_text
from decks.decklists.selectors import is_parsed_by_current_version
from decks.models import Decklist
from decks.rulebook import DeckRules
from rules.deckbuilding.render import render_deck, sort_deck
from rules.deckbuilding.text import ABOUT_TEXT
from rules.errors import BadInput
from rules.events.ledger import FIRST, Ledger, incomparable_columns, line_digest, private_digest
from rules.people.person_names import join_names
from rules.ties.draws import drawn_order, seed_fingerprint, seeded_order
from tournaments.chain.lines import acting_player_number, private_part, public_part
from tournaments.chain.payload import Payload, event_payload
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import EventFacts
from tournaments.core.visibility import event_restoration
from tournaments.decklists.selectors.rules import (
    event_deck_rules,
    may_be_read_differently,
    may_legality_have_changed,
)
from tournaments.models import DeckSubmission, Draw, Event, LogLine


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem or note of a verification: name of the ``check``, and a sentence."""

    check: str
    words: str

    def __str__(self) -> str:
        return f"{self.check}: {self.words}"


def difference_finding(check: str, where: str, stored: object, computed: object) -> Finding:
    """Return a finding that a stored value differs from the computed one.

    check: name of the check. where: label of the place.
    """
    words = _("%(where)s: stored %(stored)s, computed %(computed)s.")
    return Finding(check, words % {"where": where, "stored": stored, "computed": computed})


def changed_outside_finding(check: str, where: str) -> Finding:
    """Return a finding that data were changed outside the program.

    check: name of the check. where: label of the place.
    """
    return Finding(check, _("%(where)s: changed outside the program.") % {"where": where})


def contradiction_finding(check: str, where: str) -> Finding:
    """Return a finding that stored data contradict each other.

    check: name of the check. where: label of the place.
    """
    words = _("%(where)s: doesn’t match the rest of the event.")
    return Finding(check, words % {"where": where})


def players_finding(check: str, where: str, players: Iterable[object]) -> Finding:
    """Return a finding that lists players; ``check`` tells what is wrong.

    where: label of the place. players: their numbers.
    """
    words = _("%(where)s, players: %(players)s.")
    return Finding(check, words % {"where": where, "players": ", ".join(map(str, players))})


def round_number_label(ordinal: object) -> str:
    """Return the label of a round, "Round 3"; ``ordinal`` counts through the event."""
    return _("Round %(number)s") % {"number": ordinal}


def match_number_label(ordinal: object, number: object) -> str:
    """Return the label of a match, "Round 3, match 2".

    ordinal: the round's in the event; number: the match's in the round.
    """
    words = _("%(round)s, match %(number)s")
    return words % {"round": round_number_label(ordinal), "number": number}


def full_match_label(ordinal: object, number: object, table: object, players: str) -> str:
    """Return the label of a match, "Round 2, match 3, Table 3 (Ada – Bruno)".

    ordinal: the round's in the event; number: the match's in the round; players: their names.
    """
    at_table = _("Table %(table)s") % {"table": table or "–"}
    return f"{match_number_label(ordinal, number)}, {at_table} ({players})"


def stage_number_label(number: object, group: object = "") -> str:
    """Return the label of a stage or of one of its groups: "Stage 2, Group A".

    number: the stage's in the event; group: name of the group, "" for the whole stage.
    """
    stage = " ".join((_("Stage"), str(number)))
    return ", ".join((stage, _("Group %(name)s") % {"name": group})) if group else stage


def _draw_at(number: object) -> str:
    return " ".join((_("Random draw"), str(number)))


def _decklist_of(name: str) -> str:
    return ", ".join((_("Decklist"), name))


def _line_at(line: LogLine) -> str:
    return " ".join((_("Line %(line)s") % {"line": line.number}, f"({line.action})"))


def check_draws(facts: EventFacts) -> Iterator[Finding]:
    """Yield a finding for each random draw that does not follow from its seed.

    Also for each fingerprint that is not the seed's. No query.
    """
    for draw in facts.draws:
        if not draw.by_hand and draw.fingerprint != seed_fingerprint(draw.seed):
            where, computed = _draw_at(draw.number), seed_fingerprint(draw.seed)
            yield difference_finding("fingerprint", where, draw.fingerprint, computed)
        if draw.state == Draw.State.DRAWN and not _follows_from_seed(draw):
            yield difference_finding(
                "draw", _draw_at(draw.number), draw.order, _order_of_seed(draw)
            )


def draw_notes(facts: EventFacts) -> Iterator[Finding]:
    """Yield a note on where each random draw came from, if known.

    The queries are those of `draw_origins`.
    """
    for number, origin in draw_origins(facts.event, facts.draws).items():
        if origin.words:
            yield Finding("draw", f"{_draw_at(number)}: {origin.words}")


def _follows_from_seed(draw: Draw) -> bool:
    order = list(draw.order)
    if not draw.by_hand:
        return order == _order_of_seed(draw)
    start = draw.kind == Draw.Kind.START
    numbers = [each[0] for each in draw.entrants] if start else list(draw.entrants)
    return sorted(order) == sorted(numbers)


def _order_of_seed(draw: Draw) -> list[int]:
    if draw.kind == Draw.Kind.START:
        return list(seeded_order(draw.seed, [(number, place) for number, place in draw.entrants]))
    return list(drawn_order(draw.seed, list(draw.entrants)))


def check_decks(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on submitted decklists; three queries.

    A decklist was changed, its check gives another result today, or it was submitted after the
    start without a reason.
    """
    rules = event_deck_rules(facts.event)
    yield from _former_lists(facts)
    found = DeckSubmission.objects.filter(current_of__event=facts.event)
    for submission in found.select_related("decklist", "entry"):
        decklist, name = submission.decklist, submission.entry.name
        if sha256(decklist.text.encode()).hexdigest() != decklist.fingerprint:
            yield changed_outside_finding("deck_fingerprint", _decklist_of(name))
        elif not _same_today(decklist, rules):
            words = _("%(where)s: today’s check gives a different result.")
            yield Finding("deck_legality", words % {"where": _decklist_of(name)})
        started = facts.event.started_at
        late = started is not None and submission.submitted_at > started
        if (late and not submission.reason) or (started and submission.locked_at is None):
            words = _("%(where)s: changed after the start without a reason.")
            yield Finding("deck_lock", words % {"where": _decklist_of(name)})


def _former_lists(facts: EventFacts) -> Iterator[Finding]:
    """Yield lists that do not count any more and are not those of their fingerprints."""
    former = DeckSubmission.objects.filter(entry__event=facts.event, current_of=None)
    columns = ("entry__name", "decklist__text", "decklist__fingerprint")
    for name, text, digest in former.values_list(*columns):
        if sha256(text.encode()).hexdigest() != digest:
            yield changed_outside_finding("deck_fingerprint", _decklist_of(name))


def _same_today(decklist: Decklist, rules: DeckRules) -> bool:
    try:
        checked = check_decklist_text(rules, text=decklist.raw)
    except BadInput:
        return False
    same = render_deck(sort_deck(checked.deck), checked.format) == decklist.text
    if not is_parsed_by_current_version(decklist) and (
        not same or _some_are_about_text(v.code for v in checked.violations)
    ):
        return True  # what was read then in one way is another today, or asked about
    if decklist.raw == decklist.text and _some_are_about_text(
        row["code"] for row in decklist.violations
    ):
        return same  # of an erased player: what could not be read is gone with the text
    judged_alike = checked.legal == decklist.legal or may_legality_have_changed(rules, decklist)
    return judged_alike and (same or may_be_read_differently(rules, decklist))


def _some_are_about_text(codes: Iterable[str]) -> bool:
    return not ABOUT_TEXT.isdisjoint(codes)


def check_log(facts: EventFacts) -> Iterator[Finding]:
    """Yield a finding unless log lines are numbered from 1 to the event's version.

    One query.
    """
    numbers = list(facts.event.log.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, facts.event.version + 1)):
        yield difference_finding("log", _("Log"), len(numbers), facts.event.version)


LONGEST = 80


def replay_lines(ledger: Ledger, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Apply log lines to a ledger; yield a finding for each line that can't be read.

    The ledger then holds the state of the event that the log describes.
    """
    for line in lines:
        try:
            ledger.apply(line.number, line.facts, line.words)
        except (AttributeError, TypeError, ValueError):
            yield _unreadable_line("ledger", line)


def _unreadable_line(check: str, line: LogLine) -> Finding:
    return Finding(check, _("%(where)s: can’t be read.") % {"where": _line_at(line)})


def check_ledger(event: Event, ledger: Ledger) -> Iterator[Finding]:
    """Yield a finding for each difference of stored rows and the replayed log.

    ledger: after `replay_lines`. Accounts in lines restored from an archive are not compared, as
    they are another site's. Some thirteen queries.
    """
    if ledger.since is None:
        if event.version:
            yield Finding("ledger", _("%(where)s: not in the log.") % {"where": _("Event")})
        return
    stored, restoration = event_payload(event), event_restoration(event)
    brought = restoration.version if restoration else 0
    for place in sorted({*ledger.contents, *stored.rows}, key=_sort_key):
        where, line = _where(place, ledger, stored), ledger.lines.get(place, 0)
        values = {"where": where, "line": line}
        if place not in stored.rows:
            words = _("%(where)s: found only in log line %(line)s.")
            yield Finding("ledger", words % values)
        elif place not in ledger.contents:
            words = _("%(where)s: not in the log.")
            yield Finding("ledger", words % values)
        else:
            closed, then_closed = stored.words.get(place, {}), ledger.contents[place].words
            held, logged = stored.rows[place] | closed, ledger.contents[place].row | then_closed
            foreign = {"account"} if line <= brought else set()
            for column in incomparable_columns(closed, then_closed) | foreign:
                held.pop(column, None)
                logged.pop(column, None)
            for column, now, then in _differences(held, logged):
                words = _("%(where)s: %(column)s is %(now)s, but %(then)s in log line %(line)s.")
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
        return " ".join((_("Player"), rest[0], f"({name(rest[0])})"))
    if kind == "round" and len(rest) > 1:
        players = join_names(map(name, row.get("seats", ())))
        return full_match_label(rest[0], rest[2], row.get("table"), players)
    if kind == "round":
        return round_number_label(rest[0])
    if kind == "stage":
        return stage_number_label(rest[0])
    if kind == "draw":
        return _draw_at(rest[0])
    if kind == "penalties":
        return _("Penalties")
    return _("Players kept apart") if kind == "apart" else _("Event")


def load_log_lines(event: Event) -> list[LogLine]:
    """Return an event's log lines by number; one query."""
    return list(event.log.select_related("by_entry").order_by("number", "pk"))


def check_chain(event: Event, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield findings on a changed log: changed lines, and the first gap.

    Also if the last digest differs from ``event.head``. lines: the event's log. No query.
    """
    every = [line.facts for line in lines if isinstance(line.facts, dict)]
    erased = {n for facts in every for n in _erased_numbers(facts.get("erased", []))}
    before = FIRST
    for expected, line in enumerate(lines, start=1):
        if line.number != expected:
            yield difference_finding("chain", _("Log"), line.number, expected)
            break
    for line in lines:
        yield from _findings_in_line(line, before, erased)
        before = line.digest
    if event.version and event.head != before:
        yield difference_finding("head", _("Fingerprint of the log"), event.head[:16], before[:16])


def chain_notes(lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield a note on the line from which the log is chained, if not the first."""
    for line in lines:
        if isinstance(line.facts, dict) and line.facts.get("begun"):
            words = _(
                "From line %(line)s on, each line of the log contains "
                "the digest of the line before."
            )
            yield Finding("chain", words % {"line": line.number})


def _erased_numbers(value: object) -> list[int]:
    return [each for each in value if type(each) is int] if isinstance(value, list) else []


def _findings_in_line(line: LogLine, before: str, erased: set[int]) -> Iterator[Finding]:
    if line.digest != line_digest(before, public_part(line)):
        yield changed_outside_finding("chain", _line_at(line))
    if not line.salt:
        if line.number not in erased:
            yield _unreadable_line("chain_words", line)
    elif line.closed_digest != private_digest(line.salt, private_part(line)):
        yield changed_outside_finding("chain_words", _line_at(line))
    player = acting_player_number(line)
    if line.by_entry is not None and line.by_entry.number != player:
        yield difference_finding("chain", _line_at(line), line.by_entry.number, player)
