"""An act that is taken back by its rows: its steps keep their order whatever the body does."""

import ast
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from rules.people.person_names import Person
from tests import factories as make
from tournaments.events.services import CHANGED
from tournaments.judging.services import ANNOUNCEMENT_ENDED
from tournaments.log.services import lock_event, record
from tournaments.models import Announcement, Entry, Event, KeptRows
from tournaments.players.acts import ADDED
from tournaments.players.acts import CHANGED as RENAMED
from tournaments.players.services.entries import create_checked_in_entry
from tournaments.undo.services import undoable

pytestmark = pytest.mark.django_db
APP = Path(__file__).resolve().parents[3] / "tournaments"


@pytest.fixture
def event(by):
    return lock_event(make.event(by))


def test_the_line_comes_after_the_body_and_tells_what_it_left(event, by):
    with undoable(event, CHANGED, (Event,), by=by, before={"fee": ""}) as act:
        assert event.log.last().action != "event.changed"
        event.fee = "5"
        event.save()
        act.subject, act.after["fee"], act.reason = "Subject", event.fee, "Because"
    line = event.log.get(action="event.changed")
    told = (line.subject, line.before, line.after, line.reason)
    assert told == ("Subject", {"fee": ""}, {"fee": "5"}, "Because")
    assert line.number == event.version
    kept = KeptRows.objects.get(event=event, line=line.number)
    assert kept.rows == {
        "added": {},
        "removed": {},
        "changed": {"Event": {str(event.pk): {"fee": ["", "5"]}}},
    }


def test_what_follows_is_recorded_after_the_line_and_kept_with_it(event, by):
    def rename(name):
        entry.name = name
        entry.save()
        record(event, RENAMED, by=by)

    with undoable(event, ADDED, (Entry,), by=by) as act:
        entry = create_checked_in_entry(event, Person("Ada"))
        act.then(rename, "Bea")
        assert Entry.objects.get(pk=entry.pk).name == "Ada"
    added, renamed = event.log.order_by("-number")[:2][::-1]
    assert (added.action, renamed.action) == ("entry.added", RENAMED.key)
    kept = KeptRows.objects.get(event=event)
    assert kept.line == added.number
    assert kept.rows["added"]["Entry"][str(entry.pk)]["name"] == "Bea"


def test_where_the_body_fails_nothing_is_recorded(event, by):
    lines = event.log.count()

    def fail():
        with transaction.atomic(), undoable(event, CHANGED, by=by) as act:
            act.then(pytest.fail, "called though the act failed")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert event.log.count() == lines
    assert not KeptRows.objects.exists()


def test_only_the_tables_named_are_looked_at(event, by):
    said = {"event": event, "text": "Ecco", "until": event.created_at, "by": by.user}
    with (
        CaptureQueriesContext(connection) as sent,
        undoable(event, ANNOUNCEMENT_ENDED, (Announcement,), by=by),
    ):
        Announcement.objects.create(**said)
    read = [q["sql"].split(" FROM ")[1].split()[0] for q in sent if q["sql"][:6] == "SELECT"]
    assert read.count('"tournaments_announcement"') == 2
    assert '"tournaments_match"' not in read


@pytest.mark.deep
def test_nothing_else_keeps_rows_for_undo():
    """By hand an act could forget its line, or look at the rows too late."""
    by_hand = {
        (str(path.relative_to(APP)), node.attr if isinstance(node, ast.Attribute) else node.id)
        for path in APP.rglob("*.py")
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if _is_call(node, "read_rows") or _is_call(node, "KeptRows.objects.create")
        for node in [node.func]
    }
    assert by_hand == {("undo/services.py", "read_rows"), ("undo/services.py", "create")}


def _is_call(node, name):
    return isinstance(node, ast.Call) and ast.unparse(node.func) == name
