"""Events of tables of three to five and their people, from the first round to the ranking."""

import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.matches.match_rules import Claim
from rules.results import MatchEnding, SeatMark
from rules.scenarios.verdicts import Verdict
from tests import factories as make
from tests.browsers import ENGLISH, page, signed_in, url
from tests.canary import found_in_rows
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.lots.services import draw_start_order
from tournaments.models import Entry, Event, Match, Report, Round
from tournaments.paper.contents import tables
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.players.services.entries import change_entry
from tournaments.players.services.late_entries import add_late_entry
from tournaments.players.services.seeds import change_seeds
from tournaments.results.services.results import correct_result, decide_result
from tournaments.standings.selectors.rank_details import certain_verdicts
from tournaments.starting.services import start_event
from tournaments.strikes.services import strike
from tournaments.verification.event import verify_event

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


@pytest.mark.deep
def test_pairings_tell_the_points_before_the_round(client: Client, by):
    event = make.halfway(by, 7, rounds=1, **make.TABLES)
    make.next_round(event, by)
    words = page(client, "pairings", event)
    assert words.count('<small class="record">') == 7
    assert re.search(r'<small class="record">\d+ pts?</small>', words)


def test_places_and_marks_are_stored_and_told(by):
    event = make.playing(by, 7, **make.TABLES)
    four, three = sorted(Match.objects.filter(round__event=event), key=lambda match: -match.size)
    decided(four, Claim(first=2, marks=((3, SeatMark.ABSENT),)), by)
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


@pytest.mark.deep
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
    assert match.decision.ended_by == MatchEnding.CONCESSION
    assert [str(found) for found in verify_event(event)] == []


@pytest.mark.deep
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


def test_an_event_ranks_by_the_order_of_its_points_unless_it_names_one(by):
    assert make.event(by, **make.TABLES).criteria[1] == "opponents_share"
    by_place = make.event(by, **make.TABLES, table_points={"preset": "places"})
    assert by_place.criteria == ["points", "places_made", "opponents_average", "lots"]


@pytest.mark.deep
def test_points_by_place_are_fractions(by):
    event = make.playing(by, 4, **make.TABLES, table_points={"preset": "places"})
    (match,) = Match.objects.filter(round__event=event)
    decided(match, Claim(order=(1, 2, 2, 4)), by)
    (stage, *_) = load_facts(Event.objects.get(pk=event.pk)).stages
    made = [str(row.values["points"]) for row in stage.outcome.standings["tables"].rows]
    assert made == ["4", "5/2", "5/2", "1"]
    assert [str(found) for found in verify_event(event)] == []


@pytest.mark.deep
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
    assert make.refusal(strike, entry=entry, reason="Left early", by=by) == "cannot_strike"


@pytest.mark.deep
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
    event = make.started(by, 11, **make.TABLES)
    assert "seeded" not in event.plan["stages"][0]["own"]


@pytest.mark.deep
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
    shown = tables.seats_sheet(load_facts(event), timezone.now())["players"]
    assert Counter(line["table"] for line in shown) == {"1": 4, "2": 4, "3": 1}


@pytest.mark.deep
@pytest.mark.parametrize("seat", [1, 3, 4])
def test_the_reason_of_a_correction_keeps_no_word_of_the_name(by, seat):
    event = make.playing(by, 4, **make.TABLES)
    match = Match.objects.get(round__event=event)
    player = match.players[seat - 1]
    change_entry(entry=player, changes={"name": "Zefirina Ghirelli"}, by=by)
    match = decide_result(match=match, version=0, claim=Claim(first=1), by=by)
    reason = "Ghirelli ha contato male"
    correct_result(match=match, version=1, claim=Claim(first=2), reason=reason, by=by)
    withdraw(entry=player, reason="Ghirelli è partita", by=by)
    erase_player(event=event, number=player.number, confirm="Zefirina Ghirelli", by=by)
    event = Event.objects.get(pk=event.pk)
    written = [
        *Report.objects.values_list("note", flat=True),
        *event.log.values_list("facts", "reason"),
    ]
    assert [text for text in written if "Ghirelli" in str(text)] == []
    assert list(verify_event(event)) == []


def faults(event: Event) -> list[str]:
    return [str(found) for found in verify_event(Event.objects.get(pk=event.pk))]


