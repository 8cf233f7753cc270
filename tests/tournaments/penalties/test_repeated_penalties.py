"""A penalty for what a player was penalised for before: one step more is proposed."""

import pytest

from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.models import Penalty
from tournaments.penalties import services as penalties

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.playing(by, 12)


def give(client, event, number, level, infraction, **more):
    body = {"number": number, "level": level, "infraction": infraction} | more
    return client.post(url("penalties", event), body)


def test_the_same_again_is_proposed_one_step_higher(event, judge):
    entry = event.entries.get(number=3)
    penalties.give_penalty(entry=entry, level="warning", infraction="Gioco lento", by=judge)
    client = signed_in(judge)
    assert "Gioco lento" in text(client.get(url("penalties", event) + "?player=3"))
    asked = give(client, event, 3, "warning", "gioco LENTO.")
    assert asked.status_code == 200
    assert "Proposed: Game loss." in text(asked)
    assert "penalised for this before" in text(asked)
    assert asked.context["form"]["level"].value() == "game_loss"
    assert Penalty.objects.count() == 1
    assert give(client, event, 3, "game_loss", "gioco lento", considered="3").status_code == 302
    assert Penalty.objects.order_by("pk").last().level == "game_loss"
    # the judge may stay with the milder one, for the player who was asked about alone
    assert give(client, event, 3, "warning", "gioco lento", considered="3").status_code == 302
    penalties.give_penalty(
        entry=event.entries.get(number=4), level="warning", infraction="Ritardo", by=judge
    )
    assert give(client, event, 4, "warning", "Altro", considered="3").status_code == 200


def test_a_judge_is_never_proposed_a_disqualification(event, by, judge):
    entry = event.entries.get(number=3)
    penalties.give_penalty(entry=entry, level="match_loss", infraction="Lite", by=judge)
    assert give(signed_in(judge), event, 3, "match_loss", "Lite").status_code == 302
    asked = give(signed_in(by), event, 3, "match_loss", "Lite")
    assert "Proposed: Disqualification." in text(asked)


def test_a_first_penalty_is_stored_at_once(event, judge):
    assert give(signed_in(judge), event, 5, "caution", "Bustina").status_code == 302
