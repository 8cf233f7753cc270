"""The transcript of an event of tables, and what the program of the docs finds in it."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.transcripts import chained_anew, check, told
from tournaments.drafts.services.acts import ChangeRequest
from tournaments.drafts.services.drafts import change_draft
from tournaments.keeping_apart.services import keep_apart
from tournaments.models import Event
from tournaments.rounds.services import draft_round, publish_round

pytestmark = pytest.mark.django_db
WITH_BYES = make.TABLES | {"options": {"rounds": 2, "cut": 4, "sizes": [4]}}


def transcript(event):
    answer = Client().get(reverse("tournaments:transcript", args=[event.slug]))
    return json.loads(answer.content)


@pytest.fixture
def document(by):
    return transcript(make.played(by, 11, **make.TABLES))


@pytest.mark.parametrize(
    ("players", "values"),
    [
        (11, make.TABLES),
        (9, WITH_BYES | {"table_points": {"preset": "places"}}),
        pytest.param(
            10, make.TABLES | {"table_points": {"preset": "win3"}}, marks=pytest.mark.deep
        ),
        pytest.param(
            8,
            make.TABLES
            | {
                "criteria": ["wins", "own_share", "beaten", "lots"],
                "table_points": {"win": 4, "draw": 2, "loss": 1},
            },
            marks=pytest.mark.deep,
        ),
    ],
)
def test_nothing_is_wrong_and_all_is_checked(by, tmp_path, players, values):
    found = transcript(make.played(by, players, **values))
    code, said = check(tmp_path / "transcript.json", found)
    assert (code, "wrong 0, not checked 0" in said) == (0, True), said
    assert f"{players} ranks" in said
    for kind in ("sizes of tables 2", "byes of tables 2", "cost of tables 2", "tables of cuts 1"):
        assert kind in said


def _tell_another_cost(document):
    for _line, place, row in told(document, "round"):
        if place == "round/2":
            row["cost"]["spread"] += 1


def _skip_a_place(document):
    for _line, _place, row in told(document, "match"):
        if row["reports"]:
            row["reports"][-1]["places"] = [1, 3, 3, 3][: len(row["seats"])]


def _let_another_win(document):
    for _line, place, row in told(document, "match"):
        if place.startswith("round/1/") and row["reports"] and row["seats"][0]:
            row["reports"][-1]["places"].reverse()


def _exchange_ranks(document):
    first, second = document["ranking"][4:6]
    first["player"], second["player"] = second["player"], first["player"]


def _decide_alone(document):
    for _line, _place, row in told(document, "match"):
        if row["reports"]:
            row["reports"][-1]["kind"] = "confirmation"


def _exchange(round_number):
    """Return a fault: the last players of the first and the last match of a round change seats."""

    def plant(document):
        seats = {p: r["seats"] for _l, p, r in told(document, "match") if r.get("seats")}
        own = [each for place, each in seats.items() if place.startswith(f"round/{round_number}/")]
        one, other = own[0][-1], own[-1][-1] if own[-1] is not own[0] else own[0][0]
        names = {one: other, other: one}
        for _line, place, row in told(document, "match"):
            if place.startswith(f"round/{round_number}/") and row.get("seats"):
                row["seats"] = [names.get(player, player) for player in row["seats"]]

    return plant


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (_tell_another_cost, "counted are"),
        (_skip_a_place, "its places are [1, 3, 3"),
        (_let_another_win, "rank would be"),
        (_exchange_ranks, "rank would be"),
        (_decide_alone, "of 4 seats agree with it"),
        (_exchange(1), "would be"),
        (_exchange(2), "counted are"),
        (_exchange(3), "round 3: tables"),
    ],
)
def test_a_fault_at_tables_is_found(document, tmp_path, plant, words):
    plant(document)
    code, said = check(tmp_path / "transcript.json", chained_anew(document))
    assert code == 1
    assert words in said


def test_what_was_made_by_hand_or_kept_apart_is_named_with_the_reason(by, tmp_path):
    event = make.halfway(by, 7, **make.TABLES)
    keep_apart(event=event, numbers=(1, 2), by=by)
    draft = draft_round(event=Event.objects.get(pk=event.pk), expected_round=2, by=by)
    (first, *_others), (second, *_more) = (
        [event.entries.get(pk=key).number for key in match.seats] for match in draft.matches.all()
    )
    asked = ChangeRequest(action="swap", players=(first, second))
    change_draft(event=Event.objects.get(pk=event.pk), ordinal=2, asked=asked, by=by)
    event = Event.objects.get(pk=event.pk)
    make.play_round(publish_round(event=event, ordinal=2, by=by), by)
    make.play_event(Event.objects.get(pk=event.pk), by)
    code, said = check(tmp_path / "transcript.json", transcript(event))
    assert (code, "wrong 0" in said) == (3, True), said
    assert "round 2: not checked, because people changed its tables by hand" in said
    assert "round 2: not checked, because players were kept apart in it" in said
