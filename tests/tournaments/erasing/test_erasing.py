"""A person is erased: no trace in any table, and none comes back by an archive or a backup."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from rules.matches.match_rules import Claim
from tests import canary
from tests import factories as make
from tests.scenes.base import GROUP
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import archive_from_internal, event_archive
from tournaments.clock import services as extensions
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import apply_erasures, erase_account, erase_player
from tournaments.judging import services as notes
from tournaments.lots import services as draws
from tournaments.models import ErasedAccount, ErasedPlayer, Event, GivenAnswer, Match
from tournaments.players.services import departures, entries
from tournaments.results.services import results
from tournaments.snapshots.selectors import snapshot_document
from tournaments.snapshots.services import restore_snapshot
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
LABEL = "Giocatore 2"


def shown(event: Event) -> list[str]:
    """Return standings, ranking and matches as programs read them."""
    pages = ("players", "standings", "ranking", "matches", "tie-breaks")
    urls = [reverse(f"tournaments_api:{name}", args=[event.slug]) for name in pages]
    return [Client().get(url).content.decode() for url in urls]


def renamed(answers: list[str]) -> list[str]:
    """Return what was shown before, with the name that is to stand there now."""
    said = {canary.NAME: LABEL, canary.CLUB: "", f'"{canary.SURNAME}"': f'"{LABEL}"'}
    for was, now in said.items():
        answers = [text.replace(was, now) for text in answers]
    return answers


def answered(by: Actor, name: str) -> None:
    body = {"name": name, "players": [{"name": name}]}
    GivenAnswer.objects.create(user=by.user, key="k", request_hash="h", status=201, body=body)


@pytest.mark.django_db(transaction=True)
def test_a_player_without_account_leaves_no_trace(by: Actor) -> None:
    event = canary.whole_event(by)
    answered(by, canary.NAME)
    before, sound = shown(event), list(verify_event(event))
    everywhere = canary.found_in_rows(*canary.WORDS)
    assert len({at.split(" ")[0] for at in everywhere}) >= 20
    erase_player(event=event, number=2, confirm=canary.NAME, by=by)
    assert canary.found_in_rows(*canary.WORDS) == []
    if connection.vendor == "sqlite":
        content = canary.bytes_of_file().lower()
        assert [word for word in canary.WORDS if word.encode() in content] == []
    assert shown(event) == renamed(before) != before
    assert list(verify_event(Event.objects.get(pk=event.pk))) == sound == []


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_an_account_leaves_no_trace_in_any_event(by: Actor) -> None:
    user = canary.person()
    event = canary.whole_event(by, user)
    worked_for = make.started(by, 4)
    canary.helped(worked_for, user, by)
    answered(by, canary.ACCOUNT)
    before = shown(event)
    erase_account(user=user, confirm=canary.ADDRESS.upper())
    assert canary.found_in_rows(*canary.WORDS) == []
    if connection.vendor == "sqlite":
        content = canary.bytes_of_file().lower()
        assert [word for word in canary.WORDS if word.encode() in content] == []
    assert shown(event) == renamed(before)
    for told in (event, worked_for):
        assert list(verify_event(Event.objects.get(pk=told.pk))) == []
    closed = User.objects.get(pk=user.pk)
    assert (closed.is_active, closed.has_usable_password()) == (False, False)


@pytest.mark.deep
def test_a_snapshot_and_an_archive_of_it_bring_no_name_back(by: Actor) -> None:
    event = canary.whole_event(by)
    erase_player(event=event, number=2, confirm=canary.NAME, by=by)
    event = Event.objects.get(pk=event.pk)
    snapshot = event.snapshots.latest("pk")
    brought = restore_archive(archive_from_internal(snapshot_document(snapshot)), slug="copia")
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert canary.found_in_rows(*canary.WORDS) == []
    for told in (event, brought):
        assert list(verify_event(Event.objects.get(pk=told.pk))) == []


@pytest.mark.deep
def test_one_after_the_other_is_erased_and_the_chain_holds(by: Actor) -> None:
    event = make.open_event(by, **GROUP)
    make.players_more(event, ("Ada Lupini", "Bea Gattoni", "Carlo Tassi", "Dora Ghiri"), by)
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    make.next_round(event, by)
    for match in Match.objects.select_related("round__event"):
        surnames = [entry.name.split()[1] for entry in match.players]
        words = " e ".join(surnames)
        notes.add_staff_note(match=match, text=f"{words} discutono", by=by)
        extensions.extend_time(match=match, minutes=3, reason=f"{words} tardano", by=by)
        claim = Claim(score=(40, 5), note=f"{words} concordi")
        results.decide_result(match=match, version=match.version, claim=claim, by=by)
    for entry in event.entries.order_by("number"):
        departures.withdraw(entry=entry, reason=f"{entry.name} esce", by=by)
    for entry in event.entries.order_by("number"):
        erase_player(event=event, number=entry.number, confirm=entry.name, by=by)
        assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    names = ("lupini", "gattoni", "tassi", "ghiri", "carlo", "dora")
    assert canary.found_in_rows(*names) == []


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_an_archive_of_after_an_erasure_goes_out_and_in_with_its_chain(by: Actor) -> None:
    event = canary.whole_event(by)
    erase_player(event=event, number=2, confirm=canary.NAME, by=by)
    event = Event.objects.get(pk=event.pk)
    first, head = event_archive(event), event.head
    assert all(word.encode() not in first.lower() for word in canary.WORDS)
    event.delete()
    again = restore_archive(first, caller=by.user)
    assert event_archive(again) == first
    again = Event.objects.get(pk=again.pk)
    assert again.head == head
    assert list(verify_event(again)) == []
    erased = {n for line in again.log.all() for n in line.facts.get("erased", [])}
    assert erased == set(again.log.filter(salt="").values_list("number", flat=True)) != set()
    taken = again.log.get(number=min(erased))
    taken.facts |= {"erased": [taken.number]}
    taken.save()
    assert "chain" in {finding.check for finding in verify_event(again)}


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
    return event_archive(Event.objects.get(pk=event.pk)).decode()


@pytest.mark.deep
@pytest.mark.parametrize("slug", ["", "copia"])
def test_an_older_archive_brings_nobody_back(by, slug) -> None:
    event = an_event(by)
    older = event_archive(event)
    erase(event, by)
    if not slug:
        Event.objects.all().delete()
    again = restore_archive(older, slug=slug)
    assert NAME not in says(again)
    assert again.entries.get(number=2).name == "Giocatore 2"
    assert list(verify_event(Event.objects.get(pk=again.pk))) == []


@pytest.mark.deep
def test_the_same_number_of_another_event_is_somebody_else(by) -> None:
    erase(an_event(by), by)
    other = an_event(by)
    again = restore_archive(event_archive(other), slug="copia")
    assert again.entries.get(number=2).name == NAME


@pytest.mark.deep
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


def test_who_signs_up_again_afterwards_stays() -> None:
    user = make.user(ADDRESS)
    erase_account(user=user, confirm=ADDRESS)
    again = make.user(ADDRESS, name=NAME)
    assert apply_erasures() == 0
    assert User.objects.get(pk=again.pk).name == NAME


def test_a_number_given_to_another_meanwhile_is_another(by) -> None:
    event = an_event(by)
    erase(event, by)
    event.entries.filter(number=2).update(
        name="Bea", registered_at=timezone.now() + timedelta(seconds=1)
    )
    assert apply_erasures() == 0
    assert event.entries.get(number=2).name == "Bea"


def test_a_damaged_line_of_the_list_is_passed_over(by, settings) -> None:
    event = an_event(by)
    row = {"slug": event.slug, "made": event.created_at.isoformat(), "number": 2}
    good = json.dumps(row | {"at": timezone.now().isoformat()})
    Path(settings.ERASURES_FILE).write_text(f'{{"slug": 1\n[]\n{{"at": "x"}}\n{good}\n')
    assert apply_erasures() == 1
    assert NAME not in says(event)


def test_the_list_holds_no_names(by) -> None:
    erase(an_event(by), by)
    user = make.user(ADDRESS, name=NAME)
    erase_account(user=user, confirm=ADDRESS)
    rows = [*ErasedPlayer.objects.values(), *ErasedAccount.objects.values()]
    assert len(rows) == 2
    assert NAME not in str(rows)
    assert "zefirino" not in str(rows)


@pytest.mark.deep
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


@pytest.mark.parametrize(
    "arguments",
    [(), ("nowhere", "2"), ("--account", "nobody@example.org"), ("nowhere", "2", "--again")],
)
def test_the_command_says_what_it_can_not_do(arguments) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("erase_person", *arguments, "--yes")
    assert refused.value.returncode == 2
