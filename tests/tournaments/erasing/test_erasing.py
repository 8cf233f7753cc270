"""A person erased: no name is left anywhere, and what was played stays as it was.

Safety notes, T55. ``tests/canary.py`` plants the names.
"""

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from rules.matches.match_rules import Claim
from tests import canary
from tests import factories as make
from tests.scenes.base import GROUP
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive, export_internal
from tournaments.clock import services as extensions
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_account, erase_player
from tournaments.judging import services as notes
from tournaments.lots import services as draws
from tournaments.models import Event, GivenAnswer, Match
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.snapshots.selectors import content_of
from tournaments.snapshots.services import restore_snapshot
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

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


@pytest.mark.django_db
def test_a_snapshot_and_an_archive_of_it_bring_no_name_back(by: Actor) -> None:
    event = canary.whole_event(by)
    erase_player(event=event, number=2, confirm=canary.NAME, by=by)
    event = Event.objects.get(pk=event.pk)
    snapshot = event.snapshots.latest("pk")
    brought = restore(export_internal(content_of(snapshot)), slug="copia")
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert canary.found_in_rows(*canary.WORDS) == []
    for told in (event, brought):
        assert list(verify_event(Event.objects.get(pk=told.pk))) == []


@pytest.mark.django_db
def test_one_after_the_other_is_erased_and_the_chain_holds(by: Actor) -> None:
    event = make.open_event(by, **GROUP)
    make.players_more(event, ("Ada Lupini", "Bea Gattoni", "Carlo Tassi", "Dora Ghiri"), by)
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    make.next_round(event, by)
    for match in Match.objects.select_related("round__event"):
        surnames = [entry.name.split()[1] for entry in match.players]
        words = " e ".join(surnames)
        notes.note_match(match=match, text=f"{words} discutono", by=by)
        extensions.extend(match=match, minutes=3, reason=f"{words} tardano", by=by)
        claim = Claim(score=(40, 5), note=f"{words} concordi")
        results.decide_result(match=match, version=match.version, claim=claim, by=by)
    for entry in event.entries.order_by("number"):
        departures.withdraw(entry=entry, reason=f"{entry.name} esce", by=by)
    for entry in event.entries.order_by("number"):
        erase_player(event=event, number=entry.number, confirm=entry.name, by=by)
        assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    names = ("lupini", "gattoni", "tassi", "ghiri", "carlo", "dora")
    assert canary.found_in_rows(*names) == []


@pytest.mark.django_db(transaction=True)
def test_an_archive_of_after_an_erasure_goes_out_and_in_with_its_chain(by: Actor) -> None:
    event = canary.whole_event(by)
    erase_player(event=event, number=2, confirm=canary.NAME, by=by)
    event = Event.objects.get(pk=event.pk)
    first, head = archive(event), event.head
    assert all(word.encode() not in first.lower() for word in canary.WORDS)
    event.delete()
    again = restore(first, caller=by.user)
    assert archive(again) == first
    again = Event.objects.get(pk=again.pk)
    assert again.head == head
    assert list(verify_event(again)) == []
    erased = {n for line in again.log.all() for n in line.facts.get("erased", [])}
    assert erased == set(again.log.filter(salt="").values_list("number", flat=True)) != set()
    taken = again.log.get(number=min(erased))
    taken.facts |= {"erased": [taken.number]}
    taken.save()
    assert "chain" in {finding.check for finding in verify_event(again)}
