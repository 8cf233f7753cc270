"""The draft's page without JavaScript, throwing a round away, and the snapshots' pages."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories as make
from tests.browsers import page, signed_in, text
from tournaments.archive.writer import VERSION
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.models import Match
from tournaments.players.services import departures
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}
PAGE = "/events/trofeo-di-prova/desk/rounds/1/"
FILES, SNAPSHOTS = (f"/events/trofeo-di-prova/manage/{name}/" for name in ("files", "snapshots"))


@pytest.fixture
def client():
    """Return a browser that reads English."""
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def event(by, client):
    """Return an event of seven whose first round is a draft; its organiser is signed in."""
    event = make.started(by, 7, **SWISS)
    rounds.draft_round(event=event, expected_round=1, by=by)
    client.force_login(by.user)
    return event


def version(client):
    return re.search(r'name="expected" value="(\d+)"', text(client.get(PAGE))).group(1)


def pairs(event):
    found = Match.objects.filter(round__event=event, match_seats__number=2).order_by("table")
    return [[m.players[0].number, m.players[1].number] for m in found]


def send(client, action, **fields):
    seen = fields.pop("expected", None) or version(client)
    return client.post(f"{PAGE}change/", {"action": action, "expected": seen, **fields})


def test_a_clean_draft_says_so_and_has_a_box_for_everybody(event, client):
    page = text(client.get(PAGE))
    assert "No problems found." in page
    assert page.count('name="player"') == 7
    assert page.count('name="match"') == 4


def test_two_ticked_players_are_swapped_and_nothing_is_published(event, client):
    (a, _b), (c, _d), _last = pairs(event)
    answer = send(client, "swap", player=[a, c], note="Fratelli al 50%")
    assert (answer.status_code, answer.url) == (302, PAGE)
    page = text(client.get(PAGE))
    assert "Paired manually by the organiser: Fratelli al 50%" in page
    assert event.rounds.get().state == "draft"
    assert "Fratelli" not in text(client.get("/events/trofeo-di-prova/pairings/"))


def test_a_refusal_keeps_what_was_ticked_and_typed(event, client):
    answer = send(client, "swap", player=[3], note="Perché")
    assert answer.status_code == 400
    page = text(answer)
    assert "Choose two players from different tables." in page
    assert re.search(r'name="player" value="3" checked', page)
    assert 'value="Perché"' in page


@pytest.mark.deep
def test_a_page_of_before_is_refused_and_shows_the_draft_as_it_is(event, client):
    seen = version(client)
    (a, _b), (c, _d), _last = pairs(event)
    assert send(client, "swap", player=[a, c]).status_code == 302
    for act, fields in (("change", {"action": "swap", "player": [a, c]}), ("publish", {})):
        answer = client.post(f"{PAGE}{act}/", {"expected": seen, **fields})
        assert answer.status_code == 409
        assert "This is no longer possible." in text(answer)
    assert client.post(f"{PAGE}publish/", {"expected": version(client)}).status_code == 302
    assert send(client, "swap", expected=seen, player=[a, c]).status_code == 409


@pytest.mark.deep
def test_who_is_not_paired_stands_apart_and_publishing_waits(event, client):
    (a, b), *_others = pairs(event)
    match = make.among(Match.objects.filter(round__event=event), (a, b)).get()
    assert send(client, "break", match=match.pk).status_code == 302
    page = text(client.get(PAGE))
    assert "Not paired" in page
    assert "Fix the problems in the checklist first." in page
    assert client.post(f"{PAGE}publish/", {"expected": version(client)}).status_code == 409
    assert send(client, "meet", player=[a, b]).status_code == 302
    assert client.post(f"{PAGE}publish/", {"expected": version(client)}).status_code == 302


@pytest.mark.deep
def test_tables_and_parts(event, client, by):
    found = list(Match.objects.filter(round__event=event, match_seats__number=2).order_by("table"))
    before = pairs(event)
    assert send(client, "table", match=[found[0].pk, found[2].pk]).status_code == 302
    assert pairs(event) == before[::-1]
    assert send(client, "table", match=found[0].pk, table="12").status_code == 302
    assert send(client, "table", match=found[0].pk, table="x").status_code == 400
    assert send(client, "repair", match=[found[0].pk, found[1].pk]).status_code == 302
    departures.withdraw(entry=event.entries.get(number=before[2][0]), by=by)
    assert "Dropped: the opponent wins." in text(client.get(PAGE))


def test_judges_look_and_change_nothing(event, client):
    client.force_login(make.staff(event, "judge").user)
    page = text(client.get(PAGE))
    assert 'name="player"' not in page
    assert "No problems found." in page
    assert send(client, "swap", expected="1", player=[1, 2]).status_code == 403


@pytest.mark.deep
def test_a_group_says_why_only_tables_move(by, client):
    made = make.started(by, 4, formula="single-group")
    rounds.draft_round(event=made, expected_round=1, by=by)
    client.force_login(by.user)
    page = text(client.get(PAGE))
    assert "Only table numbers can be swapped in this round." in page
    assert 'name="player"' not in page
    answer = send(client, "swap", player=[1, 2])
    assert answer.status_code == 409
    assert "Only table numbers can be swapped in this round." in text(answer)


@pytest.mark.deep
def test_the_publication_is_taken_back_from_the_page_while_nobody_has_reported(event, client, by):
    client.post(f"{PAGE}publish/", {"expected": version(client)})
    page = text(client.get(PAGE))
    assert "Unpublish" in page
    number = re.search(r'log/undo/.*?name="expected" value="(\d+)"', page, re.S).group(1)
    answer = client.post("/events/trofeo-di-prova/log/undo/", {"expected": number, "back": PAGE})
    assert answer.status_code == 302
    assert event.rounds.get().state == "draft"
    assert send(client, "swap", player=[pairs(event)[0][0], pairs(event)[1][0]]).status_code == 302


@pytest.mark.deep
def test_a_round_is_thrown_away_by_its_name_and_brought_back(event, client, by):
    make.play_round(rounds.publish_round(event=event, ordinal=1, by=by), by)
    assert "Start this round over" in text(client.get(PAGE))
    page = text(client.get(f"{PAGE}discard/"))
    assert "Type “Round 1” to confirm" in page
    assert page.count("wins: 2–0") == 3
    answer = client.post(f"{PAGE}discard/", {"confirm": "Round 2"})
    assert answer.status_code == 400
    assert "Type “Round 1” to confirm" in text(answer)
    assert client.post(f"{PAGE}discard/", {"confirm": "round 1"}).status_code == 302
    assert not event.rounds.exists()
    listed = text(client.get(FILES))
    assert "Round discarded" in listed
    one = f"{SNAPSHOTS}{event.snapshots.get().pk}/"
    shown = text(client.get(one))
    assert "Results to be restored" in shown
    assert 'name="confirm"' not in shown
    download = client.get(f"{one}archive.json")
    assert (download["Content-Type"], download["Cache-Control"]) == ("application/json", "no-store")
    assert download.json()["girone"] == VERSION
    assert client.post(one).status_code == 302
    assert event.rounds.get().matches.filter(state="final").count() == 4


@pytest.mark.deep
def test_giving_results_up_asks_for_the_name_of_the_event(event, client, by):
    make.play_round(rounds.publish_round(event=event, ordinal=1, by=by), by)
    client.post(f"{PAGE}discard/", {"confirm": "Round 1"})

    def b_wins(match, index):
        return make.Claim(games=("b", "b"))

    make.play_round(make.next_round(event, by), by, b_wins)
    one = f"{SNAPSHOTS}{event.snapshots.get().pk}/"
    assert "Results that would be lost" in text(client.get(one))
    assert client.post(one).status_code == 400
    assert client.post(one, {"confirm": "trofeo di prova"}).status_code == 302
    assert event.snapshots.count() == 2
    assert client.get(f"{SNAPSHOTS}99999/").status_code == 404


@pytest.mark.deep
def test_a_draft_asks_as_little_for_many_as_for_few(by, client):
    client.force_login(by.user)
    counts = []
    for players in (7, 41):
        made = make.started(by, players, name=f"Evento {players}", venue=f"Sala {players}", **SWISS)
        rounds.draft_round(event=made, expected_round=1, by=by)
        first = tuple(m.players[0].number for m in Match.objects.filter(round__event=made)[:2])
        asked = ChangeRequest(action="swap", players=first)
        change_draft(event=made, ordinal=1, asked=asked, by=by)
        with CaptureQueriesContext(connection) as asked_for:
            client.get(f"/events/{made.slug}/desk/rounds/1/")
        counts.append(len(asked_for))
    assert counts[0] == counts[1] <= 26


def test_byes_that_nobody_can_change_are_one_folded_line(by):
    event = make.started(by, 11, formula="single-elimination")
    rounds.draft_round(event=event, expected_round=1, by=by)
    signed = signed_in(by)
    draft = " ".join(page(signed, "desk-round", event, 1).split())
    _before, _tag, fold = draft.partition('<details class="draft-resting">')
    summary, _tag, listed = fold.partition("</summary>")
    assert "Byes: 5 · <bdi" in summary
    assert (summary.count("<bdi"), listed.partition("</details>")[0].count("<bdi")) == (3, 5)
    assert draft.count('<tr id="match-') == 3
    assert "Players: 11 · Tables: 3" in draft
    rounds.publish_round(event=event, ordinal=1, by=by)
    desk = " ".join(page(signed, "desk", event).split())
    assert '<details class="resting"> <summary> Without a table (5):' in desk


def test_a_bye_of_a_free_draft_stays_a_row(by):
    event = make.started(by, 5, formula="swiss-cut", options={"cut": 0, "rounds": 3})
    rounds.draft_round(event=event, expected_round=1, by=by)
    draft = page(signed_in(by), "desk-round", event, 1)
    assert "draft-resting" not in draft
    assert draft.count('<tr id="match-') == 3
