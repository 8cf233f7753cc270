"""Who meets whom in the rounds to come of a group: on pages, on paper and in the API."""

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.replays import group_rounds, upcoming_group_rounds, upcoming_opponents
from tournaments.models import Event, Match
from tournaments.paper.contents import rounds
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by) -> Event:
    """Return a group of four in its first round."""
    return make.playing(by, 4, formula="single-group")


def test_what_is_said_before_is_what_is_paired(event, by, in_english) -> None:
    facts = load_facts(event, for_staff=False)
    (stage,) = facts.stages
    said = [
        (each.label, [(a.number, b.number) for a, b in each.pairs])
        for each in upcoming_group_rounds(facts, stage, stage.plan.groups[0].name)
    ]
    assert len(said) == 2
    for label, pairs in said:
        make.play_round(event.rounds.order_by("-ordinal").first(), by)
        item = make.next_round(event, by)
        assert label == f"Round {item.ordinal}"
        assert pairs == make.pairs_of(Match.objects.filter(round=item).order_by("number"))
    facts = load_facts(event, for_staff=False)
    assert not list(upcoming_group_rounds(facts, facts.stages[0], stage.plan.groups[0].name))
    assert len(list(group_rounds(facts, facts.stages[0], stage.plan.groups[0].name))) == 3


def test_players_read_whom_they_meet(event, by, client: Client, in_english) -> None:
    entry = event.entries.get(number=1)
    (label, other), _last = upcoming_opponents(load_facts(event, for_staff=False), entry.number)
    english = {"Accept-Language": "en"}
    for path in (f"/events/{event.slug}/pairings/", f"/events/{event.slug}/players/1/"):
        shown = client.get(path, headers=english).content.decode()
        coming = shown.partition('class="to-come"')[2].partition("</ul>")[0]
        assert label in coming
        assert f">{other.name}</bdi>" in coming
    own = client.get(f"/p/{make_link(entry=entry, by=by)}/", headers=english, follow=True)
    assert f"{label}: {other.name}" in own.content.decode()


def test_who_left_is_met_no_more(event, by) -> None:
    gone = event.entries.get(number=2)
    withdraw(entry=gone, by=by)
    facts = load_facts(event, for_staff=False)
    assert not upcoming_opponents(facts, gone.number)
    stage = facts.stages[0]
    rounds_left = upcoming_group_rounds(facts, stage, stage.plan.groups[0].name)
    assert all(gone.number not in (a.number, b.number) for e in rounds_left for a, b in e.pairs)


def test_paper_and_api_have_every_round(event, client: Client) -> None:
    facts = load_facts(event, for_staff=False)
    (group,) = rounds.group_schedules_sheet(facts, timezone.now())["groups"]
    assert [len(each["pairs"]) for each in group["rounds"]] == [2, 2, 2]
    sheet = client.get(f"/events/{event.slug}/print/groups.pdf")
    assert sheet.content.startswith(b"%PDF")
    (stage,) = client.get(f"/api/v1/events/{event.slug}/stages/").json()
    assert [len(pairs) for pairs in stage["groups"][0]["rounds"]] == [2, 2, 2]


def test_swiss_rounds_are_not_known_before(by, client: Client) -> None:
    event = make.playing(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    assert not upcoming_opponents(load_facts(event, for_staff=False), 1)
    assert client.get(f"/events/{event.slug}/print/groups.pdf").status_code == 404
    (stage, _cut) = client.get(f"/api/v1/events/{event.slug}/stages/").json()
    assert stage["groups"][0]["rounds"] == []
