"""Whatever an archive says, nothing outside its event changes, and nobody gets a right by it."""

import json
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from decks.card_lists.services import load_lists
from decks.formats.selectors import format_rows
from decks.house_formats.services import make_house_format
from decks.models import CardListVersion, HouseFormat
from decks.rulebook import dated_formats, rules_of
from rules.errors import BadInput
from tests import factories as make
from tests.tournaments.formulas.test_saved_formulas import groups
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_tables import ARCHIVED
from tournaments.core.permissions import Actor
from tournaments.events.services.events import delete_event
from tournaments.formulas.selectors import formulas_of, formulas_offered
from tournaments.formulas.services import save_formula
from tournaments.lots import services as draws
from tournaments.models import (
    Event,
    LogLine,
    PersonalLink,
    Restoration,
    SavedFormula,
    StaffRole,
)
from tournaments.players.services import departures
from tournaments.players.services.links import make_link
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

FORMAT = "doomtrooper-original"


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event that is played: staff, an account among the players, a link, a penalty."""
    event = make.stage_played(by, 5, formula="single-group", format=FORMAT, decklists="required")
    make.staff(event, "judge")
    first = event.entries.get(number=1)
    first.user = make.user("player@example.org", name="Ada Rossi")
    first.save()
    make_link(entry=first, by=by)
    departures.withdraw(entry=event.entries.get(number=5), reason="Treno", by=by)
    return Event.objects.get(pk=event.pk)


def taken_out(event: Event) -> dict[str, Any]:
    """Return an event's archive as data, the event itself being gone."""
    document: dict[str, Any] = json.loads(archive(event))
    event.delete()
    return document


def old_form(document: dict[str, Any], *addresses: str) -> dict[str, Any]:
    """Return an archive as version 1 wrote it, in which every row names an account."""
    document = json.loads(json.dumps(document))
    (own,) = document["tables"]["events"]
    own["created_by"] = addresses[0]
    document["girone"] = 1
    document["people"] = [
        {"email": each, "name": f"Name of {each.partition('@')[0]}"} for each in addresses
    ]
    document["tables"]["staff"] = [
        {"event": 1, "given_at": own["created_at"], "role": "organiser", "user": each}
        for each in addresses
    ]
    for table in ARCHIVED:
        for row in document["tables"].get(table.key, []):
            for field in table.people:
                row.setdefault(field.name, addresses[0])
                row[field.name] = addresses[-1] if field.name == "by" else row[field.name]
    for row in document["tables"]["entries"]:
        row["user"] = addresses[0] if row["number"] == 1 else None
    return document


