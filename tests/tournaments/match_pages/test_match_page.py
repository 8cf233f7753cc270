"""The public page of a match: what it tells of result and sequel, to whom, and what leads to it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import read
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists.services import publish_decklists
from tournaments.judging.services import add_ruling, add_staff_note
from tournaments.match_pages.selectors import MatchPageSeat, public_match_context
from tournaments.models import Event, Match
from tournaments.penalties.services import give_penalty
from tournaments.players.services.departures import withdraw
from tournaments.results.services.reports import report_result
from tournaments.results.services.results import correct_result
from tournaments.rounds.services import draft_round
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
GAMES = {"format": "creatures-of-exo"}


def address(event: Event, ordinal: int, number: int) -> str:
    return reverse("tournaments:public-match", args=[event.slug, ordinal, number])


def shown(event: Event, ordinal: int, number: int) -> dict[str, Any]:
    facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    with translation.override("en"):
        found = public_match_context(facts, (ordinal, number), {})
    assert found is not None
    return found


def seats(event: Event, ordinal: int, number: int) -> tuple[MatchPageSeat, MatchPageSeat]:
    """Return the winner's seat and the loser's."""
    one, other = shown(event, ordinal, number)["seats"]
    return (one, other) if one.won else (other, one)


@pytest.mark.deep
def test_it_tells_the_result_in_words_and_what_each_plays_next(client: Client, by) -> None:
    event = make.halfway(by, 4, rounds=1, formula="single-group", **GAMES)
    page = shown(event, 1, 1)
    winner, loser = seats(event, 1, 1)
    assert page["result"] == f"{winner.entry} wins: {winner.score}–{loser.score}"
    assert page["games"].startswith(f"1. {winner.entry} · 2. ")
    assert (winner.marks, loser.marks) == (("won",), ("lost",))
    assert page["decided"]
    assert not page["has_sequel"]
    make.next_round(event, by)
    winner, loser = seats(event, 1, 1)
    assert winner.follows == loser.follows == ""
    for seat in (winner, loser):
        assert seat.next
        assert seat.next.name == "Round 2"
        (opponent,) = seat.next.opponents
        words = read(client, address(event, *seat.next.at or (0, 0)))
        assert opponent.name in words
        assert seat.entry.name in words


@pytest.mark.deep
def test_a_knock_out_says_who_goes_on_and_whom_they_may_meet(by) -> None:
    event = make.halfway(by, 8, formula="single-elimination", options={"third_place": True})
    winner, loser = seats(event, 1, 1)
    assert (winner.follows, loser.follows) == ("advances", "out")
    assert loser.next is None
    assert winner.next
    assert (winner.next.name, winner.next.at) == ("Semi-final 1", None)
    other, _out = seats(event, 1, 2)
    assert winner.next.opponents == (other.entry,)
    semi = make.next_round(event, by)
    made, _loser = seats(event, 1, 1)
    assert made.next
    assert made.next.at == (2, 5)
    assert shown(event, 2, 5)["goes"] == (
        "The winner goes to: Final",
        "The loser goes to: Third place",
    )
    make.play_round(semi, by)
    make.play_event(event, by)
    finals = {page["name"]: page for page in (shown(event, 3, 7), shown(event, 3, 8))}
    assert [seat.follows for seat in finals["Third place"]["seats"]] == ["", ""]
    assert {seat.won: seat.follows for seat in finals["Final"]["seats"]} == {
        True: "wins the bracket",
        False: "out",
    }


@pytest.mark.deep
def test_a_loss_in_the_upper_bracket_leads_to_the_lower_one(by) -> None:
    event = make.halfway(by, 4, formula="double-elimination", **GAMES)
    winner, loser = seats(event, 1, 1)
    assert (winner.follows, loser.follows) == ("advances", "")
    assert loser.next
    assert "ower bracket" in loser.next.name
    make.play_event(event, by)
    last = load_facts(event).rounds[-1]
    final = last.ordinal, Match.objects.get(round=last.pk).number
    winner, loser = seats(event, *final)
    assert (winner.follows, loser.follows) == ("wins the bracket", "out")
    assert winner.next is loser.next is None


@pytest.mark.deep
def test_who_has_left_goes_nowhere(by) -> None:
    event = make.halfway(by, 4, formula="single-elimination")
    winner, _loser = seats(event, 1, 1)
    withdraw(entry=event.entries.get(number=winner.entry.number), by=by)
    winner, _loser = seats(event, 1, 1)
    assert winner.follows == "Dropped"
    assert winner.next is None


def test_one_report_is_not_told_nor_what_the_staff_know(client: Client, by) -> None:
    event = make.playing(by, 4, formula="single-group")
    match = Match.objects.filter(round__event=event).select_related("round__event")[0]
    report_result(match=match, claim=Claim(score=(47, 3)), by=Actor(entry=match.players[0]))
    add_staff_note(match=match, text="Zibellino", by=by)
    give_penalty(entry=match.players[0], level="caution", infraction="Zafferano", by=by)
    add_ruling(match=match, text="Si rigioca", by=by)
    words = read(client, address(event, 1, match.number)).partition("<main")[2]
    assert "to be confirmed" in words
    assert "Si rigioca" in words
    for hidden in ("47–3", "3–47", "Zibellino", "Zafferano"):
        assert hidden not in words


@pytest.mark.deep
def test_a_draft_a_bye_and_what_is_not_there_are_not_found(client: Client, by) -> None:
    event = make.halfway(by, 3, formula="single-group")
    draft_round(event=event, expected_round=2, by=by)
    bye = Match.objects.exclude(match_seats__number=2).filter(round__event=event).first()
    wanted = [(2, 1), (1, 9), (3, 1)] + ([(1, bye.number)] if bye else [])
    for ordinal, number in wanted:
        assert client.get(address(event, ordinal, number)).status_code == 404
    played = Match.objects.of_two().get(round__event=event, round__ordinal=1)
    assert client.get(address(event, 1, played.number)).status_code == 200


@pytest.mark.deep
def test_lists_are_linked_once_they_are_published(client: Client, by) -> None:
    event = make.played(by, 4, formula="single-group", decklists="required")
    to = reverse("tournaments:decklist", args=[event.slug, 1])
    match = Match.objects.filter(round__event=event, match_seats__entry__number=1)[0]
    at = address(event, match.round.ordinal, match.number)
    assert to not in client.get(at).content.decode()
    publish_decklists(event=event, by=by)
    assert to in client.get(at).content.decode()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "formula"),
    [("bracket", "single-elimination"), ("event", "single-elimination"), ("pairings", "swiss-cut")],
)
def test_pages_lead_to_every_match(client: Client, by, name: str, formula: str) -> None:
    event = make.playing(by, 8, formula=formula)
    html = client.get(reverse(f"tournaments:{name}", args=[event.slug])).content.decode()
    for number in Match.objects.filter(round__event=event).values_list("number", flat=True):
        assert f'href="{address(event, 1, number)}"' in html


def test_the_page_of_a_player_leads_to_each_match(client: Client, by) -> None:
    event = make.halfway(by, 4, rounds=2, formula="single-group")
    html = client.get(reverse("tournaments:player", args=[event.slug, 1])).content.decode()
    for match in Match.objects.filter(round__event=event, match_seats__entry__number=1):
        assert f'href="{address(event, match.round.ordinal, match.number)}"' in html


def test_it_costs_one_query_beyond_the_facts(by, django_assert_num_queries) -> None:
    event = make.halfway(by, 8, rounds=1, formula="single-elimination")
    facts = load_facts(event, for_staff=False)
    with django_assert_num_queries(1):
        assert public_match_context(facts, (1, 1), {})


@pytest.mark.deep
def test_a_corrected_result_says_when_and_from_what_but_not_why(client: Client, by) -> None:
    event = make.halfway(by, 4, formula="single-group")
    match = Match.objects.filter(round__event=event).select_related("decision", "round__event")[0]
    assert match.decision
    assert shown(event, 1, match.number)["was"] == ""
    before = shown(event, 1, match.number)["result"]
    score = match.decision.score_b, match.decision.score_a
    values = {"match": match, "version": match.version, "claim": Claim(score=score), "by": by}
    correct_result(reason="Zibellino", **values)
    page = shown(event, 1, match.number)
    assert (page["was"], page["result"] != before) == (before, True)
    assert page["decided"] == Match.objects.get(pk=match.pk).decision.at
    words = read(client, address(event, 1, match.number))
    assert "Corrected:" in words
    assert "Before: <bdi>" in words
    assert "Zibellino" not in words
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert (shown(event, 1, match.number)["was"], shown(event, 1, match.number)["result"]) == (
        "",
        before,
    )
