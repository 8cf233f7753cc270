"""Events of tables of three to five, from the first round to the final ranking."""

from collections import Counter

import pytest
from django.test import Client
from django.utils import timezone

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import EndedBy, Mark
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.lots.services import draw_start_order
from tournaments.models import Event, Match, Round
from tournaments.paper.contents import people
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.players.services.late_entries import add_late_entry
from tournaments.players.services.seeds import change_seeds
from tournaments.results.services.results import correct_result, decide_result
from tournaments.starting.services import start_event
from tournaments.strikes.services import strike
from tournaments.verification.event import verify_event

OF_TWO = {"formula": "swiss-cut", "options": {}}
pytestmark = pytest.mark.django_db


def decided(match: Match, claim: object, by: object) -> Match:
    match.refresh_from_db()
    return decide_result(match=match, version=match.version, claim=claim, by=by)


def test_an_event_is_played_from_the_first_table_to_the_final_and_verified(by):
    event = make.played(by, 11, **make.TABLES)
    facts = load_facts(event)
    swiss, cut = facts.stages
    sizes = Counter(match.size for match in swiss.matches)
    assert sizes == {4: 4, 3: 2}
    assert [match.size for match in cut.matches] == [4]
    assert sorted(player for level in facts.ranking for player in level) == [*range(1, 12)]
    assert [row.rank for row in cut.outcome.standings["cut"].rows] == [1, 2, 3, 4]
    assert [str(found) for found in verify_event(event)] == []


def test_places_and_marks_are_stored_and_told(by):
    event = make.playing(by, 7, **make.TABLES)
    four, three = sorted(Match.objects.filter(round__event=event), key=lambda match: -match.size)
    decided(four, Claim(first=2, marks=((3, Mark.ABSENT),)), by)
    decided(three, Claim(order=(2, 1, 3)), by)
    told = ((four, [2, 1, None, 2], {"3": "absent"}), (three, [2, 1, 3], None))
    for match, places, marks in told:
        match.refresh_from_db()
        assert match.decision is not None
        assert (match.decision.winner, match.decision.places) == ("", places)
        assert match.decision.marks == marks
    url = f"/api/v1/events/{event.slug}/matches/"
    shown = {row["id"]: row for row in Client().get(url).json()["results"]}
    assert (shown[four.pk]["a"], shown[four.pk]["winner"], shown[four.pk]["score"]) == (None,) * 3
    assert shown[four.pk]["places"] == [2, 1, None, 2]
    assert shown[four.pk]["marks"] == {"3": "absent"}
    assert len(shown[three.pk]["seats"]) == 3
    assert [str(found) for found in verify_event(event)] == []


def test_what_cannot_be_is_refused_and_nothing_stored(by):
    event = make.playing(by, 4, **make.TABLES)
    (match,) = Match.objects.filter(round__event=event)
    for claim in (Claim(first=5), Claim(score=(2, 1)), Claim(drawn=(1,))):
        with pytest.raises(BadInput) as refused:
            decided(match, claim, by)
        assert refused.value.code == "impossible_result"
    match.refresh_from_db()
    assert (match.version, match.state) == (0, Match.State.OPEN)


def test_who_leaves_has_a_mark_and_the_others_play_on(by):
    event = make.playing(by, 4, **make.TABLES)
    (match,) = Match.objects.filter(round__event=event)
    first, second, third, fourth = match.players
    withdraw(entry=second, by=by)
    match.refresh_from_db()
    assert match.state == Match.State.OPEN
    decided(match, Claim(first=1), by)
    match.refresh_from_db()
    assert match.decision.marks == {"2": "conceded"}
    corrected, _effects = correct_result(
        match=match, version=1, claim=Claim(first=2), reason="It was her", by=by
    )
    assert corrected.decision.places == [2, 1, 2, 2]
    assert corrected.decision.marks is None
    assert [str(found) for found in verify_event(event)] == []
    assert all(player.plays for player in (first, third, fourth))


def test_the_last_one_left_at_a_table_has_won(by):
    event = make.playing(by, 4, **make.TABLES)
    (match,) = Match.objects.filter(round__event=event)
    _first, second, third, fourth = match.players
    withdraw(entry=second, by=by)
    disqualify(entry=third, reason="Cheating", by=by)
    withdraw(entry=fourth, by=by)
    match.refresh_from_db()
    assert match.state == Match.State.FINAL
    assert match.decision.places == [1, 2, None, 2]
    assert match.decision.marks == {"2": "conceded", "3": "disqualified", "4": "conceded"}
    assert match.decision.ended_by == EndedBy.CONCESSION
    assert [str(found) for found in verify_event(event)] == []


def test_late_entries_missed_rounds_and_byes_are_of_one_seat(by):
    event = make.halfway(by, 5, **make.TABLES)
    entry = add_late_entry(event=event, name="Zoe", missed="bye", by=by)
    item = make.next_round(Event.objects.get(pk=event.pk), by)
    assert [match.size for match in item.matches.all()] == [3, 3]
    facts = load_facts(Event.objects.get(pk=event.pk))
    (stage,) = [one for one in facts.stages if one.groups]
    first = [match.size for match in stage.matches if match.round_id != item.pk]
    assert sorted(first) == [1, 1, 4]
    rows = stage.outcome.standings["tables"].rows
    assert {row.player: row.values["points"] for row in rows}[entry.number] == 5
    assert [str(found) for found in verify_event(event)] == []


