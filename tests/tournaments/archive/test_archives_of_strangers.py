"""An archive that nobody could show is refused, and nothing of it is stored."""

from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django.utils.translation import override

from rules.errors import BadInput
from tests import factories as make
from tests.tournaments.archive.documents import content, taken_out
from tournaments.archive.reader import LARGEST, MOST_ROWS, restore
from tournaments.core.permissions import Actor
from tournaments.events.services import events
from tournaments.events.services.events import change_event
from tournaments.models import Event
from tournaments.snapshots.services import restore_snapshot, take_snapshot

pytestmark = pytest.mark.django_db

FINISHED = {"state": "finished"}
BROKEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("time_zone", FINISHED | {"time_zone": "Nowhere/X"}),
    ("starts_at", {"starts_at": "9999-12-31T23:59:59+00:00"}),
    ("name", {"name": "Coppa\x00"}),
    ("options", {"options": []}),
    ("registration_opens", {"registration_opens": "9999-12-31T23:59:59+00:00"}),
    ("breaks", {"breaks": [1]}),
)
LISTS = ("/", "/feed/", "/events.ics", "/api/v1/events/")


def stored() -> dict[str, int]:
    """Return the number of rows of each table of events and lists."""
    models = [*apps.get_app_config("tournaments").get_models(), *_of_decks()]
    return {model.__name__: model._default_manager.count() for model in models}


def _of_decks() -> Any:
    return apps.get_app_config("decks").get_models()


