"""Results reported by a player's program."""

import pytest
from rest_framework.test import APIClient

from tests import factories as make
from tests.report_table import Table
from tournaments.models import Report

pytestmark = pytest.mark.django_db


def program(table: Table, side: str) -> tuple[APIClient, str]:
    """Return the client of a player with an account, and the address of the result."""
    entry = table.match.players["ab".index(side)]
    entry.user = make.user()
    entry.save()
    client = APIClient(headers={"Accept-Language": "en"})
    client.force_authenticate(entry.user)
    return client, f"/api/v1/events/{table.event.slug}/matches/{table.match.pk}/result/"


@pytest.mark.parametrize(
    ("play", "sent", "winner", "ended_by", "score"),
    [
        ("games", {"games": ["a", "draw", "b", "a"]}, "a", "played", [2, 1]),
        ("games", {"score": [1, 0], "ended_by": "time"}, "a", "time", [1, 0]),
        ("games", {"winner": "a", "ended_by": "concession"}, "a", "concession", None),
        ("games", {"winner": "b", "ended_by": "concession"}, "b", "concession", None),
        (
            "points", {"score": [30, 20], "battle_cards": ["a", "b"], "ended_by": "time"},
            "a", "time", [35, 27],
        ),
        ("points", {"winner": "a", "ended_by": "no_warriors"}, "a", "no_warriors", None),
        (
            "duel", {"score": [20, 20], "winner": "b", "tie_break": "warriors"},
            "b", "time", [20, 20],
        ),
    ],
)  # fmt: skip
def test_a_players_program_tells_the_same_and_the_opponents_confirms(
    play, sent, winner, ended_by, score
):
    table = Table(play)
    for side, state in (("a", "reported"), ("b", "final")):
        client, address = program(table, side)
        table.match.refresh_from_db()
        body = {"version": table.match.version, **sent}
        answer = client.put(address, body, format="json")
        assert (answer.status_code, answer.json()["state"]) == (200, state), answer.content
    final = answer.json()
    assert (final["winner"], final["ended_by"], final["score"]) == (winner, ended_by, score)


@pytest.mark.parametrize(
    "sent",
    [
        {"winner": "none"},
        {"winner": "void"},
        {"winner": "a", "ended_by": "no_show"},
        {"winner": "a", "ended_by": "disqualification"},
        {"ended_by": "double_loss"},
        {"score": [2, 0], "winner": "b", "note": "Mazzo sbagliato"},
        {"games": ["a", "a", "a"]},
        {"games": ["a", "a"], "winner": "b", "ended_by": "concession"},
    ],
)
def test_a_players_program_does_not_tell_what_judges_decide(sent):
    table = Table("games")
    client, address = program(table, "a")
    refused = client.put(address, {"version": 0, **sent}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result")
    assert "2-0, 2-1" in refused.content.decode()
    assert not Report.objects.exists()