def test_my_data_has_the_seats_of_a_table_and_what_was_said_by_account_there(by):
    event = make.playing(by, 7, **make.TABLES)
    match = Match.objects.exclude(match_seats__number=4).get(
        round__event=event, match_seats__number=3
    )
    entry = match.players[2]
    entry.user = make.user()
    entry.save()
    client = signed_in(Actor(user=entry.user))
    client.post(url("my-report", event, match.pk), {"version": 0, "preset": "1"})
    (event_told,) = client.get(reverse("tournaments:my-data")).json()["events"]
    seats = [player.number for player in match.players]
    assert event_told["matches"] == [
        {"round": 1, "table": match.table, "seats": seats, "a": None, "b": None}
        | dict.fromkeys(("winner", "score_a", "score_b", "games_a", "games_b", "places", "marks"))
    ]
    (report,) = event_told["reports"]
    assert (report["places"], report["kind"]) == ([1, 2, 2], "report")
    make.play_round(event.rounds.get(), by)
    (told,) = client.get(reverse("tournaments:my-data")).json()["events"][0]["matches"]
    assert sorted(told["places"])[0] == 1
    assert len(told["places"]) == 3


@pytest.mark.deep
def test_a_denial_and_a_bye_are_in_my_data(by):
    event = make.playing(by, 5, **make.TABLES)
    match = Match.objects.exclude(match_seats__number=5).get(
        round__event=event, match_seats__number=4
    )
    first, second = match.players[:2]
    for entry in (first, second):
        entry.user = make.user()
        entry.save()
    signed_in(Actor(user=first.user)).post(
        url("my-report", event, match.pk), {"version": 0, "preset": "2"}
    )
    client = signed_in(Actor(user=second.user))
    client.post(url("my-contradict", event, match.pk), {"version": 1})
    told = client.get(reverse("tournaments:my-data")).json()["events"][0]
    assert [report["kind"] for report in told["reports"]] == ["denial"]
    resting = Match.objects.exclude(match_seats__number=2).get(round__event=event).players[0]
    resting.user = make.user()
    resting.save()
    told = signed_in(Actor(user=resting.user)).get(reverse("tournaments:my-data")).json()
    (bye,) = told["events"][0]["matches"]
    assert (bye["seats"], bye["a"], bye["b"]) == ([resting.number], resting.number, None)
    assert bye["winner"] == "a"


@pytest.mark.deep
@pytest.mark.parametrize("state", ["running", "finished"])
def test_who_is_erased_keeps_seats_and_places_and_no_name(by, state):
    begin = make.played if state == "finished" else make.halfway
    event = begin(by, 7, **make.TABLES)
    if state == "running":
        withdraw(entry=event.entries.get(number=6), reason="Fosca esce", by=by)
        make.next_round(event, by)
    name, before = event.entries.get(number=6).name, load_facts(event)
    assert found_in_rows(name.lower())
    erase_player(event=event, number=6, confirm=name, by=by)
    assert found_in_rows(name.lower()) == []
    assert faults(event) == []
    after = load_facts(Event.objects.get(pk=event.pk))
    assert after.ranking == before.ranking
    told = [
        [(match.seats, match.decision and match.decision.places) for match in stage.matches]
        for facts in (before, after)
        for stage in facts.stages
    ]
    half = len(told) // 2
    assert told[:half] == told[half:]
    erased = Event.objects.get(pk=event.pk)
    first = event_archive(erased)
    erased.delete()
    again = restore_archive(first, caller=by.user)
    assert event_archive(again) == first
    assert faults(again) == []
    assert not Entry.objects.filter(event=again, name=name).exists()


@pytest.mark.deep
def test_a_restored_event_of_tables_is_played_on(by):
    event = make.halfway(by, 11, **make.TABLES)
    first = event_archive(event)
    event.delete()
    again = restore_archive(first, caller=by.user)
    assert event_archive(again) == first
    finished = make.play_event(again, by)
    assert finished.state == "finished"
    assert faults(finished) == []


@pytest.mark.deep
def test_figures_of_a_finished_event_count_seats_and_drawn_tables(by):
    event = make.play_event(
        make.started(by, 8, **make.TABLES),
        by,
        lambda _match, index: Claim(drawn=(1, 2)) if index == 1 else Claim(first=1),
    )
    said = " ".join(re.sub(r"<[^>]+>", " ", page(Client(headers=ENGLISH), "event", event)).split())
    assert "Matches 5 " in said  # two rounds of two tables, and the final
    assert "Drawn 40 %" in said
    assert "Matches per player 2.5" in said


