"""Runs all checks of one event, and compares its log with digests that are held elsewhere.

Whoever computes every later digest again, or cuts the end off, leaves a chain that is right in
itself: only what is held elsewhere contradicts it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from django.db import DatabaseError
from django.utils.translation import gettext as _

from config.transaction import read_snapshot
from rules.errors import BadInput
from rules.events.ledger import Ledger
from tournaments.chain.lines import KEPT_DIGESTS, collect_digests, present_digests
from tournaments.core.event_state import load_facts
from tournaments.core.visibility import event_restoration, restoration_notice
from tournaments.models import Event, LogLine
from tournaments.verification.records import (
    Finding,
    chain_notes,
    changed_outside_finding,
    check_chain,
    check_decks,
    check_draws,
    check_ledger,
    check_log,
    draw_notes,
    load_log_lines,
    replay_lines,
)
from tournaments.verification.rounds import (
    check_matches,
    check_rounds,
    check_table_rounds,
    check_tiebreaker_rounds,
    manual_pairing_notes,
)
from tournaments.verification.stages import check_stages, check_standings, check_strikes


def check_undo_data(event: Event, lines: Sequence[LogLine]) -> Iterator[Finding]:
    """Yield a finding for each stored row difference or snapshot that changed.

    Its digest differs from the logged one. lines: the event's log.
    """
    logged = collect_digests(
        (line.number, line.words[KEPT_DIGESTS]) for line in lines if KEPT_DIGESTS in line.words
    )
    for what, digest in present_digests(event).items():
        if not (logged.is_earlier(what) or logged.has(what, digest)):
            kind, number, *_key = what.split("/")
            line = _("Line %(line)s") % {"line": number}
            where = line if kind == "rows" else " ".join((_("Snapshots"), number))
            yield changed_outside_finding("kept", where)


CHECKS = (
    check_rounds,
    check_table_rounds,
    check_matches,
    check_tiebreaker_rounds,
    check_strikes,
    check_standings,
    check_stages,
    check_draws,
    check_decks,
    check_log,
)
UNREADABLE = "unreadable"
"""Check name of findings about a check that malformed rows stopped."""


def verify_event(event: Event) -> list[Finding]:
    """Return a finding for each difference of stored and recomputed values.

    The event is read in one transaction, so concurrent writes do no harm. Malformed rows that stop
    a check are a finding. Some forty queries. Raises Event.DoesNotExist, DatabaseError.
    """
    with read_snapshot():
        return list(_findings(Event.objects.get(pk=event.pk)))


def event_notes(event: Event) -> list[Finding]:
    """Return notes on an event, as findings that aren't faults.

    They tell of restorations, manual pairings and random draws. Raises as :func:`verify_event`.
    """
    with read_snapshot():
        return list(_notes(Event.objects.get(pk=event.pk)))


def _findings(event: Event) -> Iterator[Finding]:
    lines = load_log_lines(event)
    yield from _run_check(_("Log"), lambda: check_chain(event, lines))
    ledger = Ledger()
    yield from _run_check(_("Log"), lambda: replay_lines(ledger, lines))
    yield from _run_check(_("Log"), lambda: check_ledger(event, ledger))
    yield from _run_check(_("Log"), lambda: check_undo_data(event, lines))
    try:
        facts = load_facts(event)
    except DatabaseError:
        raise
    except Exception as fault:  # noqa: BLE001 - rows may hold anything
        yield _unreadable(_("Event"), fault)
        return
    for check in CHECKS:
        yield from _run_check(check.__name__, partial(check, facts))


def _notes(event: Event) -> Iterator[Finding]:
    lines = load_log_lines(event)
    yield from _run_check(_("Log"), lambda: _restoration_notes(event))
    yield from _run_check(_("Log"), lambda: chain_notes(lines))
    yield from _run_check("notes", lambda: manual_pairing_notes(load_facts(event)))
    yield from _run_check("notes", lambda: draw_notes(load_facts(event)))


def _restoration_notes(event: Event) -> Iterator[Finding]:
    restoration = event_restoration(event)
    if restoration is not None:
        yield Finding("restored", restoration_notice(event, restoration))


def _run_check(name: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Yield the findings of a check; an exception ends it and is a finding."""
    try:
        yield from check()
    except DatabaseError:
        raise  # an unreachable database says nothing about the event
    except Exception as fault:  # noqa: BLE001 - rows may hold anything
        yield _unreadable(name, fault)


def _unreadable(name: str, fault: Exception) -> Finding:
    words = _("%(check)s: stopped by an error (%(fault)s).")
    shown = f"{type(fault).__name__}: {fault}"
    return Finding(UNREADABLE, words % {"check": name, "fault": shown[:200]})


def read_transcript_digests(file: Path) -> dict[int, str]:
    """Return {line number: digest} of the log in a transcript file.

    Raises OSError; BadInput ``bad_transcript``.
    """
    try:
        lines = json.loads(file.read_bytes())["log"]["lines"]
        found = {int(line["number"]): str(line["digest"]) for line in lines}
    except (KeyError, TypeError, ValueError, RecursionError):
        found = {}
    if not found:
        raise BadInput(
            "bad_transcript",
            "This is not an event transcript.",
        )
    return found


def compare_with_transcript(event: Event, held: Mapping[int, str]) -> Iterator[Finding]:
    """Yield a finding for the first log line that differs from a transcript's.

    ``held``: the transcript's digests by line number; later lines are not compared. One query.
    """
    found = dict(event.log.values_list("number", "digest"))
    for number in sorted(held):
        if found.get(number) != held[number]:
            words = _("Line %(line)s: %(found)s in the log, %(held)s in the transcript.")
            values = {"line": number, "found": found.get(number, "–")[:16]}
            yield Finding("against", words % (values | {"held": held[number][:16]}))
            return
