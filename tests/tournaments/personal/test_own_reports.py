"""What a player reports of a match, confirms, and may not."""

import re

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import by_link, open_link, text, url
from tournaments.models import Match, Report
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db


def test_a_report_is_read_once_more_then_confirmed_by_one_tap(client, running):
    event, by, match = running
    open_link(client, match.players[1], by)
    report = url("my-report", event, match.pk)
    page = client.post(report, {"own": 40, "other": 22}).content.decode()
    assert f"{match.players[1].name} beat {match.players[0].name} 40–22" in page
    assert not Report.objects.filter(match=match).exists()
    client.post(report, {"own": 40, "other": 22, "sure": "1"})
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED
    said = Report.objects.get(match=match)
    assert (said.score_a, said.score_b, said.winner) == (22, 40, "b")
    open_link(client, match.players[0], by)
    page = client.get(url("me", event)).content.decode()
    assert f"{match.players[1].name} beat {match.players[0].name} 40–22" in page
    client.post(url("my-confirm", event, match.pk), {"version": match.version})
    match.refresh_from_db()
    assert match.state == Match.State.FINAL
    assert "lost 22–40" in client.get(url("me", event)).content.decode()


def test_a_different_report_calls_a_judge(client, running):
    event, by, match = running
    for entry, own, other in ((match.players[0], 40, 22), (match.players[1], 40, 22)):
        open_link(client, entry, by)
        sent = {"own": own, "other": other, "sure": "1"}
        client.post(url("my-report", event, match.pk), sent)
    match.refresh_from_db()
    assert match.state == Match.State.DISPUTED
    assert "A judge will come" in client.get(url("me", event)).content.decode()


@pytest.mark.parametrize("side", ["a", "b"])
def test_presets_are_seen_from_the_players_own_side(client, side):
    by = make.organiser()
    event = make.started(by, 3, format="creatures-of-exo", formula="single-group")
    match = make.next_round(event, by).matches.all()[0]
    open_link(client, match.players["ab".index(side)], by)
    sent = {"preset": "2-1", "sure": "1"}
    client.post(url("my-report", event, match.pk), sent)
    said = Report.objects.get(match=match)
    assert said.winner == side
    assert {said.games_a, said.games_b} == {2, 1}


def test_an_impossible_report_keeps_what_was_typed(client, running):
    event, by, match = running
    open_link(client, match.players[0], by)
    report = url("my-report", event, match.pk)
    response = client.post(report, {"own": "40"})
    assert response.status_code == 400
    assert 'value="40"' in response.content.decode()
    assert client.post(report, {"preset": "9-9"}).status_code == 400
    assert client.post(report, {"own": "-1", "other": "x"}).status_code == 400


def test_one_cannot_report_somebody_elses_match_a_draft_or_a_stale_one(client, running):
    event, by, match = running
    stranger = event.entries.exclude(pk__in=match.seats).first()
    open_link(client, stranger, by)
    sent = {"own": 40, "other": 1, "sure": "1"}
    assert client.post(url("my-report", event, match.pk), sent).status_code == 404
    assert client.post(url("my-confirm", event, match.pk), {"version": 0}).status_code == 404
    make.play_round(event.rounds.get(), by)
    draft = rounds.draft_round(event=event, expected_round=2, by=by)
    own = draft.matches.filter(match_seats__entry=stranger)
    gone = client.post(url("my-report", event, own[0].pk), sent)
    assert gone.status_code == 404
    assert "was taken back. Nothing was stored" in gone.content.decode()
    assert f'href="{url("me", event)}"' in gone.content.decode()


def test_a_result_that_counts_is_not_reported_again(client, running):
    event, by, match = running
    make.play_round(match.round, by)
    open_link(client, match.players[0], by)
    sent = {"own": 1, "other": 40, "sure": "1"}
    assert client.post(url("my-report", event, match.pk), sent).status_code == 409


def test_an_old_confirmation_is_refused(client, running):
    event, by, match = running
    open_link(client, match.players[0], by)
    client.post(url("my-report", event, match.pk), {"own": 40, "other": 1, "sure": "1"})
    open_link(client, match.players[1], by)
    assert client.post(url("my-confirm", event, match.pk), {"version": "0"}).status_code == 409


def test_who_opens_a_link_while_signed_in_acts_as_that_player(client, running):
    event, by, match = running
    client.force_login(by.user)
    open_link(client, match.players[1], by)
    client.post(url("my-report", event, match.pk), {"own": 40, "other": 1, "sure": "1"})
    assert Report.objects.get(match=match).by_entry_id == match.seats[1]


def test_every_form_carries_its_token(running):
    event, by, match = running
    careful = Client(enforce_csrf_checks=True)
    open_link(careful, match.players[0], by)
    page = careful.get(url("me", event)).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.partition("my-match")[2])
    sent = {"own": 40, "other": 3, "sure": "1", "csrfmiddlewaretoken": token[1]}
    assert careful.post(url("my-report", event, match.pk), sent).status_code == 302


@pytest.mark.parametrize(("played", "told"), [("thoom", False), ("creatures-of-exo", True)])
def test_whose_games_come_first_is_said_where_games_are_counted(by, played, told):
    event = make.playing(by, 4, formula="single-group", format=played)
    match = event.rounds.get().matches.first()
    page = text(by_link(match.players[0], by).get(url("me", event)))
    assert 'name="preset"' in page
    assert ("Your own games first." in page) == told