@pytest.mark.deep
def test_a_players_page_names_the_whole_company_with_the_seat_and_the_place(by):
    event = make.played(by, 7, **make.TABLES)
    match = (
        Match.objects.exclude(match_seats__number=4)
        .filter(round__event=event, match_seats__number=3)
        .order_by("pk")[0]
    )
    entry, *others = match.players
    said = page(Client(headers=ENGLISH), "player", event, entry.number)
    lines = said[said.index('class="match-lines"') :]
    names = re.findall(r"<bdi[^>]*>([^<]+)</bdi>", lines)
    assert {other.display_name for other in others} <= {*names}
    assert "Seat 1" in re.sub(r"\s+", " ", lines)


THROUGH, OUT = Verdict.THROUGH, Verdict.OUT


def certain(event):
    facts = load_facts(event)
    stage = facts.open_stage
    ((group, standings),) = stage.outcome.standings.items()
    return certain_verdicts(facts, stage, group, standings)


def one_round(by, **values):
    """Return an event of two tables whose best four go on after one round, and its matches."""
    settings = make.TABLES | {"options": {"rounds": 1, "cut": 4}} | values
    event = make.playing(by, 8, **settings)
    return event, Match.objects.filter(round__event=event).order_by("table")


def numbers(match):
    return [player.number for player in match.players]


@pytest.mark.deep
def test_whoever_may_still_win_a_table_is_neither_through_nor_out(by):
    event, (first, second) = one_round(by)
    decide_result(match=first, version=0, claim=Claim(drawn=()), by=by)
    assert certain(event) == {}
    decide_result(match=second, version=0, claim=Claim(first=1), by=by)
    winner, *others = numbers(second)
    assert certain(event) == {winner: THROUGH, **dict.fromkeys(others, OUT)}
    assert certain(make.halfway(by, 8, **make.TABLES)) == {}


def test_points_by_place_make_certain_too(by):
    event, matches = one_round(by, table_points={"preset": "places"})
    for match in matches:
        decide_result(match=match, version=0, claim=Claim(order=(1, 2, 3, 4)), by=by)
    found = certain(event)
    assert {found[one] for match in matches for one in numbers(match)[:2]} == {THROUGH}
    assert {found[one] for match in matches for one in numbers(match)[2:]} == {OUT}


ONE_ROUND = make.TABLES | {"options": {"rounds": 1, "cut": 4}}


@pytest.fixture
def event(by):
    """Eight at two tables of the only round; the first table is over, seat 1 won."""
    event = make.playing(by, 8, **ONE_ROUND)
    match = Match.objects.filter(round__event=event).order_by("number").first()
    decide_result(match=match, version=match.version, claim=Claim(first=1), by=by)
    return event


def scenarios(event):
    return Client().get(f"/api/v1/events/{event.slug}/scenarios/").json()


def seated(event, table):
    match = Match.objects.filter(round__event=event).order_by("number")[table]
    return [player.number for player in match.players]


def test_api_and_pages_tell_who_is_through_and_what_is_needed(event):
    told = {row["player"]: row for row in scenarios(event)}
    winner, second, *_others = seated(event, 0)
    assert (told[winner]["status"], told[winner]["next"]) == ("through", None)
    assert told[second]["status"] == "open"
    playing = told[seated(event, 1)[0]]
    assert playing["exact"] is False
    assert playing["next"] == {"opponent": None, "win": "through", "draw": "open", "loss": "open"}
    foreseen = page(Client(headers=ENGLISH), "prospects", event)
    assert "Tiebreakers are not included yet" in foreseen
    assert url("prospects", event) in page(Client(headers=ENGLISH), "standings", event)
    entry = event.entries.get(number=seated(event, 1)[0])
    entry.user = make.user()
    entry.save()
    own = page(signed_in(Actor(user=entry.user)), "me", event)
    assert "<span>Qualified</span>" in own


def test_points_by_place_tell_what_the_first_place_brings(by):
    event = make.playing(by, 8, **ONE_ROUND, table_points={"preset": "places"})
    told = {row["player"]: row for row in scenarios(event)}
    told_alone = {"opponent": None, "win": "through", "draw": None, "loss": None}
    assert told[seated(event, 0)[0]]["next"] == told_alone
