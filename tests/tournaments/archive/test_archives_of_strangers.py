"""Nobody gets a right by what an archive says, and what nobody could show is refused whole."""

import json
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

from accounts.models import User
from rules.errors import BadInput
from tests import factories as make
from tests.tournaments.archive.documents import content, old_form, taken_out
from tournaments.archive.reader import LARGEST, MOST_ROWS, restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event
from tournaments.models import (
    Event,
    LogLine,
    PersonalLink,
    Restoration,
    StaffRole,
)
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
    models = (apps.get_app_config(name).get_models() for name in ("tournaments", "decks"))
    return {one.__name__: one._default_manager.count() for each in models for one in each}


@pytest.mark.deep
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


@pytest.mark.deep
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
        "tournaments.public.views.event_timetable": OverflowError,
        "tournaments.public.views.stage_path": AttributeError,
    }
    before = stored()
    for name, fault in drawings.items():
        with monkeypatch.context() as patched:
            patched.setattr(name, raising(fault))
            answer = client.post("/api/v1/events/restore/", content(document), "application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "archive_invalid"), name
        assert answer.json()["path"] == "tables", name
        assert stored() == before
    made = client.post("/api/v1/events/restore/", content(document), "application/json")
    assert made.status_code == 201


def raising(fault: type[Exception]) -> Any:
    """Return a function that fails, whatever it is called with."""

    def fails(*_args: object, **_named: object) -> None:
        raise fault("planted")

    return fails


@pytest.mark.deep
def test_a_draft_is_drawn_too_and_stays_one(by: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    document = taken_out(make.event(by))
    again = restore_archive(content(document))
    assert (again.state, json.loads(event_archive(again))) == ("draft", document)
    Event.objects.all().delete()
    monkeypatch.setattr("tournaments.public.views.upcoming_event", raising(TypeError))
    with pytest.raises(BadInput) as refused:
        restore_archive(content(document))
    assert refused.value.code == "archive_invalid"
    assert not Event.objects.exists()


def test_an_event_that_is_in_no_list_is_restored_so(by: Actor) -> None:
    unlisted = change_event(event=make.event(by), changes={"listed": False}, by=by)
    assert restore_archive(content(taken_out(unlisted))).listed is False


@pytest.mark.deep
def test_a_database_that_is_busy_says_nothing_about_the_archive(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = taken_out(event)
    monkeypatch.setattr("tournaments.public.drawn.event_json", raising(OperationalError))
    with pytest.raises(OperationalError):
        restore_archive(content(document))
    assert not Event.objects.exists()


@pytest.mark.deep
def test_rows_that_do_not_fit_together_are_refused(event: Event) -> None:
    document = taken_out(event)
    tables = document["tables"]
    plan, seats = tables["events"][0]["plan"], tables["match_seats"]
    wrong = {
        "tables.entries": (tables["entries"][0], "number", 2),
        "tables.match_seats": (seats[0], "entry", seats[2]["entry"]),
        "tables.stages": (tables["events"][0], "plan", plan | {"stages": plan["stages"] * 2}),
    }
    for path, (row, column, value) in wrong.items():
        kept, row[column] = row[column], value
        with pytest.raises(BadInput) as refused:
            restore_archive(content(document))
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
    assert "“tables.events[0].time_zone”: Non è valido." in str(refused.value)
    assert not Event.objects.exists()


@pytest.mark.deep
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


@pytest.mark.deep
@pytest.mark.parametrize("piece", ["[]", '{"": 0}'])
def test_lists_and_rows_of_an_archive_are_counted_before_they_are_made(
    event: Event, tmp_path: Path, piece: str
) -> None:
    sent = content(taken_out(event))[:-1] + b', "more": [' + f"{piece},".encode() * 400_000 + b"0]}"
    with pytest.raises(BadInput) as refused:
        restore_archive(sent)
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
    with pytest.raises(BadInput, match="too large") as refused:
        restore_archive(long)
    assert refused.value.sentence.values["path"] == "tables"
    with pytest.raises(BadInput, match="This field is required"):
        restore_archive(long, of_any_length=True)
    assert not Event.objects.exists()


@pytest.mark.deep
def test_a_longer_archive_is_the_command_s_matter(event: Event, tmp_path: Path) -> None:
    sent = content(taken_out(event)) + b" " * LARGEST
    with pytest.raises(BadInput, match="too large"):
        restore_archive(sent)
    file = tmp_path / "event.json"
    file.write_bytes(sent)
    call_command("restore", str(file), stdout=StringIO())
    assert Event.objects.exists()


@pytest.mark.deep
@pytest.mark.parametrize("how", ["api", "command"])
def test_nobody_gets_a_role_a_place_or_a_line(
    event: Event, by: Actor, client: Client, tmp_path: Path, how: str
) -> None:
    assert by.user is not None
    admin = make.user("admin@example.org", is_staff=True, is_superuser=True)
    stranger = make.user("stranger@example.org")
    people = User.objects.count()
    document = old_form(taken_out(event), by.user.email, admin.email, "new@example.org")
    if how == "api":
        client.force_login(stranger)
        made = client.post("/api/v1/events/restore/", content(document), "application/json")
        assert made.status_code == 201, made.content
    else:
        path = tmp_path / "event.json"
        path.write_bytes(content(document))
        call_command("restore", str(path), owner="Stranger@example.org", stdout=StringIO())
    assert User.objects.count() == people
    again = Event.objects.get()
    assert [(role.user, role.role) for role in again.staff.all()] == [(stranger, "organiser")]
    assert again.created_by == stranger
    assert not again.entries.filter(user__isnull=False).exists()
    for model in apps.get_app_config("tournaments").get_models():
        for field in model._meta.concrete_fields:
            if field.related_model is User and model not in (Event, StaffRole, Restoration):
                held = model._default_manager.filter(**{f"{field.name}__isnull": False})
                assert not held.exists(), (model, field.name)
    line = LogLine.objects.filter(event=again).first()
    assert line is not None
    assert line.who == "Name of new"
    assert "@" not in event_archive(again).decode()


@pytest.mark.deep
@pytest.mark.usefixtures("in_english")
def test_who_restored_is_said_and_is_in_no_archive(event: Event, client: Client) -> None:
    first = event_archive(event)
    event.delete()
    user = make.user("who-restores@example.org", name="Wanda")
    again = restore_archive(first, caller=user)
    assert (again.restoration.by, again.restoration.version) == (user, again.version)
    assert event_archive(again) == first
    assert b"Wanda" not in first
    client.force_login(user)
    log = client.get(
        f"/events/{again.slug}/log/", headers={"accept-language": "en"}
    ).content.decode()
    assert "Wanda" in log
    assert f"Lines 1 to {again.version} come from an archive." in log


@pytest.mark.deep
def test_an_old_archive_goes_on_as_a_new_one(event: Event, by: Actor) -> None:
    assert by.user is not None
    old = old_form(taken_out(event), by.user.email, "other@example.org")
    again = restore_archive(content(old), caller=make.user())
    second = event_archive(again)
    again.delete()
    assert event_archive(restore_archive(second)) == second
    assert "Name of other" in second.decode()


def test_an_archive_names_no_accounts(event: Event) -> None:
    written = event_archive(event).decode()
    for user in User.objects.all():
        assert user.email not in written
    assert "staff" not in json.loads(written)["tables"]
    assert "people" not in json.loads(written)


@pytest.mark.parametrize("cell", [1, True, ["x"], {"x": 1}, "x" * 81])
def test_a_person_is_a_short_name_or_nobody(event: Event, cell: object) -> None:
    document = taken_out(event)
    document["tables"]["log"][0]["by"] = cell
    with pytest.raises(BadInput):
        restore_archive(content(document), caller=make.user())


@pytest.mark.deep
def test_a_link_that_is_in_use_here_leads_where_it_led(event: Event, by: Actor) -> None:
    link = PersonalLink.objects.get()
    copy = restore_archive(event_archive(event), slug="copia", caller=make.user())
    assert not PersonalLink.objects.filter(entry__event=copy).exists()
    assert PersonalLink.objects.get().entry == link.entry


@pytest.mark.deep
def test_without_an_owner_the_event_is_the_site_s(event: Event) -> None:
    first = event_archive(event)
    event.delete()
    again = restore_archive(first)
    assert again.created_by is None
    assert not again.staff.exists()
    admin = make.user(is_superuser=True, is_staff=True)
    assert Actor(user=admin).roles(again)


def test_an_owner_who_is_not_here_is_refused(event: Event, tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(event_archive(event))
    event.delete()
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path), owner="nobody@example.org", stdout=StringIO())
    assert refused.value.returncode == 2
    assert not Event.objects.exists()
