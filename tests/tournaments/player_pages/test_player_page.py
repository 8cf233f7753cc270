"""The public page of a player: what it tells, to whom, and who links to it."""

import json
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from rules.scenarios import Verdict
from tests import factories as make
from tests.browsers import read
from tournaments.core.event_state import load_facts
from tournaments.core.labels import rank_among
from tournaments.decklists.services import publish_lists
from tournaments.models import Event, Round
from tournaments.models.touched import forget
from tournaments.personal.selectors.ended import AHEAD, DONE, NOW, SKIPPED, own_standing
from tournaments.player_pages.selectors import page_of
from tournaments.players.services.departures import withdraw
from tournaments.prospects.selectors.prospects import public_verdicts
from tournaments.rounds.services import draft_round
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db


def address(event: Event, number: int) -> str:
    return reverse("tournaments:player", args=[event.slug, number])


def test_it_tells_record_matches_and_road(client: Client) -> None:
    by = make.organiser()
    event = make.halfway(by, 6, rounds=2, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    facts = load_facts(event, drafts=False)
    (standings,) = facts.stages[0].outcome.standings.values()
    first = standings.rows[0]
    with translation.override("en"):
        shown = page_of(facts, first.player)
    assert shown is not None
    assert [line.round for line in shown["matches"]] == ["Round 2", "Round 1"]
    values = [value for value, _label in shown["figures"]]
    assert values[0] == "1st"
    assert values[-1] == f"{first.won}–{first.drawn}–{first.lost}"
    assert [step.state for step in shown["road"]] == [NOW, AHEAD]
    words = read(client, address(event, first.player))
    for line in shown["matches"]:
        (other,) = line.others
        assert other.name in words


def test_a_rank_that_others_share_is_marked(in_english):
    rows = [SimpleNamespace(rank=rank) for rank in (1, 2, 2)]
    table = SimpleNamespace(rows=rows)
    assert [rank_among(row, table) for row in rows] == ["1st", "=2nd", "=2nd"]


def test_it_follows_a_player_into_the_bracket_or_out() -> None:
    by = make.organiser()
    event = make.play_event(
        make.started(by, 6, formula="swiss-cut", options={"rounds": 2, "cut": 2}), by
    )
    facts = load_facts(event)
    (first,), (second,), third = facts.ranking[0], facts.ranking[1], facts.ranking[2]
    roads = {}
    for player in (first, second, third[0]):
        with translation.override("en"):
            found = page_of(facts, player)
        assert found
        roads[player] = [(step.state, step.words) for step in found["road"]]
    assert roads[first][1] == (DONE, "Final: won")
    assert roads[second][1] == (DONE, "Final: lost")
    assert roads[third[0]][1] == (SKIPPED, "not in this stage")


def test_a_stage_named_as_its_round_is_named_once(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 2, formula="single-elimination")
    Event.objects.filter(pk=event.pk).update(
        plan=json.loads(json.dumps(event.plan).replace('"Knock-out"', '"Final"'))
    )
    forget()
    make.next_round(Event.objects.get(pk=event.pk), by)
    words = " ".join(read(client, address(event, 1)).split())
    assert "Final · table 1" in words
    assert "Final · Final" not in words


def test_nobody_reads_it_of_a_draft_or_of_a_number_without_player(client: Client) -> None:
    by = make.organiser()
    draft = make.event(by)
    make.players(draft, 2, by)
    assert client.get(address(draft, 1)).status_code == 404
    event = make.started(by, 3)
    assert client.get(address(event, 1)).status_code == 200
    assert client.get(address(event, 4)).status_code == 404


def test_a_round_that_is_not_published_is_not_there(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 4)
    before = read(client, address(event, 1))
    draft_round(event=event, expected_round=1, by=by)
    assert "No match yet." in before
    assert "No match yet." in read(client, address(event, 1))


def test_the_list_is_linked_once_it_is_published(client: Client) -> None:
    by = make.organiser()
    event = make.played(by, 3, formula="single-group", decklists="required")
    to = reverse("tournaments:decklist", args=[event.slug, 1])
    assert to not in client.get(address(event, 1)).content.decode()
    publish_lists(event=event, by=by)
    assert to in client.get(address(event, 1)).content.decode()


def test_who_has_left_is_marked(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 4)
    withdraw(entry=event.entries.get(number=2), by=by)
    assert "No-show" in read(client, address(event, 2))


@pytest.mark.parametrize("name", ["players", "pairings", "standings", "ranking"])
def test_names_lead_to_it(client: Client, name: str) -> None:
    by = make.organiser()
    event = make.started(by, 4, formula="swiss-cut", options={"rounds": 2, "cut": 2})
    make.play_round(make.next_round(event, by), by)
    if name == "ranking":
        event = make.play_event(event, by)
    shown = client.get(reverse(f"tournaments:{name}", args=[event.slug])).content.decode()
    for number in (1, 2, 3, 4):
        assert f'href="{address(event, number)}"' in shown


def test_it_costs_no_query_beyond_the_facts(
    client: Client, django_assert_max_num_queries: object
) -> None:
    by = make.organiser()
    event = make.halfway(by, 6, rounds=2)
    facts = load_facts(event)
    with django_assert_max_num_queries(0):  # type: ignore[operator]
        assert page_of(facts, 1)


def test_nothing_is_to_come_for_who_has_left(client: Client) -> None:
    by = make.organiser()
    event = make.halfway(by, 6, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    withdraw(entry=event.entries.get(number=1), by=by)
    shown = page_of(load_facts(event, drafts=False), 1)
    assert shown is not None
    assert [(step.state, step.words) for step in shown["road"]][1:] == [(SKIPPED, "")]
    assert "to come" not in read(client, address(event, 1))


def test_in_the_middle_of_a_round_its_pages_speak_of_the_same_standings(by, in_english) -> None:
    event = make.halfway(by, 9, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    make.next_round(event, by)
    facts = load_facts(event, drafts=False)
    stage = facts.stages[0]
    bye = next(match for match in stage.matches_of(stage.last_round) if match.size == 1)
    entry = event.entries.select_related("event").get(pk=bye.seats[0])
    own, shown = own_standing(facts, entry), page_of(facts, entry.number)
    assert own is not None
    assert shown is not None
    (rows,) = (standings.rows for standings in stage.outcome.standings.values())
    assert own.row.rank != next(row.rank for row in rows if row.player == entry.number)
    assert (own.after, own.open) == ("Round 1", False)
    (rank, where), (points, _label), *_more = shown["figures"]
    assert rank.strip("=")[:-2] == str(own.row.rank)
    assert (where, points) == ("Swiss rounds · after round 1", own.row.values[0])
    record, label = shown["figures"][-1]
    assert label == "Won – drawn – lost, after round 1"
    assert sum(map(int, record.split("–"))) == 1
    road = shown["road"][0]
    assert (road.rank, road.words) == (own.rank, f"{rank}, after round 1")
    (told, *_earlier) = stage_standings(facts)
    assert (told.under_way, told.settled) == ("Round 2", 1)
    assert [link.there for link in told.links] == [True, False, False]
    make.play_round(stage_round(event), by)
    (told, *_earlier) = stage_standings(load_facts(event, drafts=False))
    assert (told.under_way, told.settled) == ("", 0)


def stage_round(event: Event) -> Round:
    return event.rounds.order_by("-ordinal")[0]


def test_a_short_table_is_told_as_of_now_and_said_to_be(by, in_english) -> None:
    event = make.playing(by, 4, formula="single-group", format="doomtrooper-original")
    match = stage_round(event).matches.select_related("round__event").first()
    make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    shown = page_of(load_facts(event, drafts=False), match.players[0].number)
    assert shown is not None
    assert shown["figures"][0] == ("1st", "Group · as of now")


def test_nothing_is_to_come_for_who_is_certainly_out(by, in_english) -> None:
    event = make.halfway(by, 8, rounds=2, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    facts = load_facts(event, drafts=False)
    out = [player for player, verdict in public_verdicts(facts).items() if verdict is Verdict.OUT]
    assert out
    for player in out:
        shown = page_of(facts, player)
        assert shown is not None
        assert [step.state for step in shown["road"]] == [NOW, SKIPPED]
        assert "to come" not in [step.words for step in shown["road"]]
