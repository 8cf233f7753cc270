"""Runs all checks of one event."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from django.db import DatabaseError
from django.utils.translation import gettext as _

from config.transaction import one_moment
from rules.events.ledger import Ledger
from tournaments.core.event_state import load_facts
from tournaments.core.restorations import restoration_of, restored_words
from tournaments.models import Event
from tournaments.verification.chain import chain_notes, check_chain, lines_of
from tournaments.verification.finding import Finding
from tournaments.verification.kept import check_kept
from tournaments.verification.ledger import check_ledger, replay
from tournaments.verification.records import check_decks, check_draws, check_log, draw_notes
from tournaments.verification.rounds import (
    check_extra,
    check_matches,
    check_rounds,
    notes_on_rounds,
)
from tournaments.verification.stages import check_stages, check_strikes
from tournaments.verification.standings import check_standings
from tournaments.verification.table_rounds import check_table_rounds

CHECKS = (
    check_rounds,
    check_table_rounds,
    check_matches,
    check_extra,
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
    """Return every difference between stored and recomputed values; some forty queries.

    The event is read again, all of it in one transaction, so writes meanwhile do no harm.
    Malformed rows that stop a check are a finding of their own.

    Raises Event.DoesNotExist if the event was deleted meanwhile; DatabaseError.
    """
    with one_moment():
        return list(_findings(Event.objects.get(pk=event.pk)))


def notes_on(event: Event) -> list[Finding]:
    """Return remarks that are no faults; the queries of :func:`load_facts` and two more.

    Reads and raises as :func:`verify_event` does.
    """
    with one_moment():
        return list(_notes(Event.objects.get(pk=event.pk)))


def _findings(event: Event) -> Iterator[Finding]:
    lines = lines_of(event)
    yield from _run_check(_("log"), lambda: check_chain(event, lines))
    ledger = Ledger()
    yield from _run_check(_("log"), lambda: replay(ledger, lines))
    yield from _run_check(_("log"), lambda: check_ledger(event, ledger))
    yield from _run_check(_("log"), lambda: check_kept(event, lines))
    try:
        facts = load_facts(event)
    except DatabaseError:
        raise
    except Exception as fault:  # noqa: BLE001 - rows may hold anything
        yield _unreadable(_("facts"), fault)
        return
    for check in CHECKS:
        yield from _run_check(check.__name__, partial(check, facts))


def _notes(event: Event) -> Iterator[Finding]:
    lines = lines_of(event)
    yield from _run_check(_("log"), lambda: _restoration_notes(event))
    yield from _run_check(_("log"), lambda: chain_notes(lines))
    yield from _run_check("notes", lambda: notes_on_rounds(load_facts(event)))
    yield from _run_check("notes", lambda: draw_notes(load_facts(event)))


def _restoration_notes(event: Event) -> Iterator[Finding]:
    """Yield a note if the event was restored: when."""
    restoration = restoration_of(event)
    if restoration is not None:
        yield Finding("restored", restored_words(event, restoration))


def _run_check(name: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Yield the findings of a check; an exception ends it and is a finding."""
    try:
        yield from check()
    except DatabaseError:
        raise  # an unreachable database says nothing about the event
    except Exception as fault:  # noqa: BLE001 - rows may hold anything
        yield _unreadable(name, fault)


def _unreadable(name: str, fault: Exception) -> Finding:
    words = _("%(check)s: stopped by what is stored, %(fault)s. Other findings say where.")
    shown = f"{type(fault).__name__}: {fault}"
    return Finding(UNREADABLE, words % {"check": name, "fault": shown[:200]})
