"""Nobody gets a right by what an archive says, and no account is named in one."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from rules.errors import BadInput
from tests import factories as make
from tests.tournaments.archive.documents import content, old_form, taken_out
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.permissions import Actor
from tournaments.models import (
    Event,
    LogLine,
    PersonalLink,
    Restoration,
    StaffRole,
)

pytestmark = pytest.mark.django_db


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
