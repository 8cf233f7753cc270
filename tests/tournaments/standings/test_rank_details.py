"""What stands beside ranks: moves, last results, the line, places that are certain, reasons."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from rules.matches.match_rules import Claim
from rules.results import Winner, two_player_result
from rules.scenarios import Verdict
from rules.scenarios.verdicts import CutSide
from rules.series.points import read_series_points
from rules.series.table import rank_series, series_criterion, series_history
from rules.standings.rank_document import rank_document
from rules.standings.table import ResultMark, rank
from tests import factories as make
from tests.browsers import read
from tests.rules.series.test_points import event as event_of_series
from tests.tournaments.corrections.test_follow import DOOMTROOPER, settled
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.facts_cache import cached_facts, read_facts
from tournaments.core.kept_places import standings_across_groups
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.personal.selectors.state import current_page_state
from tournaments.players.services.departures import withdraw
from tournaments.results.services.results import correct_result, decide_result
from tournaments.stages.services import close_stage
from tournaments.standings.selectors import ranking
from tournaments.standings.selectors.proofs import rank_reasons
from tournaments.standings.selectors.rank_details import ranks_after_rounds
from tournaments.standings.selectors.ranking import (
    RankingPage,
    RankingRow,
    order_players,
    ranking_figures,
    ranking_page,
)
from tournaments.standings.selectors.standings import (
    RankChart,
    StandingsTable,
    stage_standings,
    standings_sidebar,
)

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}


def table_of(facts: EventFacts) -> StandingsTable:
    return stage_standings(facts)[-1].tables[0]


def race_of(facts: EventFacts) -> RankChart:
    beside = standings_sidebar(facts)
    assert beside is not None
    assert beside.race is not None
    return beside.race


def swiss(by: Actor, rounds: int, players: int = 8) -> Event:
    return make.halfway(by, players, rounds=rounds, **SWISS)


def test_nobody_has_moved_after_the_first_round() -> None:
    facts = load_facts(swiss(make.organiser(), 1), for_staff=False)
    rows = table_of(facts).rows
    assert {row.moved for row in rows} == {0}
    assert {len(row.cells) for row in rows} == {1}
    (cell,) = rows[0].cells
    assert (cell.kind, len(cell.others), len(cell.ranks)) == (ResultMark.WON, 1, 1)


def test_moves_are_those_since_the_round_before() -> None:
    facts = load_facts(swiss(make.organiser(), 2), for_staff=False)
    (before,) = ranks_after_rounds(facts, facts.stages[0], 1).values()
    rows = table_of(facts).rows
    assert any(row.moved for row in rows)
    for row in rows:
        assert row.moved == before[row.entry.number] - row.rank


def test_the_line_is_below_those_who_would_go_on(client: Client) -> None:
    event = swiss(make.organiser(), 1)
    rows = table_of(load_facts(event, for_staff=False)).rows
    assert [row.zone for row in rows] == [CutSide.THROUGH] * 2 + [CutSide.OUT] * 6
    words = read(client, reverse("tournaments:standings", args=[event.slug]))
    assert words.count('<tr class="cut-line') == 1
    assert "The first 2 advance" in words
    assert "Tied for the last spots" not in words
    italian = read(client, reverse("tournaments:standings", args=[event.slug]), "it")
    assert "Passano i primi 2" in italian


def test_the_line_says_with_how_many_points_one_surely_advances(client: Client) -> None:
    event = swiss(make.organiser(), 2)
    address = reverse("tournaments:standings", args=[event.slug])
    assert re.search(
        r"The first 2 advance · \d+ points are enough to advance", read(client, address)
    )
    Event.objects.filter(pk=event.pk).update(show_prospects=False)
    hidden = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    assert table_of(hidden).cut == "The first 2 advance"


def test_who_has_left_does_not_part_those_who_go_on(client: Client, by: Actor) -> None:
    event = swiss(by, 1)
    first, second = (row.entry for row in table_of(load_facts(event, for_staff=False)).rows[:2])
    withdraw(entry=event.entries.get(number=second.number), by=by)
    shown = read(client, reverse("tournaments:standings", args=[event.slug]))
    assert shown.count('<tr class="cut-line') == 1
    above = shown.partition('<tr class="cut-line')[0]
    assert above.index(first.display_name) < above.index(second.display_name)


def test_who_shares_the_last_place_is_level_on_the_line(client: Client, by: Actor) -> None:
    event = make.started(by, 4, **SWISS)
    drawn = Claim(score=(30, 30), ended_by="time")
    make.play_round(make.next_round(event, by), by, lambda match, index: drawn)
    words = read(client, reverse("tournaments:standings", args=[event.slug]))
    assert '<tr class="cut-line level">' in words
    assert "Tied for the last spots" in words


@pytest.mark.deep
def test_what_points_decide_is_told_unless_prospects_are_hidden() -> None:
    event = swiss(make.organiser(), 2)
    rows = table_of(load_facts(event, for_staff=False)).rows
    assert rows[-1].certain is Verdict.OUT
    Event.objects.filter(pk=event.pk).update(show_prospects=False)
    hidden = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    assert {row.certain for row in table_of(hidden).rows} == {None}


@pytest.mark.deep
def test_an_earlier_round_is_shown_as_it_was(client: Client, by: Actor) -> None:
    event = swiss(by, 1)
    address = reverse("tournaments:standings", args=[event.slug])
    then = [(row.rank, row.entry.name) for row in table_of(load_facts(event, for_staff=False)).rows]
    first = swiss(by, 0, 4)
    make.next_round(first, by)
    (stage,) = client.get(reverse("tournaments:standings", args=[first.slug])).context["stages"]
    assert not stage.links
    make.play_round(make.next_round(event, by), by)
    shown = client.get(address, {"after": "1"}).context["stages"]
    (table,) = shown[0].tables
    assert [(row.rank, row.entry.name) for row in table.rows] == then
    assert [link.there for link in shown[0].links] == [True, True, False]
    for rubbish in ("0", "9", "x", "-1", "99999"):
        assert client.get(address, {"after": rubbish}).context["earlier"] is False


@pytest.mark.deep
def test_ranks_after_earlier_rounds_are_kept_while_results_come(by: Actor) -> None:
    event = swiss(by, 2)
    item = make.next_round(event, by)
    event = Event.objects.get(pk=event.pk)
    cached_facts.forget()
    held = cached_facts.facts(event, drafts=False)
    before = race_of(held)
    assert before.drawn.count("<polyline") == 7
    enter(item.matches.first(), by)
    later = cached_facts.facts(Event.objects.get(pk=event.pk), drafts=False)
    assert later is not held
    assert race_of(later) is before
    first = load_facts(event, for_staff=False).stages[0].matches[0]
    match = Match.objects.get(pk=first.pk)
    claim = Claim(score=(5, 40))
    correct_result(match=match, version=match.version, claim=claim, reason="typo", by=by)
    corrected = cached_facts.facts(Event.objects.get(pk=event.pk), drafts=False)
    assert race_of(corrected) is not before
    cached_facts.forget()


def enter(match: Match | None, by: Actor) -> None:
    assert match is not None
    decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)


@pytest.mark.deep
def test_a_group_has_a_cross_table(client: Client, by: Actor) -> None:
    event = make.halfway(by, 4, rounds=2, formula="single-group")
    cross = table_of(read_facts(event)).cross
    assert cross is not None
    for at, row in enumerate(cross["rows"]):
        assert row["cells"][at].own
        for other, cell in enumerate(row["cells"]):
            mirrored = cross["rows"][other]["cells"][at]
            wins = {
                ResultMark.WON: ResultMark.LOST,
                ResultMark.LOST: ResultMark.WON,
                ResultMark.DRAWN: ResultMark.DRAWN,
            }
            assert mirrored.marks == tuple(wins[mark] for mark in cell.marks)
    assert "Cross table" in read(client, reverse("tournaments:standings", args=[event.slug]))
    assert table_of(load_facts(swiss(by, 1), for_staff=False)).cross is None


@pytest.mark.deep
def test_the_winner_has_a_place_while_others_play_for_third(by):
    event = make.halfway(by, 4, formula="single-elimination", format="creatures-of-exo")
    matches = make.next_round(event, by).matches.all()
    _third, final = sorted(matches, key=lambda match: match.number)
    make.results.decide_result(match=final, version=0, claim=make.a_wins(final), by=by)
    facts = load_facts(event, for_staff=False)
    ranking = ranking_page(facts)
    assert [(row.rank, row.entry.pk) for row in ranking.rows] == [
        (1, final.seats[0]),
        (2, final.seats[1]),
    ]
    assert (ranking.still_in, ranking.podium) == (2, ())
    assert [current_page_state(facts, one).place for one in final.players] == [1, 2]
    order = [entry.pk for _rank, entry in order_players(facts, ranking_figures(facts)[0])]
    assert order[:2] == [*final.seats]


@pytest.mark.deep
def test_who_is_out_of_a_table_for_certain_stands_on_their_place(by):
    values = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}
    event = make.halfway(by, 6, rounds=2, **values)
    item = make.next_round(event, by)
    for match in item.matches.select_related("round__event").order_by("table")[1:]:
        make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    facts = load_facts(event, for_staff=False)
    told = {row.entry.number: row.rank for row in ranking_page(facts).rows}
    own = {entry.number: current_page_state(facts, entry).place for entry in event.entries.all()}
    assert told
    assert told == {number: place for number, place in own.items() if place}


def test_the_ranks_of_a_table_are_those_of_now_where_it_stands_alone(by, monkeypatch):
    event = make.halfway(by, 6, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    facts = load_facts(event, for_staff=False)
    found, _criteria = ranking_figures(facts)
    (third,) = (facts.entries[number] for number, own in found.items() if own.rank.first == 3)
    fourth = RankingRow(rank=4, last=4, shared=False, entry=third)  # as open matches may have it
    page = RankingPage(rows=(fourth,), podium=(), still_in=5)
    monkeypatch.setattr(ranking, "ranking_page", lambda _facts: page)
    ranks = [(rank, found[entry.number].rank) for rank, entry in order_players(facts, found)]
    assert ranks == [(rank, rank) for rank in sorted(own.rank for own in found.values())]


NAMES = {1: "Ada", 2: "Bea", 3: "Cleo", 4: "Dora"}


def test_nobody_is_told_to_be_level_with_themselves() -> None:
    scores = {(1, 4): (5, 0), (2, 3): (4, 1)}
    results = [
        two_player_result(round=1, a=a, b=b, winner=Winner.A, score=s)
        for (a, b), s in scores.items()
    ]
    table = rank(players=(1, 2, 3, 4), results=results, criteria=("points", "score_for", "lots"))
    with override("en"):
        told = rank_reasons(table, NAMES)
    assert told[1].endswith(": 5; Bea: 4.")
    assert told[2].endswith(": 4; Ada: 5.")
    for player, words in told.items():
        assert NAMES[player] not in words


def test_the_reasons_of_a_series_are_told_by_its_own_criteria() -> None:
    rule = read_series_points({"by_place": [10, 6, 4, 2], "least_events": 2})
    orders = [(1, 2, 3), (2, 3, 1), (3, 4, 1, 2)]
    events = [event_of_series(str(at), *order) for at, order in enumerate(orders)]
    table = rank_series(series_history(rule, events), ("points", "next_best"))
    with override("en"):
        told = rank_reasons(table, NAMES, named=series_criterion)
    assert told == {
        3: "Points: 20; Bea: 18.",
        2: "Points: 18; Cleo: 20.",
        1: "Next best results: 10 / 4 / 4; Bea: 10 / 6 / 2.",
        4: "Events: 1; Ada: 3.",
    }
    with override("it"):
        assert rank_reasons(table, NAMES, named=series_criterion)[4] == "Eventi: 1; Ada: 3."


def test_places_at_tables_are_told_one_after_the_other() -> None:
    found = rank_document(
        {
            "players": ["Ada", "Bea", "Cleo"],
            "points": {"preset": "places"},
            "criteria": ["places_made"],
            "matches": [
                {"seats": ["Ada", "Bea", "Cleo"], "places": [1, 2, 3]},
                {"seats": ["Ada", "Bea", "Cleo"], "places": [3, 1, 2]},
                {"seats": ["Ada", "Bea", "Cleo"], "places": [3, 2, 1]},
            ],
        }
    )
    names = {one: one for one in ("Ada", "Bea", "Cleo")}
    with override("en"):
        told = rank_reasons(found.standings, names)
    assert told["Cleo"] == "Places made (Ada, Bea, Cleo): 1 / 1 / 1; Bea: 1 / 2 / 0."


def compared(event):
    stage = load_facts(event, for_staff=False).stages[0]
    tables = standings_across_groups(stage).items()
    return {rank: [row.player for row in table.rows] for rank, table in tables}


@pytest.mark.deep
def test_those_compared_when_the_stage_closed_stay_though_one_leaves_later(by):
    event = make.stage_played(by, 8, **DOOMTROOPER)
    settled(event, by)
    before = compared(event)
    close_stage(event=event, expected_stage=1, by=by)
    for players in before.values():
        withdraw(entry=event.entries.get(number=players[0]), by=by)
    assert compared(event) == before
