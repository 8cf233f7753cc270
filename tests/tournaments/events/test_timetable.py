"""The timetable and the rules of an event, as its players read them."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils.translation import override
from icalendar import Calendar

from rules.events.timetable import read_breaks
from rules.formulas.forecast import EventTimes, forecast
from tests import factories as make
from tests.browsers import ENGLISH, page, url
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import formula_by_slug
from tournaments.events.selectors.rules_in_words import rules_page_context
from tournaments.events.selectors.timetable import event_timetable
from tournaments.models import Round, RoundClock

pytestmark = pytest.mark.django_db


LUNCH = [{"at": "13:00", "minutes": 40, "label": "Pranzo"}]
TEN = datetime(2026, 12, 5, 9, tzinfo=UTC)
SWISS = {"formula": "swiss-cut", "options": {"rounds": 5, "cut": 0}, "breaks": LUNCH}


def told(event):
    event.refresh_from_db()
    facts = load_facts(event, for_staff=False)
    with override("en"):
        found = event_timetable(facts, facts.plan)
    return [(row["label"], f"{row['begins'].astimezone(event.zone):%H:%M}") for row in found.rows]


def test_before_the_start_it_is_planned_for_those_who_entered(by):
    event = make.open_event(by, starts_at=TEN, **SWISS)
    make.players(event, 8, by)
    said = page(Client(headers=ENGLISH), "event", event)
    assert said.count('datetime="2026-12-05T13:40:00+01:00">13:40</time>') == 1
    assert re.search(r"Pranzo,\s+\d+ min", said)
    assert "Round 5" in said
    found = Calendar.from_ical(Client().get(f"/events/{event.slug}.ics").content)
    assert found.events[0]["dtend"].dt.isoformat() == "2026-12-05T15:40:00+01:00"
    assert 'datetime="2026-12-05T15:40:00+01:00">15:40</time>' in said
    formula = formula_by_slug(event.formula)
    times = EventTimes(
        start=event.starts_at,
        zone=event.zone,
        minutes=event.minutes,
        breaks=read_breaks(event.breaks),
    )
    ends = forecast(formula, event.options, 8, times).ends
    assert f"{ends.astimezone(event.zone):%H:%M}" == "15:40", "as it was foretold"


def test_without_enough_players_there_is_none(by):
    event = make.open_event(by, starts_at=TEN, **SWISS)
    assert 'id="timetable"' not in page(Client(headers=ENGLISH), "event", event)
    found = Calendar.from_ical(Client().get(f"/events/{event.slug}.ics").content)
    assert "dtend" not in found.events[0]


def test_it_moves_when_a_round_begins_later(by):
    event = make.playing(by, 8, starts_at=TEN, **SWISS)
    first = event.rounds.get()
    Round.objects.filter(pk=first.pk).update(published_at=TEN + timedelta(minutes=20))
    assert told(event)[:3] == [("Round 1", "10:20"), ("Round 2", "11:20"), ("Round 3", "12:20")]
    assert told(event)[3] == ("Pranzo", "13:20")
    RoundClock.objects.create(
        round=first, minutes=55, state="running", used=600.0, since=TEN + timedelta(minutes=45)
    )
    assert told(event)[:3] == [("Round 1", "10:20"), ("Round 2", "11:40"), ("Round 3", "12:40")]


def test_stages_follow_one_another(by):
    event = make.started(by, 8, starts_at=TEN, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    assert [label for label, _time in told(event)] == [
        *(f"Swiss rounds · Round {number}" for number in (1, 2, 3)),
        *("Knock-out · Semi-finals", "Knock-out · Final and third place"),
    ]


@pytest.mark.deep
def test_it_is_gone_when_the_event_is_over(by):
    event = make.played(by, 4, formula="single-group")
    facts = load_facts(event)
    assert event_timetable(facts, facts.plan) is None
    assert 'id="timetable"' not in page(Client(headers=ENGLISH), "event", event)
    assert Client().get(url("event", event)).status_code == 200


def test_a_round_of_the_next_day_says_which(by):
    evening = datetime(2026, 12, 5, 20, tzinfo=UTC)  # 21:00
    event = make.open_event(by, starts_at=evening, **SWISS | {"breaks": []})
    make.players(event, 8, by)
    said = page(Client(headers=ENGLISH), "event", event)
    table = said.partition('id="timetable"')[2].partition("</section>")[0]
    assert table.count("6 December") == 2  # at the first round after midnight, and at the end
    assert "5 December" not in table
    assert table.index("Round 4") < table.index("6 December") < table.index("Round 5")


@pytest.mark.deep
def test_it_foretells_no_end_once_all_is_played(by):
    event = make.playing(by, 4, formula="swiss-cut", options={"rounds": 1, "cut": 0})
    assert "Expected end:" in page(Client(headers=ENGLISH), "event", event)
    make.play_round(event.rounds.get(), by)
    said = page(Client(headers=ENGLISH), "event", event)
    assert 'id="timetable"' in said
    assert "Expected end:" not in said


@pytest.mark.deep
def test_rounds_are_numbered_through_the_event_as_everywhere(by):
    event = make.started(by, 12)
    labels = [label for label, _time in told(event)]
    assert labels[2:5] == ["Groups · Round 3", "Second groups · Round 4", "Second groups · Round 5"]
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    said = page(Client(headers=ENGLISH), "event", event)
    assert "round 1 of 3" in said
    assert told(event)[3][0] == "Second groups · Round 4"


@pytest.mark.parametrize("cut", [0, 2])
def test_a_knock_out_is_spoken_of_where_there_is_one(by, cut, in_english):
    options = {"rounds": 3, "cut": cut}
    event = make.open_event(by, formula="swiss-cut", options=options, format="creatures-of-exo")
    event.confirm_after, event.overtime = cut, cut
    unanswered, overtime = "Minutes until a player’s report becomes final: 2.", "overtime: 2."
    assert any(unanswered in words for words in rules_page_context(event, 8)["match"]) == bool(cut)
    said = rules_page_context(event, 8)
    told = said["time"]
    assert any(overtime in words for words in said["limits"]) == bool(cut)
    assert any("Without a winner, the match is a draw." in words for words in told)
    assert any("Knock-out matches can’t end in a draw" in words for words in told) == bool(cut)
    assert said["leaving"] == "The match in progress counts as a loss; earlier results stand."


def test_no_knock_out_of_doomtrooper_is_spoken_of_in_a_single_group(by, in_english):
    event = make.open_event(by, formula="single-group")
    told = " ".join(rules_page_context(event, 8)["time"])
    assert "Without a winner, the match is a draw." in told
    assert "knock-out" not in told
    assert "In the knock-out, ties are broken" in " ".join(
        rules_page_context(make.open_event(by), 8)["time"]
    )


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("tables", "If a top cut table ends in a draw, its best seed advances."),
        ("two", "Knock-out matches can’t end in a draw: a judge decides."),
    ],
)
def test_at_tables_seat_1_begins_and_a_draw_is_settled_as_what_follows_has_it(
    by, ending, said, in_english
):
    options = {"options": {"cut": 4, "ending": ending}}
    event = make.open_event(by, **make.TABLES | options)
    told = rules_page_context(event, 26)
    assert told["first"] == "Seat 1 goes first."
    assert told["time"][1:2] == (said,)
    assert "A bye counts as a win" not in str(told["criteria"][0].explains)


@pytest.mark.parametrize(("players", "rests"), [(6, False), (7, True)])
def test_in_a_group_nobody_wins_by_resting(by, players, rests, in_english):
    event = make.open_event(by, formula="single-group", format="creatures-of-exo")
    told = rules_page_context(event, players)["points"]
    assert not any("bye counts as a win" in words for words in told)
    assert any("A bye in a group gives no points" in words for words in told) == rests


@pytest.mark.parametrize(("legs", "said"), [(1, "Rounds: 5"), (3, "Matches per pair: 3")])
def test_how_often_a_pair_meets_is_what_the_event_has(by, legs, said, in_english):
    options = {"options": {"legs": legs, "final": 0}}
    event = make.open_event(by, formula="single-group", format="creatures-of-exo", **options)
    told = " ".join(rules_page_context(event, 6)["formula"])
    assert said in told
    assert "optional final" not in told


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (make.TABLES, ["Rounds at tables · Players: 24 · Rounds: 2", "Cut by tables · Players: 4"]),
        ({"formula": "swiss-cut"}, ["Swiss rounds · Players: 24"]),
    ],
)
def test_only_where_all_meet_is_it_a_group(by, values, said, in_english):
    event = make.open_event(by, **values)
    told = " ".join(rules_page_context(event, 24)["formula"])
    assert [words for words in said if words not in told] == []
    assert "Round robin" not in told


@pytest.mark.parametrize("formula", ["single-elimination", "double-elimination"])
def test_brackets_alone_have_no_standings(by, formula, in_english):
    event = make.open_event(by, formula=formula, format="creatures-of-exo")
    told = rules_page_context(event, 8)
    assert (told["points"], told["criteria"]) == ((), ())
    assert "The remaining matches are forfeited" in told["leaving"]
    assert not any("is a draw" in words for words in told["time"])


def test_a_rest_without_points_is_told_of_the_stages_that_have_one(by, in_english):
    event = make.open_event(by, options={"preliminary": 1, "preliminary_rounds": 3})
    told = rules_page_context(event, 33)
    assert "Preliminary (Swiss rounds) · Players: 33 · Rounds: 3" in told["formula"]
    assert "A bye in a group gives no points." in told["points"]


def test_before_the_start_the_options_that_are_chosen_are_said(by, in_english):
    options = {"rounds": 6, "cut": 8}
    chosen = rules_page_context(make.open_event(by, formula="swiss-cut", options=options), 0)[
        "formula"
    ]
    assert "Number of rounds: 6." in chosen
    assert "Top cut: 8." in chosen
    assert "optional" not in " ".join(chosen)
    untold = make.open_event(by, formula="swiss-cut")
    untold.options = {}
    (usual,) = rules_page_context(untold, 0)["formula"]
    assert "optional" in usual