def test_a_round_stores_what_its_tables_cost(by):
    event = make.halfway(by, 7, **make.TABLES)
    item = make.next_round(event, by)
    cost = Round.objects.get(pk=item.pk).cost
    assert cost.keys() == {"repeats", "apart", "again", "low", "spread", "proven", "method"}
    assert (cost["repeats"], cost["proven"], cost["method"]) == (3, True, 1)
    shown = Client().get(f"/api/v1/events/{event.slug}/rounds/2/").json()
    assert shown["proven"] is True
    assert shown["cost"] == {key: cost[key] for key in shown["cost"]}
    first = Client().get(f"/api/v1/events/{event.slug}/rounds/1/").json()
    assert first["cost"] == dict.fromkeys(first["cost"], 0)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"criteria": ["points", "head_to_head", "lots"]}, "criterion_needs_two"),
        ({"criteria": ["points", "nonsense"]}, "unknown_criterion"),
        ({"options": {"sizes": [4, 4]}}, "invalid_sizes"),
        ({"options": {"cut": 8}}, "invalid_cut"),
        ({"table_points": {"preset": "win7"}}, "unknown_points"),
        ({"table_points": {"places": [1, 2]}}, "invalid_points"),
        ({"table_points": {"win": 1, "draw": 2, "loss": 0}}, "invalid_points"),
        (OF_TWO | {"table_points": {"preset": "win5"}}, "invalid_points"),
        (OF_TWO | {"criteria": ["own_share"]}, "unknown_criterion"),
    ],
)
def test_settings_that_cannot_be_are_refused_when_the_event_is_saved(by, values, code):
    with pytest.raises(BadInput) as refused:
        make.event(by, **(make.TABLES | values))
    assert refused.value.code == code
    assert not Event.objects.exists()


def test_an_event_ranks_by_the_order_of_its_points_unless_it_names_one(by):
    assert make.event(by, **make.TABLES).criteria[1] == "opponents_share"
    by_place = make.event(by, **make.TABLES, table_points={"preset": "places"})
    assert by_place.criteria == ["points", "places_made", "opponents_average", "lots"]


def test_points_by_place_are_fractions(by):
    event = make.playing(by, 4, **make.TABLES, table_points={"preset": "places"})
    (match,) = Match.objects.filter(round__event=event)
    decided(match, Claim(order=(1, 2, 2, 4)), by)
    (stage, *_) = load_facts(Event.objects.get(pk=event.pk)).stages
    made = [str(row.values["points"]) for row in stage.outcome.standings["tables"].rows]
    assert made == ["4", "5/2", "5/2", "1"]
    assert [str(found) for found in verify_event(event)] == []


def test_a_correction_says_which_round_it_contradicts(by):
    event = make.halfway(by, 8, **make.TABLES)
    make.next_round(event, by)
    match = Match.objects.filter(round__event=event, round__ordinal=1).first()
    _match, effects = correct_result(
        match=match, version=1, claim=Claim(first=4), reason="Mistyped", take_back=True, by=by
    )
    assert [item.ordinal for item in effects.rounds] == [2]
    assert effects.moves
    assert event.rounds.count() == 1
    assert [str(found) for found in verify_event(event)] == []


def test_nobody_is_struck_from_tables(by):
    event = make.halfway(by, 4, **make.TABLES)
    entry = event.entries.first()
    withdraw(entry=entry, by=by)
    with pytest.raises(RuleError) as refused:
        strike(entry=entry, reason="Left early", by=by)
    assert refused.value.code == "cannot_strike"


def test_seed_positions_decide_who_meets_in_the_first_round(by):
    event = make.open_event(by, **make.TABLES)
    make.players(event, 11, by)
    change_seeds(event=event, seeds={9: "1", 4: "2", 7: "3"}, by=by)
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    event = Event.objects.get(pk=event.pk)
    make.play_round(make.next_round(event, by), by)
    numbers = dict(event.entries.values_list("pk", "number"))
    tables = [{numbers[seat] for seat in match.seats} for match in event.rounds.get().matches.all()]
    assert draw.order[:3] == [9, 4, 7]
    assert tables == [{*draw.order[at::3]} for at in range(3)]
    make.play_round(make.next_round(event, by), by)
    assert [str(found) for found in verify_event(event)] == []


def test_without_seed_positions_nothing_is_kept_of_them(by):
    event = make.started(by, 11, **make.TABLES)
    assert "seeded" not in event.plan["stages"][0]["own"]


@pytest.mark.parametrize("cut", [2, 4])
def test_a_knock_out_of_two_may_follow_the_tables(by, cut):
    options = {"rounds": 2, "cut": cut, "ending": "two"}
    event = make.played(by, 11, **make.TABLES | {"options": options})
    facts = load_facts(event)
    tables, knockout = facts.stages
    assert {match.size for match in tables.matches} == {3, 4}
    assert {match.size for match in knockout.matches} == {2}
    assert len(knockout.matches) == cut - 1
    assert sorted(player for level in facts.ranking for player in level) == [*range(1, 12)]
    final = max(knockout.matches, key=lambda match: match.number)
    assert facts.ranking[0] == (facts.numbers[final.seats[0]],)
    assert [str(found) for found in verify_event(event)] == []


def test_before_the_first_round_as_many_sit_at_a_table_as_play_a_match(by):
    event = make.open_event(by, **make.TABLES)
    make.players(event, 9, by)
    shown = people.seats(load_facts(event), timezone.now())["players"]
    assert Counter(line["table"] for line in shown) == {"1": 4, "2": 4, "3": 1}
