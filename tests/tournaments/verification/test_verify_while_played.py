"""An event that is written to while it is verified: that alone is no finding."""

from collections.abc import Callable
from io import StringIO
from threading import Thread
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.management.commands import verify
from tournaments.models import Event
from tournaments.verification import event as verification
from tournaments.verification.event import event_notes, verify_event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event that is open for registration, with three players."""
    event = make.open_event(by)
    make.players(event, 3, by)
    return Event.objects.get(pk=event.pk)


def register_another(event: Event, by: Actor) -> None:
    """Register a player in a connection of its own, as another request would."""

    def write() -> None:
        make.players_more(Event.objects.get(pk=event.pk), ["Zoe"], by)
        connection.close()

    other = Thread(target=write)
    other.start()
    other.join(timeout=60)
    assert not other.is_alive(), "verifying keeps nobody waiting"


@pytest.mark.parametrize("step", ["load_log_lines", "check_chain", "check_ledger", "load_facts"])
def test_a_line_written_during_verification_is_no_finding(
    event: Event, by: Actor, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    original: Callable[..., Any] = getattr(verification, step)

    def interrupted(*args: Any) -> Any:
        monkeypatch.setattr(verification, step, original)
        register_another(event, by)
        return original(*args)

    monkeypatch.setattr(verification, step, interrupted)
    assert [str(finding) for finding in verify_event(event)] == []
    assert event.entries.count() == 4
    assert [str(finding) for finding in verify_event(event)] == []


def test_an_event_loaded_before_a_line_was_written_is_read_again(event: Event, by: Actor) -> None:
    register_another(event, by)
    assert [str(finding) for finding in verify_event(event)] == []
    assert [str(note) for note in event_notes(event)] == []


def test_an_event_deleted_during_verification_is_left_out(
    event: Event, by: Actor, in_english: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make.open_event(by, name="Another event")

    def deleted(given: Event) -> Any:
        Event.objects.filter(pk=other.pk).delete()
        return event_notes(given)

    monkeypatch.setattr(verify, "event_notes", deleted)
    out = StringIO()
    call_command("verify", "--all", stdout=out)
    assert "Events verified: 1." in out.getvalue()
