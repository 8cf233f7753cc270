"""Log lines with payload and digests: sealing, rewriting, chains of older logs; what is kept
beside them.

What a payload holds is known from the marks that ``models/tables.py`` sets.
"""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Q

from rules.errors import RuleError
from rules.events.ledger import FIRST, canonical_json, line_digest, private_digest
from tournaments.chain import payload as reading
from tournaments.chain.payload import Payload, event_payload, json_value
from tournaments.core.acts import acts
from tournaments.models import Event, KeptRows, LogLine, Match, Round, Snapshot, Stage
from tournaments.models.tables import RowMarks, clear_row_marks, row_marks


def take_changed_rows(event: Event) -> Payload:
    """Return the state of rows changed since the last log line; clear their marks.

    ``event``: whose rows. A few queries for each kind of row that was written, whatever the size of
    the event.
    """
    marks, payload, key = row_marks(), Payload(), event.pk
    if key in marks.events:
        reading.add_event_settings(payload, key)
    if key in marks.penalties:
        reading.add_penalties(payload, key)
    if key in marks.apart:
        reading.add_avoided_pairs(payload, key)
    _add_entries(payload, key, marks)
    _add_stages(payload, key, marks)
    _add_rounds(payload, key, marks)
    numbers = _take_marks_of(marks.draws, key)
    if numbers:
        reading.add_draws(payload, Q(event=key, number__in=numbers))
        payload.absent(f"draw/{number}" for number in numbers)
    marks.events.discard(key)
    marks.apart.discard(key)
    marks.penalties.discard(key)
    return payload


def _take_marks_of(marks: set[tuple[int, int]], event_id: int) -> set[int]:
    own = {mark for mark in marks if mark[0] == event_id}
    marks -= own
    return {number for _event, number in own}


def _add_entries(payload: Payload, event_id: int, marks: RowMarks) -> None:
    numbers = _take_marks_of(marks.entries, event_id)
    if numbers:
        reading.add_entries(payload, Q(event=event_id, number__in=numbers))
        payload.absent(f"entry/{number}" for number in numbers)


def _add_stages(payload: Payload, event_id: int, marks: RowMarks) -> None:
    numbers = _take_marks_of(marks.stages, event_id)
    if marks.stage_keys:
        found = Stage.objects.filter(pk__in=marks.stage_keys).values_list(
            "pk", "event_id", "number"
        )
        others = {pk for pk, owner, _number in found if owner != event_id}
        numbers |= {number for _pk, owner, number in found if owner == event_id}
        marks.stage_keys &= others
    if numbers:
        reading.add_stages(payload, Q(event=event_id, number__in=numbers))
        payload.absent(f"stage/{number}" for number in numbers)


def _add_rounds(payload: Payload, event_id: int, marks: RowMarks) -> None:
    """Add marked rounds and matches.

    All matches of a marked round are added, since whether they are closed depends on its state.
    """
    anew, changed = (
        _take_marks_of(marks.rounds_anew, event_id),
        _take_marks_of(marks.rounds, event_id),
    )
    if anew or changed:
        reading.add_rounds(payload, Q(event=event_id, ordinal__in=anew | changed))
        payload.absent(f"round/{ordinal}" for ordinal in changed)
    payload.gone += sorted(f"round/{ordinal}" for ordinal in anew)
    payload.gone = sorted(set(payload.gone))
    wanted = Q(round__ordinal__in=anew | changed) if anew or changed else Q()
    if marks.gone:
        wanted |= _add_deleted_matches(payload, event_id, marks)
    if marks.matches:
        wanted |= Q(pk__in=marks.matches)
    if wanted:
        marks.matches -= reading.add_matches(payload, Q(round__event=event_id) & wanted)
        elsewhere = Match.objects.filter(pk__in=marks.matches).exclude(round__event=event_id)
        marks.matches &= set(elsewhere.values_list("pk", flat=True)) if marks.matches else set()
        payload.gone = [
            place for place in payload.gone if "/match/" not in place or place not in payload.rows
        ]


def _add_deleted_matches(payload: Payload, event_id: int, marks: RowMarks) -> Q:
    """Add deleted matches of existing rounds; return the condition for their replacements."""
    keys = {key for key, _number in marks.gone}
    found = Round.objects.filter(pk__in=keys).values_list("pk", "event_id", "ordinal")
    owners = {key: (owner, ordinal) for key, owner, ordinal in found}
    wanted = Q(pk__in=[])
    for key, number in sorted(marks.gone):
        owner, ordinal = owners.get(key, (None, 0))
        if owner == event_id:
            payload.gone.append(f"round/{ordinal}/match/{number}")
            wanted |= Q(round=key, number=number)
    marks.gone = {mark for mark in marks.gone if owners.get(mark[0], (event_id,))[0] != event_id}
    return wanted


