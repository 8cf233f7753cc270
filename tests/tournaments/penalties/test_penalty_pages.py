"""The judge's pages of penalties and extra time."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import ENGLISH, by_link, signed_in, text, url
from tournaments.checks import services as checks
from tournaments.models import Penalty, TimeExtension
from tournaments.penalties import services as penalties

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 6, decklists="required")


@pytest.fixture
def check(event, judge):
    return checks.check_player(entry=event.entries.get(number=1), by=judge)


# --- Extra time --------------------------------------------------------------------------
def test_extra_minutes_are_shown_wherever_the_table_is(event, by, judge):
    match = event.rounds.get().matches.get(table=2)
    client = signed_in(judge)
    body = {"minutes": "9", "reason": "Chiamata al tavolo"}
    answer = client.post(url("match-extend", event, match.pk), body, follow=True)
    assert "Table 2: +9 min." in text(answer)
    assert "Chiamata al tavolo" in text(answer)
    for reader, name in (
        (client, "desk"),
        (by_link(match.players[0], by), "me"),
        (Client(headers=ENGLISH), "pairings"),
    ):
        assert "+9 min" in text(reader.get(url(name, event))), name
    assert "Chiamata" not in text(Client(headers=ENGLISH).get(url("pairings", event)))
    make.play_round(event.rounds.get(), by)
    assert "+9 min" not in text(Client(headers=ENGLISH).get(url("pairings", event)))


@pytest.mark.parametrize("body", [{"minutes": "5"}, {"minutes": "0", "reason": "x"}, {}])
def test_extra_minutes_need_a_number_and_a_reason(event, judge, body):
    match = event.rounds.get().matches.get(table=2)
    answer = signed_in(judge).post(url("match-extend", event, match.pk), body)
    assert answer.status_code == 400
    assert not TimeExtension.objects.exists()
    field = "Reason" if body == {"minutes": "5"} else "Extra minutes"
    assert f"{field}: " in text(answer)  # which of the page's fields it is about


# --- Penalties ---------------------------------------------------------------------------
def test_a_penalty_is_given_and_seen_by_whom_it_concerns(event, by, judge):
    match = event.rounds.get().matches.get(table=1)
    client = signed_in(judge)
    page = text(client.get(url("match", event, match.pk)))
    assert f"{url('penalties', event)}?player={match.players[0].number}" in page
    body = {"number": match.players[0].number, "level": "warning", "infraction": "Gioco lento"}
    client.post(url("penalties", event), body | {"note": "Segreto dello staff"})
    for reader, name, sees in (
        (client, "penalties", (True, True)),
        (signed_in(make.staff(event, "scorekeeper")), "penalties", (True, True)),
        (by_link(match.players[0], by), "me", (True, False)),
        (by_link(match.players[1], by), "me", (False, False)),
        (Client(headers=ENGLISH), "players", (False, False)),
    ):
        found = text(reader.get(url(name, event)))
        assert ("Gioco lento" in found, "Segreto dello staff" in found) == sees
    assert by_link(match.players[1], by).get(url("penalties", event)).status_code == 403
    assert "Gioco lento" in text(client.get(url("match", event, match.pk)))


def test_the_scorekeeper_reads_penalties_and_gives_none(event, by):
    client = signed_in(make.staff(event, "scorekeeper"))
    assert 'name="infraction"' not in text(client.get(url("penalties", event)))
    body = {"number": 1, "level": "warning", "infraction": "x"}
    assert client.post(url("penalties", event), body).status_code == 403
    assert not Penalty.objects.exists()


def test_only_who_may_disqualify_is_offered_it(event, by, judge, check):
    for actor, offered in ((judge, False), (by, True)):
        client = signed_in(actor)
        for page in (url("penalties", event), url("check", event, check.pk)):
            assert ('value="disqualification"' in text(client.get(page))) is offered
            assert 'value="match_loss"' in text(client.get(page))


def test_a_disqualification_by_a_judge_is_refused(event, judge):
    body = {"number": 1, "level": "disqualification", "infraction": "x"}
    assert signed_in(judge).post(url("penalties", event), body).status_code == 403


def test_a_penalty_taken_back_is_gone(event, by, judge):
    entry = event.entries.get(number=1)
    given = penalties.give_penalty(entry=entry, level="warning", infraction="Errore", by=judge)
    address = url("penalty-take-back", event, given.pk)
    assert signed_in(judge).post(address).status_code == 403
    assert "is taken back" in text(signed_in(by).post(address, follow=True))
    assert signed_in(by).post(address).status_code == 409