def content(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def brought(document: dict[str, Any], card: str = "Kohlgrube") -> dict[str, Any]:
    """Give an archive newer card lists of its own."""
    document["tables"]["card_lists"] = [
        {
            "format": FORMAT,
            "dated": "2031-01-01",
            "rows": [{"list": "banned", "card": card}],
            "fingerprint": "f" * 64,
            "loaded_at": "2026-11-01T10:00:00+00:00",
            "loaded_by": None,
        }
    ]
    document["tables"]["events"][0] |= {"card_lists": 1, "lists_dated": None}
    return document


def test_card_lists_of_an_archive_hold_for_its_event_alone(event: Event, client: Client) -> None:
    stranger = make.user()
    before = rules_of(FORMAT).lists_dated, rules_of(FORMAT, owner_id=stranger.pk).lists_dated
    dates = dated_formats()
    client.force_login(stranger)
    made = client.post(
        "/api/v1/events/restore/", content(brought(taken_out(event))), "application/json"
    )
    assert made.status_code == 201, made.content
    again = Event.objects.get()
    assert again.card_lists is not None
    assert again.card_lists.owner == stranger
    assert (
        rules_of(FORMAT).lists_dated,
        rules_of(FORMAT, owner_id=stranger.pk).lists_dated,
    ) == before
    assert dated_formats() == dates
    page = client.get(f"/formats/{FORMAT}/").content.decode()
    assert "2031" not in page
    same = load_lists(
        slug=FORMAT,
        rows=[{"list": "banned", "card": "Altra"}],
        dated=date(2031, 1, 1),
        for_site=False,
        by=stranger,
    )
    assert same.is_new


def test_what_is_brought_goes_with_its_event(by: Actor) -> None:
    document = brought(taken_out(make.event(by, format=FORMAT)))
    again = restore(content(document), caller=by.user)
    delete_event(event=again, by=by)
    assert not CardListVersion.objects.exists()


def test_a_house_format_of_somebody_else_is_neither_used_nor_locked(by: Actor) -> None:
    assert by.user is not None
    theirs = make_house_format(base="thoom", name="Corta", changes={}, by=by.user)
    document = taken_out(make.event(by, format=theirs.slug))
    stranger = make.organiser()
    again = restore(content(document), caller=stranger.user)
    assert again.format != theirs.slug
    mine = HouseFormat.objects.get(slug=again.format)
    assert (mine.owner, mine.archived_as) == (stranger.user, theirs.slug)
    make.players(again, 4, stranger)
    drawn = draws.draw_start_order(event=again, by=stranger)
    starting.start_event(event=again, draw_number=drawn.number, by=stranger)
    theirs.refresh_from_db()
    assert theirs.locked_at is None
    assert [row.slug for row in format_rows().house] == [theirs.slug]
    without = json.loads(content(document))
    without["tables"]["house_formats"] = []
    with pytest.raises(BadInput):
        restore(content(without), slug="other", caller=stranger.user)


def test_a_house_format_that_nobody_could_read_is_refused(by: Actor) -> None:
    assert by.user is not None
    house = make_house_format(base="thoom", name="Corta", changes={}, by=by.user)
    document = taken_out(make.event(by, format=house.slug))
    document["tables"]["house_formats"][0]["changes"] = {"zones": 7}
    with pytest.raises(BadInput):
        restore(content(document), caller=make.user())
    assert len(dated_formats()) > 0


def test_a_formula_of_somebody_else_stays_theirs(by: Actor) -> None:
    assert by.user is not None
    theirs = save_formula(owner=by.user, data=groups())
    document = taken_out(make.event(by, formula=theirs.slug))
    stranger = make.user()
    again = restore(content(document), caller=stranger)
    mine = SavedFormula.objects.get(slug=again.formula)
    assert (mine.owner, mine.archived_as) == (stranger, theirs.slug)
    assert formulas_of(stranger) == ()
    assert again.formula not in {each.key for each in formulas_offered(stranger.pk)}
    without = json.loads(content(document))
    without["tables"]["formulas"] = []
    with pytest.raises(BadInput):
        restore(content(without), slug="other", caller=stranger)


@pytest.mark.parametrize("own", ["format", "formula"])
def test_what_is_renamed_here_keeps_chain_and_archive(by: Actor, own: str) -> None:
    assert by.user is not None
    if own == "format":
        house = make_house_format(base="thoom", name="Corta", changes={}, by=by.user)
        event = make.started(by, 4, formula="single-group", format=house.slug)
    else:
        event = make.started(by, 6, formula=save_formula(owner=by.user, data=groups()).slug)
    make.play_round(make.next_round(event, by), by)
    slug, first = getattr(event, own), archive(event)
    event.delete()
    again = restore(first, caller=make.user())
    assert getattr(again, own) != slug
    assert list(verify_event(again)) == []
    assert archive(again) == first
    departures.withdraw(entry=again.entries.get(number=1), reason="", by=Actor(again.created_by))
    assert list(verify_event(Event.objects.get(pk=again.pk))) == []


@pytest.mark.parametrize("extra", ["card_lists", "house_formats", "formulas"])
def test_what_the_event_does_not_name_is_refused(by: Actor, extra: str) -> None:
    document = taken_out(make.event(by, format=FORMAT))
    named = {
        "card_lists": brought(json.loads(content(document)))["tables"]["card_lists"],
        "house_formats": [{"slug": "thoom--x", "base": "thoom", "name": "x", "changes": {}}],
        "formulas": [{"slug": "custom_x", "name": "x", "definition": {}}],
    }
    document["tables"][extra] = named[extra]
    with pytest.raises(BadInput):
        restore(content(document), caller=make.user())
    assert not CardListVersion.objects.exists()


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
    assert "@" not in archive(again).decode()


@pytest.mark.usefixtures("in_english")
def test_who_restored_is_said_and_is_in_no_archive(event: Event, client: Client) -> None:
    first = archive(event)
    event.delete()
    user = make.user("who-restores@example.org", name="Wanda")
    again = restore(first, caller=user)
    assert (again.restoration.by, again.restoration.version) == (user, again.version)
    assert archive(again) == first
    assert b"Wanda" not in first
    client.force_login(user)
    log = client.get(
        f"/events/{again.slug}/log/", headers={"accept-language": "en"}
    ).content.decode()
    assert "Wanda" in log
    assert f"line {again.version}" in log


def test_an_old_archive_goes_on_as_a_new_one(event: Event, by: Actor) -> None:
    assert by.user is not None
    old = old_form(taken_out(event), by.user.email, "other@example.org")
    again = restore(content(old), caller=make.user())
    second = archive(again)
    again.delete()
    assert archive(restore(second)) == second
    assert "Name of other" in second.decode()


def test_an_archive_names_no_accounts(event: Event) -> None:
    written = archive(event).decode()
    for user in User.objects.all():
        assert user.email not in written
    assert "staff" not in json.loads(written)["tables"]
    assert "people" not in json.loads(written)


@pytest.mark.parametrize("cell", [1, True, ["x"], {"x": 1}, "x" * 81])
def test_a_person_is_a_short_name_or_nobody(event: Event, cell: object) -> None:
    document = taken_out(event)
    document["tables"]["log"][0]["by"] = cell
    with pytest.raises(BadInput):
        restore(content(document), caller=make.user())


def test_a_link_that_is_in_use_here_leads_where_it_led(event: Event, by: Actor) -> None:
    link = PersonalLink.objects.get()
    copy = restore(archive(event), slug="copia", caller=make.user())
    assert not PersonalLink.objects.filter(entry__event=copy).exists()
    assert PersonalLink.objects.get().entry == link.entry


def test_without_an_owner_the_event_is_the_site_s(event: Event) -> None:
    first = archive(event)
    event.delete()
    again = restore(first)
    assert again.created_by is None
    assert not again.staff.exists()
    admin = make.user(is_superuser=True, is_staff=True)
    assert Actor(user=admin).roles(again)


def test_an_owner_who_is_not_here_is_refused(event: Event, tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(archive(event))
    event.delete()
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path), owner="nobody@example.org", stdout=StringIO())
    assert refused.value.returncode == 2
    assert not Event.objects.exists()
