"""Every kind of result that a match can have, entered at the desk and by a program.

Tournament rules, A match. Both ways store the same; what can't be is refused by both, and both
say what can.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.core.mapping import outcome_from_report
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db

PLAYS: dict[str, dict[str, Any]] = {
    "group": {"formula": "single-group", "format": "doomtrooper-original"},
    "knock-out": {"formula": "single-elimination", "format": "doomtrooper-original"},
    "group of games": {"formula": "single-group", "format": "creatures-of-exo"},
    "knock-out of games": {"formula": "single-elimination", "format": "creatures-of-exo"},
    "one game": {"formula": "single-group", "format": "thoom"},
}


@dataclass(frozen=True)
class Kind:
    """One kind of result: where, as a program and as the desk send it, and what is stored."""

    name: str
    play: str
    sent: dict[str, Any]
    form: dict[str, Any]
    winner: str
    ended_by: str
    score: tuple[int, int] | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.play}: {self.name}"


def points(a: int, b: int, **more: str) -> dict[str, Any]:
    """Return promotion points as the form has them."""
    return {"score_a": a, "score_b": b, **more}


KINDS = (
    Kind("forty points", "group", {"score": [40, 22]}, points(40, 22), "a", "played", (40, 22)),
    Kind(
        "time, level", "group", {"score": [20, 20], "ended_by": "time"},
        points(20, 20, ended_by="time"), "draw", "time", (20, 20),
    ),
    Kind(
        "battle cards at time", "group",
        {"score": [30, 20], "battle_cards": ["a", "b"], "ended_by": "time"},
        points(30, 20, battle_a="on", battle_b="on", ended_by="time"), "a", "time", (35, 27),
    ),
    Kind(
        "battle cards that change the leader", "group",
        {"score": [40, 36], "battle_cards": ["b"], "winner": "b"},
        points(40, 36, battle_b="on", winner="b"), "b", "played", (40, 46),
    ),
    Kind(
        "no warriors whatever the points", "group",
        {"score": [30, 10], "winner": "b", "ended_by": "no_warriors"},
        points(30, 10, winner="b", ended_by="no_warriors"), "b", "no_warriors", (30, 10),
    ),
    Kind(
        "a decision", "group", {"score": [40, 10], "winner": "b", "note": "Doppia mossa"},
        points(40, 10, winner="b", note="Doppia mossa"), "b", "played", (40, 10),
        {"by_decision": True},
    ),
    Kind(
        "concession", "group", {"winner": "a", "ended_by": "concession"},
        {"winner": "a", "ended_by": "concession"}, "a", "concession",
    ),
    Kind(
        "no show", "group", {"winner": "b", "ended_by": "no_show"},
        {"winner": "b", "ended_by": "no_show"}, "b", "no_show",
    ),
    Kind(
        "disqualified", "group", {"winner": "b", "ended_by": "disqualification"},
        {"winner": "b", "ended_by": "disqualification"}, "b", "disqualification",
    ),
    Kind(
        "by a penalty", "group", {"winner": "b", "ended_by": "penalty"},
        {"winner": "b", "ended_by": "penalty"}, "b", "penalty",
    ),
    Kind(
        "both lose", "group", {"winner": "none"}, {"winner": "none"}, "none", "double_loss",
    ),
    Kind(
        "void", "group", {"winner": "void"}, {"winner": "void"}, "void", "void",
    ),
    Kind(
        "level, by warriors", "knock-out",
        {"score": [20, 20], "winner": "a", "tie_break": "warriors"},
        points(20, 20, winner="a", tie_break="warriors"), "a", "time", (20, 20),
        {"tie_break": "warriors"},
    ),
    Kind("totals", "group of games", {"score": [2, 1]}, {"text": "2-1"}, "a", "played", (2, 1)),
    Kind(
        "games in order", "group of games", {"games": ["b", "a", "b"]}, {"text": "+bab"},
        "b", "played", (1, 2), {"games": ("b", "a", "b")},
    ),
    Kind(
        "a drawn game is played again", "group of games", {"games": ["a", "draw", "b", "a"]},
        {"text": "+adba"}, "a", "played", (2, 1), {"games": ("a", "draw", "b", "a")},
    ),
    Kind(
        "time, one game more", "group of games", {"score": [1, 0], "ended_by": "time"},
        {"text": "1-0", "ended_by": "time"}, "a", "time", (1, 0),
    ),
    Kind(
        "level, by the judge", "knock-out of games",
        {"score": [1, 1], "winner": "a", "tie_break": "judge"},
        {"text": "1-1", "winner": "a", "tie_break": "judge"}, "a", "time", (1, 1),
        {"tie_break": "judge"},
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Impossible:
    """What no match can have, and a word of what is possible instead.

    The desk's form does not offer at all what has no ``form``.
    """

    name: str
    play: str
    sent: dict[str, Any]
    form: dict[str, Any] | None
    says: str

    def __str__(self) -> str:
        return f"{self.play}: {self.name}"


IMPOSSIBLE = (
    Impossible("nothing", "group", {}, {}, "40 22"),
    Impossible("level and played out", "group", {"score": [40, 40]}, points(40, 40), "40 22"),
    Impossible("battle cards change the leader", "group",
               {"score": [40, 36], "battle_cards": ["b"]}, points(40, 36, battle_b="on"), "40"),
    Impossible("a draw", "knock-out", {"score": [20, 20], "winner": "draw"},
               points(20, 20), "40 22"),
    Impossible("level and undecided", "knock-out", {"score": [20, 20]}, points(20, 20), "40 22"),
    Impossible("void", "knock-out", {"ended_by": "void"}, None,
               "40 22"),
    Impossible("three won games", "group of games", {"games": ["a", "a", "a"]}, {"text": "3-0"},
               "2-1"),
    Impossible("games after the end", "group of games", {"games": ["a", "a", "b"]},
               {"text": "aab"}, "2-1"),
    Impossible("the match went on", "group of games", {"score": [1, 0], "ended_by": "played"},
               {"text": "1-0", "ended_by": "played"}, "2-1"),
    Impossible("by warriors", "knock-out of games",
               {"score": [1, 1], "winner": "a", "tie_break": "warriors"},
               {"text": "1-1", "winner": "a", "tie_break": "warriors"}, "2-1"),
    Impossible("no warriors", "one game", {"winner": "a", "ended_by": "no_warriors"},
               {"winner": "a", "ended_by": "no_warriors"}, "1-0"),
    Impossible("a tie-break of a draw", "group", {"score": [20, 20], "tie_break": "warriors"},
               None, "40 22"),
    Impossible("a tie-break with a leader", "knock-out",
               {"score": [40, 22], "tie_break": "judge", "note": "Arbitro"},
               points(40, 22, tie_break="judge", note="Arbitro"), "40 22"),
    Impossible("a tie-break of a concession", "knock-out of games",
               {"winner": "a", "ended_by": "concession", "tie_break": "judge"},
               {"winner": "a", "ended_by": "concession", "tie_break": "judge"}, "2-1"),
    Impossible("a bye", "group", {"winner": "a", "ended_by": "bye"},
               None, "40 22"),
)  # fmt: skip


def match_of(play: str, by: Any) -> Match:
    event: Event = make.started(by, 8, **PLAYS[play])
    match: Match = (
        make.next_round(event, by).matches.select_related("round__event").order_by("pk")[0]
    )
    return match


def by_program(match: Match, sent: dict[str, Any], by: Any) -> Any:
    """Send a result through the API."""
    client = APIClient()
    client.force_authenticate(by.user)
    address = f"/api/v1/events/{match.round.event.slug}/matches/{match.pk}/result/"
    return client.put(address, {"version": match.version, **sent}, format="json")


def at_the_desk(match: Match, form: dict[str, Any], by: Any, client: Any) -> Any:
    """Send the form of a match."""
    client.force_login(by.user)
    address = reverse("tournaments:desk-result", args=[match.round.event.slug, match.pk])
    return client.post(
        address, {"version": match.version, **form}, headers={"accept-language": "en"}
    )


@pytest.mark.parametrize("door", ["program", "desk"])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_it_is_entered(kind: Kind, door: str, by, client) -> None:
    match = match_of(kind.play, by)
    if door == "program":
        answer, stored = by_program(match, kind.sent, by), 200
    else:
        answer, stored = at_the_desk(match, kind.form, by, client), 302
    assert answer.status_code == stored, answer.content
    match.refresh_from_db()
    assert match.decision is not None
    said = outcome_from_report(match.decision, match.size)
    found = (str(said.winner), str(said.ended_by), said.score)
    assert found == (kind.winner, kind.ended_by, kind.score)
    assert {key: getattr(said, key) for key in kind.more} == kind.more


@pytest.mark.parametrize("wrong", IMPOSSIBLE, ids=str)
def test_what_can_not_be_is_refused_and_what_can_is_named(wrong: Impossible, by, client) -> None:
    match = match_of(wrong.play, by)
    refused = by_program(match, wrong.sent, by)
    assert (refused.status_code, refused.json()["code"]) == (400, "impossible_result")
    assert wrong.says in refused.content.decode()
    page = at_the_desk(match, wrong.form or {}, by, client)
    assert page.status_code == 400
    if wrong.form is None:
        asked = wrong.sent.get("ended_by") or wrong.sent["tie_break"]
        assert f'value="{asked}"' not in page.content.decode()
    else:
        assert wrong.says in page.content.decode()
    match.refresh_from_db()
    assert (match.state, match.version) == ("open", 0)


def test_a_winner_against_the_points_needs_a_reason_at_the_desk_alone(by, client) -> None:
    """Contracts, API: a winner beside any score stands, and ``note`` may be left out."""
    match = match_of("group", by)
    page = at_the_desk(match, points(40, 10, winner="b"), by, client)
    assert page.status_code == 400
    assert "40 22" in page.content.decode()
    taken = by_program(match, {"score": [40, 10], "winner": "b"}, by)
    assert taken.status_code == 200, taken.content
    match.refresh_from_db()
    assert match.decision is not None
    assert (match.decision.winner, match.decision.note) == ("b", "API")