@pytest.mark.parametrize(("column", "changes"), BROKEN, ids=[each for each, _ in BROKEN])
def test_an_event_that_cannot_be_shown_is_refused(
    event: Event, client: Client, column: str, changes: dict[str, Any]
) -> None:
    document = taken_out(event)
    document["tables"]["events"][0] |= changes
    client.force_login(make.user())
    client.raise_request_exception = False
    before = stored()
    answer = client.post("/api/v1/events/restore/", content(document), "application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "archive_invalid")
    assert answer.json()["path"].startswith(f"tables.events[0].{column}")
    assert stored() == before
    assert [client.get(address).status_code for address in LISTS] == [200] * len(LISTS)


def test_what_cannot_be_drawn_is_not_stored(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = taken_out(event)
    client.force_login(make.user())
    client.raise_request_exception = False
    drawings = {
        "tournaments.public.drawn.event_json": TypeError,
        "tournaments.public.drawn.listed_events": ZeroDivisionError,
        "tournaments.public.selectors.listed.state_badge": LookupError,
        "tournaments.public.views.timetable_of": OverflowError,
        "tournaments.public.views.stage_path": AttributeError,
    }
    before = stored()
    for name, fault in drawings.items():
        with monkeypatch.context() as patched:
            patched.setattr(name, raising(fault))
            answer = client.post("/api/v1/events/restore/", content(document), "application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "archive_invalid"), name
        assert fault.__name__ in answer.json()["detail"]
        assert stored() == before
    made = client.post("/api/v1/events/restore/", content(document), "application/json")
    assert made.status_code == 201


def raising(fault: type[Exception]) -> Any:
    """Return a function that fails, whatever it is called with."""

    def fails(*_args: object, **_named: object) -> None:
        raise fault("planted")

    return fails


def test_a_draft_is_drawn_too_and_stays_one(by: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    document = taken_out(make.event(by))
    assert restore(content(document)).state == "draft"
    Event.objects.all().delete()
    monkeypatch.setattr("tournaments.public.views.upcoming_event", raising(TypeError))
    with pytest.raises(BadInput) as refused:
        restore(content(document))
    assert refused.value.code == "archive_invalid"
    assert not Event.objects.exists()


def test_an_event_that_is_in_no_list_is_restored_so(by: Actor) -> None:
    unlisted = events.change_event(event=make.event(by), changes={"listed": False}, by=by)
    assert restore(content(taken_out(unlisted))).listed is False


def test_a_database_that_is_busy_says_nothing_about_the_archive(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = taken_out(event)
    monkeypatch.setattr("tournaments.public.drawn.event_json", raising(OperationalError))
    with pytest.raises(OperationalError):
        restore(content(document))
    assert not Event.objects.exists()


def test_rows_that_do_not_fit_together_are_refused(event: Event) -> None:
    document = taken_out(event)
    tables = document["tables"]
    plan = tables["events"][0]["plan"]
    wrong = {
        "tables.entries": (tables["entries"][0], "number", 2),
        "tables.match_seats": (
            tables["match_seats"][0],
            "entry",
            tables["match_seats"][2]["entry"],
        ),
        "tables.stages": (tables["events"][0], "plan", plan | {"stages": plan["stages"] * 2}),
    }
    for path, (row, column, value) in wrong.items():
        kept, row[column] = row[column], value
        with pytest.raises(BadInput) as refused:
            restore(content(document))
        row[column] = kept
        assert refused.value.code == "archive_invalid"
        assert refused.value.sentence.values["path"] == path
    assert not Event.objects.exists()


def test_the_command_says_where_it_is_wrong(event: Event, tmp_path: Path) -> None:
    document = taken_out(event)
    document["tables"]["events"][0]["time_zone"] = "Nowhere/X"
    path = tmp_path / "event.json"
    path.write_bytes(content(document))
    with override("it"), pytest.raises(CommandError) as refused:
        call_command("restore", str(path), stdout=StringIO())
    assert refused.value.returncode == 2
    assert "“tables.events[0].time_zone”: Deve essere un fuso orario" in str(refused.value)
    assert not Event.objects.exists()


def test_an_event_of_another_century_is_read_and_put_back(event: Event, by: Actor) -> None:
    """What was stored when any year was possible stays; its snapshots can be put back."""
    Event.objects.filter(pk=event.pk).update(starts_at=datetime(1999, 6, 1, tzinfo=UTC))
    event.refresh_from_db()
    kept = take_snapshot(event, "round.discarded", by=by)
    back = restore_snapshot(event=event, snapshot_id=kept.pk, confirm=event.name, by=by)
    assert back.starts_at.year == 1999
    assert Client().get(f"/events/{event.slug}/").status_code == 200
    changed = change_event(event=event, changes={"venue": "Sala"}, by=by)
    assert (changed.venue, changed.starts_at.year) == ("Sala", 1999)


@pytest.mark.parametrize("piece", ["[]", '{"": 0}'])
def test_lists_and_rows_of_an_archive_are_counted_before_they_are_made(
    event: Event, tmp_path: Path, piece: str
) -> None:
    sent = content(taken_out(event))[:-1] + b', "more": [' + f"{piece},".encode() * 400_000 + b"0]}"
    with pytest.raises(BadInput) as refused:
        restore(sent)
    assert (refused.value.code, refused.value.sentence.values["path"]) == ("archive_invalid", "$")
    assert not Event.objects.exists()
    file = tmp_path / "event.json"
    file.write_bytes(sent)
    call_command("restore", str(file), stdout=StringIO())
    assert Event.objects.exists()


@pytest.mark.parametrize("tables", [("announcements",), ("rulings", "staff_notes")])
def test_rows_of_all_tables_are_counted_before_one_is_looked_at(
    event: Event, tables: tuple[str, ...]
) -> None:
    document = taken_out(event)
    rows = dict.fromkeys(tables, [{}] * (MOST_ROWS // len(tables)))
    long = content(document | {"tables": document["tables"] | rows})
    with pytest.raises(BadInput, match="too long") as refused:
        restore(long)
    assert refused.value.sentence.values["path"] == "tables"
    with pytest.raises(BadInput, match="This is missing"):
        restore(long, of_any_length=True)
    assert not Event.objects.exists()


def test_a_longer_archive_is_the_command_s_matter(event: Event, tmp_path: Path) -> None:
    sent = content(taken_out(event)) + b" " * LARGEST
    with pytest.raises(BadInput, match="too long"):
        restore(sent)
    file = tmp_path / "event.json"
    file.write_bytes(sent)
    call_command("restore", str(file), stdout=StringIO())
    assert Event.objects.exists()
