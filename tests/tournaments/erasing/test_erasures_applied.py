"""Backups and archives bring nobody back who was erased; the list that sees to it names nobody."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from tests import factories as make
from tests.scenes.base import GROUP
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import apply_erasures, erase_account, erase_player
from tournaments.models import ErasedAccount, ErasedPlayer, Event
from tournaments.players.services import departures, entries
from tournaments.verification.event import verify_event

NAME, ADDRESS = "Zefirino Canarelli", "zefirino@example.org"


def an_event(by: Actor) -> Event:
    """Return an event in which player 2 has withdrawn."""
    event = make.open_event(by, **GROUP)
    make.players_more(event, ("Ada", NAME), by)
    departures.withdraw(entry=event.entries.get(number=2), reason=f"{NAME} è malato", by=by)
    return event


def erase(event: Event, by: Actor) -> None:
    erase_player(event=event, number=2, confirm=NAME, by=by)


def says(event: Event) -> str:
    return archive(Event.objects.get(pk=event.pk)).decode()


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["", "copia"])
def test_an_older_archive_brings_nobody_back(by, slug) -> None:
    event = an_event(by)
    older = archive(event)
    erase(event, by)
    if not slug:
        Event.objects.all().delete()
    again = restore(older, slug=slug)
    assert NAME not in says(again)
    assert again.entries.get(number=2).name == "Giocatore 2"
    assert list(verify_event(Event.objects.get(pk=again.pk))) == []


@pytest.mark.django_db
def test_the_same_number_of_another_event_is_somebody_else(by) -> None:
    erase(an_event(by), by)
    other = an_event(by)
    again = restore(archive(other), slug="copia")
    assert again.entries.get(number=2).name == NAME


@pytest.mark.django_db(transaction=True)
def test_a_backup_brings_nobody_back(by, settings) -> None:
    """The database of before the erasure knows nothing of it: the file beside it does."""
    user = make.user(ADDRESS, name=NAME)
    event, other = an_event(by), make.open_event(by, **GROUP)
    entries.register(event=other, name="Zefirino", user=user, by=Actor(user=user))
    departures.withdraw(entry=other.entries.get(), by=by)
    rows = StringIO()
    call_command("dumpdata", "accounts", "tournaments", format="xml", stdout=rows)
    erase(event, by)
    erase_account(user=user, confirm=ADDRESS)
    listed = Path(settings.ERASURES_FILE).read_text()
    assert NAME not in listed
    assert ADDRESS not in listed
    assert len(listed.splitlines()) == 3
    call_command("flush", "--no-input", verbosity=0)
    backup = Path(settings.ERASURES_FILE).with_name("backup.xml")
    backup.write_text(rows.getvalue())
    call_command("loaddata", str(backup), verbosity=0)
    assert User.objects.filter(email=ADDRESS).exists()
    assert not ErasedPlayer.objects.exists()
    call_command("erase_person", "--again", stdout=StringIO())
    assert not User.objects.filter(email=ADDRESS).exists()
    for told in (event, other):
        assert "Zefirino" not in says(told)
    assert apply_erasures() == 0


@pytest.mark.django_db
def test_who_signs_up_again_afterwards_stays() -> None:
    user = make.user(ADDRESS)
    erase_account(user=user, confirm=ADDRESS)
    again = make.user(ADDRESS, name=NAME)
    assert apply_erasures() == 0
    assert User.objects.get(pk=again.pk).name == NAME


@pytest.mark.django_db
def test_a_number_given_to_another_meanwhile_is_another(by) -> None:
    event = an_event(by)
    erase(event, by)
    event.entries.filter(number=2).update(
        name="Bea", registered_at=timezone.now() + timedelta(seconds=1)
    )
    assert apply_erasures() == 0
    assert event.entries.get(number=2).name == "Bea"


@pytest.mark.django_db
def test_a_damaged_line_of_the_list_is_passed_over(by, settings) -> None:
    event = an_event(by)
    row = {"slug": event.slug, "made": event.created_at.isoformat(), "number": 2}
    good = json.dumps(row | {"at": timezone.now().isoformat()})
    Path(settings.ERASURES_FILE).write_text(f'{{"slug": 1\n[]\n{{"at": "x"}}\n{good}\n')
    assert apply_erasures() == 1
    assert NAME not in says(event)


@pytest.mark.django_db
def test_the_list_holds_no_names(by) -> None:
    erase(an_event(by), by)
    user = make.user(ADDRESS, name=NAME)
    erase_account(user=user, confirm=ADDRESS)
    rows = [*ErasedPlayer.objects.values(), *ErasedAccount.objects.values()]
    assert len(rows) == 2
    assert NAME not in str(rows)
    assert "zefirino" not in str(rows)


@pytest.mark.django_db(transaction=True)
def test_the_command_erases_a_player_and_an_account(by, monkeypatch) -> None:
    event, said = an_event(by), StringIO()
    monkeypatch.setattr("builtins.input", lambda _asked: "nobody")
    with pytest.raises(CommandError) as refused:
        call_command("erase_person", event.slug, "2", stdout=said)
    assert refused.value.returncode == 2
    assert NAME in says(event)
    monkeypatch.setattr("builtins.input", lambda _asked: NAME)
    call_command("erase_person", event.slug, "2", stdout=said)
    assert NAME not in says(event)
    make.user(ADDRESS)
    call_command("erase_person", "--account", ADDRESS, "--yes", stdout=said)
    assert not User.objects.filter(email=ADDRESS).exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "arguments",
    [(), ("nowhere", "2"), ("--account", "nobody@example.org"), ("nowhere", "2", "--again")],
)
def test_the_command_says_what_it_can_not_do(arguments) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("erase_person", *arguments, "--yes")
    assert refused.value.returncode == 2