CLOSED = ("subject", "before", "after", "reason", "words")
"""The columns of a line that enter the chain as one salted digest."""
KEPT_DIGESTS = "kept"
"""Place of the words of a line that tell the digests of what is kept (``chain.lines``)."""


def public_part(line: LogLine) -> dict[str, Any]:
    """Return the public part of a log line as a dict; the line's digest covers it."""
    return {
        "number": line.number,
        "at": json_value(line.at),
        "action": line.action,
        "player": line.player,
        "facts": line.facts,
        "closed": line.closed_digest,
    }


def private_part(line: LogLine) -> dict[str, Any]:
    """Return {column: value} of the private columns of a log line.

    Its digest covers their salted hash.
    """
    return {name: getattr(line, name) for name in CLOSED}


def acting_player_number(line: LogLine) -> Any:
    """Return the number of the player who acted in a log line, None for staff."""
    act = acts().get(line.action)
    if act is not None and act.author_is_closed and line.player is None:
        return line.after.get("player")  # older lines have it in ``player``
    return line.player


def seal_line(
    event: Event, line: LogLine, *, whole_event: bool = False, erased: Iterable[int] | None = None
) -> None:
    """Set payload, salt and digests of a new log line, chained to the last one.

    whole_event: the payload is the state of the whole event, not only of rows written since the
    last line. erased: numbers of lines whose private part was rewritten; all private values of the
    event are then stored again. The number of queries depends on the kinds of rows that were
    written.
    """
    marks = row_marks()
    if event.pk in marks.keeping:
        marks.keeping[event.pk]()
    whole_event = whole_event or not event.head  # the first line of a chain
    payload = event_payload(event) if whole_event else take_changed_rows(event)
    if whole_event:
        take_changed_rows(event)  # drops the marks
    line.facts = payload_as_facts(payload, whole_event=whole_event)
    line.words = payload.words
    if erased is not None:
        line.facts["erased"] = sorted(erased)
        line.words = event_payload(event).words
    line.words |= {KEPT_DIGESTS: marks.kept.pop(event.pk, {})}
    seal_private_part(line)
    chain_line(line, event.head or FIRST)


def payload_as_facts(payload: Payload, *, whole_event: bool) -> dict[str, Any]:
    """Return a payload in the form stored in ``LogLine.facts``, without empty parts.

    whole_event: the payload is the state of the whole event.
    """
    found = {"whole": whole_event, "gone": payload.gone, "rows": payload.rows}
    return {key: value for key, value in found.items() if value}


def seal_private_part(line: LogLine) -> None:
    """Set a new salt and the digest of a log line's private columns."""
    line.salt = secrets.token_bytes(16).hex()
    line.closed_digest = private_digest(line.salt, private_part(line))


def chain_line(line: LogLine, before: str) -> None:
    """Set the digest of a log line; ``before`` is the digest of the line before."""
    line.digest = line_digest(before, public_part(line))


def is_line_intact(line: LogLine) -> bool:
    """Return whether a log line is as it was written, except for listed erasures.

    Its digests are computed again; two queries.
    """
    others = LogLine.objects.filter(event=line.event_id)
    before = others.filter(number=line.number - 1).values_list("digest", flat=True).first()
    if line.salt:
        held = line.closed_digest == private_digest(line.salt, private_part(line))
    else:
        erased = others.filter(facts__has_key="erased").values_list("facts__erased", flat=True)
        held = any(line.number in numbers for numbers in erased)
    return held and line.digest == line_digest(before or FIRST, public_part(line))


def replace_private_columns(line: LogLine, closed: Mapping[str, Any]) -> None:
    """Replace private columns of a log line and delete its salt, to erase a person.

    closed: new values of some of ``subject``, ``before``, ``after``, ``reason``, ``words``. The
    digests stay; without the salt names can't be guessed from them. In the same transaction a new
    line must list ``line.number`` in its ``erased``. Raises ValueError for other columns.
    """
    unknown = set(closed) - set(CLOSED)
    if unknown:
        raise ValueError(f"no closed columns: {sorted(unknown)}")
    for name, value in closed.items():
        setattr(line, name, value)
    line.salt = ""
    line.save(update_fields=[*closed, "salt"])


def continue_log(event: Event) -> None:
    """Continue the log of a restored event; chain lines that have no digests."""
    clear_row_marks()
    if not event.head:
        chain_log(event)


def chain_log(event: Event) -> None:
    """Chain the log lines of an event that has no chain yet.

    The last line carries the present state of the whole event and is marked ``begun``: the chain
    vouches for later changes. An event without lines gets its chain with its first one.
    """
    clear_row_marks()
    lines = list(event.log.order_by("number"))
    before = FIRST
    for line in lines:
        line.player = line.by_entry.number if line.by_entry is not None else None
        line.facts, line.words = {}, {}
        if line is lines[-1]:
            payload = event_payload(event)
            line.facts = payload_as_facts(payload, whole_event=True) | {"begun": True}
            line.words = payload.words
        seal_private_part(line)
        chain_line(line, before)
        before = line.digest
    columns = ["player", "facts", "words", "salt", "closed_digest", "digest"]
    LogLine.objects.bulk_update(lines, columns, batch_size=200)
    if lines:
        Event.objects.filter(pk=event.pk).update(head=lines[-1].digest)
        event.head = lines[-1].digest


def chain_unchained_logs(using: str, **_signal: Any) -> None:
    """Chain the log of every event that has no chain yet; one transaction an event.

    Receiver of ``post_migrate``. It does nothing until all migrations have run, as it needs the
    columns of the present models.
    """
    executor = MigrationExecutor(connections[using])
    if using != DEFAULT_DB_ALIAS or executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    keys = Event.objects.filter(head="", version__gt=0).order_by("pk").values_list("pk", flat=True)
    for key in list(keys):
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=key)
            chain_log(event)


Digests = dict[str, str]
"""Digests by what they are of: "rows/12" of line 12, "snapshot/11/3" of version 11, with key 3."""


def rows_digest(kept: KeptRows) -> Digests:
    """Return {"rows/LINE": digest} of the row differences stored for one log line."""
    return {f"rows/{kept.line}": sha256(canonical_json(kept.rows)).hexdigest()}


def snapshot_digest(snapshot: Snapshot) -> Digests:
    """Return {"snapshot/VERSION/KEY": digest} of a snapshot."""
    digest = sha256(bytes(snapshot.document)).hexdigest()
    return {f"snapshot/{snapshot.version}/{snapshot.pk}": digest}


@dataclass(slots=True)
class LoggedDigests:
    """The latest logged digest of each stored row difference and snapshot.

    ``digests``: (log line number, digest) by key such as "rows/12"; number 0 stands for the next
    line. ``first`` is the number of the first line with digests, 0 if there is none.
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


def collect_digests(lines: Iterable[tuple[int, Mapping[str, Any]]]) -> LoggedDigests:
    """Return the latest digests in log lines.

    ``lines``: (number, {key: digest}) in order.
    """
    found = LoggedDigests()
    for number, words in lines:
        found.first = found.first or number
        found.digests |= {what: (number, digest) for what, digest in words.items()}
    return found


def logged_digests(event: Event) -> LoggedDigests:
    """Return the latest digests in an event's log and of its next line; one query."""
    lines = event.log.filter(words__has_key=KEPT_DIGESTS).order_by("number")
    found = collect_digests(lines.values_list("number", f"words__{KEPT_DIGESTS}"))
    found.digests |= {what: (0, each) for what, each in row_marks().kept.get(event.pk, {}).items()}
    return found


def log_digests(event: Event, digests: Digests) -> None:
    """Add digests of data stored in this transaction to the event's next log line."""
    row_marks().kept.setdefault(event.pk, {}).update(digests)


def matching_digests(event: Event) -> frozenset[str]:
    """Return the keys of stored row differences and snapshots that match the log.

    Call it before an erasure, which logs new digests of these alone. Three queries.
    """
    logged = logged_digests(event)
    return frozenset(
        what for what, digest in present_digests(event).items() if logged.has(what, digest)
    )


def log_present_digests(event: Event, only: frozenset[str]) -> None:
    """Log the present digests of some row differences and snapshots; two queries.

    only: their keys.
    """
    log_digests(
        event, {what: digest for what, digest in present_digests(event).items() if what in only}
    )


def present_digests(event: Event) -> Digests:
    """Return {key: digest} of an event's stored row differences and snapshots.

    Two queries.
    """
    found: Digests = {}
    for kept in event.kept_rows.all():
        found |= rows_digest(kept)
    for snapshot in event.snapshots.all():
        found |= snapshot_digest(snapshot)
    return found


def check_stored_digests(event: Event, digests: Digests) -> dict[str, bool]:
    """Check stored row differences or snapshots against the log before restoring.

    digests: present digests by key. Raises RuleError ``kept_rows_differ`` if one is not the latest
    logged one. Returns ``{"kept_before": True}`` if one was stored before the log had digests, else
    {}. At most six queries for one digest.
    """
    logged, words = logged_digests(event), {}
    for what, digest in digests.items():
        if logged.is_earlier(what):
            words["kept_before"] = True
        elif not logged.has(what, digest):
            raise _digests_differ_error(event)
        elif number := logged.digests[what][0]:
            check_line_unchanged(event, number)
    return words


def check_line_unchanged(event: Event, number: int) -> None:
    """Raise RuleError ``kept_rows_differ`` if a log line was changed; four queries."""
    if not is_line_intact(LogLine.objects.get(event=event, number=number)):
        raise _digests_differ_error(event)


def _digests_differ_error(event: Event) -> RuleError:
    return RuleError(
        "kept_rows_differ",
        "The stored data differs from the log. Ask the site’s operator to run “manage.py verify "
        "%(slug)s”.",
        slug=event.slug,
    )
