"""A plan changed while it is played: stored, taken back, told, and refused."""

import re

import pytest
from django.utils.translation import override

from rules.errors import BadInput, RuleError
from rules.scenarios import Verdict
from tests import factories as make
from tests.browsers import by_link, page, signed_in, text, url
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import stored_plan
from tournaments.models import Event, StaffRole
from tournaments.plan_changes.selectors import plan_changes_text
from tournaments.plan_changes.services import change_plan
from tournaments.prospects.selectors import cached_prospects
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
ENGLISH = "Rounds: 4 → 3 · Top cut: 8 → 4"
CHANGED = "Turni: 4 → 3 · Top cut: 8 → 4"


@pytest.fixture
def event(by):
    """Return four Swiss rounds and a top 8 of 16 players, two rounds of them played."""
    return make.halfway(by, 16, rounds=2, formula="swiss-cut", options={"rounds": 4, "cut": 8})


def fresh(event):
    return Event.objects.get(pk=event.pk)


def shape(event):
    """Return the stages of an event's plan with rounds and seats, and those of its rows."""
    plan = [(stage.kind, stage.rounds, stage.size) for stage in stored_plan(fresh(event)).stages]
    return plan, [*event.stages.values_list("number", "kind")]


@pytest.mark.deep
def test_a_shortened_evening_is_played_to_its_end_archived_and_verified(event, by):
    change_plan(event=event, change={"rounds": 3, "cut": 4}, by=by)
    assert shape(event) == (
        [("swiss", 3, 16), ("knockout", 0, 4)],
        [(1, "swiss"), (2, "knockout")],
    )
    assert fresh(event).options == event.options
    finished = make.play_event(fresh(event), by)
    assert len(finished.rounds.all()) == 5
    assert verify_event(finished) == []
    again = restore_archive(event_archive(finished), slug="tornato")
    assert verify_event(again) == []
    assert stored_plan(again) == stored_plan(finished)


@pytest.mark.deep
def test_a_cut_comes_and_goes_with_its_stage_and_undo_and_redo_follow(event, by):
    before = shape(event)
    change_plan(event=event, change={"cut": 0}, by=by)
    without = shape(event)
    assert without == ([("swiss", 4, 16)], [(1, "swiss")])
    undo(event=event, expected=fresh(event).version, by=by)
    assert shape(event) == before
    redo(event=event, expected=fresh(event).version, by=by)
    assert shape(event) == without
    change_plan(event=event, change={"cut": 4, "third_place": False, "minutes": 40}, by=by)
    assert shape(event)[1] == before[1]
    assert fresh(event).minutes == 40
    assert verify_event(make.play_event(fresh(event), by)) == []


@pytest.mark.deep
@pytest.mark.parametrize("published", [True, False])
def test_a_round_without_results_that_no_longer_fits_is_cancelled_in_the_same_act(
    event, by, published
):
    make.rounds.draft_round(event=event, expected_round=3, publish=published, by=by)
    lines = event.log.count()
    found = change_plan(event=event, change={"rounds": 2}, by=by)
    assert (found.cancelled.ordinal, event.rounds.count()) == (3, 2)
    assert event.log.count() == lines + 1
    assert event.log.last().after == {"rounds": 2, "cancelled": 3} | (
        {"hides": ["round 3"]} if published else {}
    )
    undo(event=event, expected=fresh(event).version, by=by)
    assert event.rounds.count() == 3
    assert verify_event(fresh(event)) == []


def test_a_round_with_a_result_stays(event, by):
    item = make.next_round(event, by)
    make.play_round(item, by)
    with pytest.raises(BadInput, match="number from 3"):
        change_plan(event=event, change={"rounds": 2}, by=by)
    change_plan(event=event, change={"rounds": 3}, by=by)
    assert load_facts(fresh(event)).open_stage.rounds_done


def test_of_two_windows_the_slower_is_told(event, by):
    shown = {"rounds": 4, "cut": 8}
    change_plan(event=event, change={"rounds": 5}, expected=shown, by=by)
    with pytest.raises(RuleError) as refused:
        change_plan(event=event, change={"rounds": 3}, expected=shown, by=by)
    assert refused.value.code == "stale"
    assert shape(event)[0][0] == ("swiss", 5, 16)


@pytest.mark.deep
def test_without_a_stage_in_play_nothing_changes(by):
    event = make.played(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    with pytest.raises(RuleError) as refused:
        change_plan(event=event, change={"rounds": 2}, by=by)
    assert refused.value.code == "event_not_running"


@pytest.mark.deep
def test_everybody_reads_what_changed_while_the_stage_is_played(event, by, client):
    player = event.entries.first()
    assert CHANGED not in page(client, "event", event)
    change_plan(event=event, change={"rounds": 3, "cut": 4}, by=by)
    assert ENGLISH in page(by_link(player, by), "me", event)
    assert CHANGED in page(client, "event", event)
    assert CHANGED in page(client, "screen", event)
    with override("en"):
        assert plan_changes_text(fresh(event)) == ENGLISH
    make.play_event(fresh(event), by)
    assert plan_changes_text(fresh(event)) == ""


def test_what_differs_no_more_is_not_told(event, by, in_english):
    change_plan(event=event, change={"cut": 0, "rounds": 6}, by=by)
    assert plan_changes_text(fresh(event)) == "Rounds: 4 → 6 · Top cut: 8 → none"
    change_plan(event=event, change={"cut": 8, "rounds": 4}, by=by)
    assert plan_changes_text(fresh(event)) == ""


@pytest.mark.deep
def test_of_a_cut_where_there_was_none_nothing_before_is_told(by, in_english):
    event = make.halfway(by, 16, rounds=1, formula="swiss-cut", options={"rounds": 4, "cut": 0})
    change_plan(event=event, change={"cut": 4}, by=by)
    assert plan_changes_text(fresh(event)) == "Top cut: none → 4"


# --- The page ------------------------------------------------------------------------------------
def test_the_page_says_what_follows_before_it_changes_anything(event, by, in_english):
    client = signed_in(by)
    make.next_round(event, by)
    first = client.get(url("plan", event))
    sent = first.context["form"].initial | {"rounds": 2, "cut": 4}
    seen = client.post(url("plan", event), sent)
    words = " ".join(text(seen).split())
    for label, was, becomes in (
        ("Rounds", "4", "2"),
        ("Top cut", "8", "4"),
        ("Expected end", r"[\w:., ]+", r"[\w:., ]+"),
    ):
        assert re.search(rf"<dt>{label}</dt> <dd>{was} → {becomes}</dd>", words), label
    assert "Round 3" in words
    assert "<dt>Players who may finish undefeated</dt><dd>4</dd>" in words
    assert "Match for third place" not in words
    assert shape(event)[0] == [("swiss", 4, 16), ("knockout", 0, 8)]
    done = client.post(url("plan", event), sent | {"confirmed": "1"})
    assert (done.status_code, done["Location"]) == (302, url("desk", event))
    assert shape(event)[0] == [("swiss", 2, 16), ("knockout", 0, 4)]


@pytest.mark.deep
def test_of_two_undefeated_who_play_each_other_one_stays_so(event, by, in_english):
    client = signed_in(by)
    make.next_round(event, by)
    sent = client.get(url("plan", event)).context["form"].initial | {"rounds": 3}
    words = " ".join(text(client.post(url("plan", event), sent)).split())
    assert "<dt>Players who may finish undefeated</dt><dd>2</dd>" in words


@pytest.mark.deep
@pytest.mark.parametrize("change", [{"cut": 2, "rounds": 7}, {"cut": 0}])
def test_who_would_be_sure_no_more_is_named(by, in_english, change):
    event = make.halfway(by, 8, rounds=3, formula="swiss-cut", options={"rounds": 4, "cut": 4})
    client = signed_in(by)
    sent = client.get(url("plan", event)).context["form"].initial | change
    seen = client.post(url("plan", event), sent)
    sure = cached_prospects(load_facts(event).open_stage)
    through = [number for number, one in sure.items() if one.verdict is Verdict.THROUGH]
    assert through
    _before, named = text(seen).split("No longer certain to advance")
    for number in through:
        assert event.entries.get(number=number).display_name in named


@pytest.mark.deep
def test_a_setting_that_comes_with_a_cut_has_no_value_before(by, in_english):
    event = make.halfway(by, 8, formula="swiss-cut", options={"cut": 2, "third_place": True})
    client = signed_in(by)
    sent = client.get(url("plan", event)).context["form"].initial | {"cut": 4, "minutes": 40}
    words = " ".join(text(client.post(url("plan", event), sent)).split())
    assert "<dt>Match for third place</dt> <dd>played</dd>" in words
    assert "<dt>Minutes per round</dt> <dd>50 → 40</dd>" in words


@pytest.mark.parametrize(
    ("change", "field"), [({"rounds": "1"}, "rounds"), ({"cut": "7"}, None), ({"cut": "x"}, "cut")]
)
def test_a_refused_change_stands_at_its_field(event, by, change, field):
    client = signed_in(by)
    sent = client.get(url("plan", event)).context["form"].initial | change
    answer = client.post(url("plan", event), sent | {"confirmed": "1"})
    if field is None:
        assert answer.status_code == 302
    else:
        assert (answer.status_code, [*answer.context["form"].errors]) == (400, [field])


@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_the_page_is_for_organisers_and_the_head_judge(event, role):
    allowed = role in ("organiser", "head_judge")
    answer = signed_in(make.staff(event, role)).get(url("plan", event))
    assert answer.status_code == (200 if allowed else 403)
    assert (
        url("plan", event)
        in signed_in(make.staff(event, role)).get(url("desk", event)).content.decode()
    ) == allowed


# --- Programs ------------------------------------------------------------------------------------
def patch(event, by, **sent):
    client = signed_in(by)
    path = f"/api/v1/events/{event.slug}/plan/"
    return client.patch(path, sent, content_type="application/json")


def test_programs_change_the_plan(event, by):
    answer = patch(event, by, stage=1, rounds=5, cut=4, third_place=False, minutes=40)
    assert (answer.status_code, answer.json()["slug"]) == (200, event.slug)
    assert shape(event)[0] == [("swiss", 5, 16), ("knockout", 0, 4)]
    assert not stored_plan(fresh(event)).stages[1].third_place


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"rounds": 1}, 400, "rounds"),
        ({"cut": 17}, 400, "cut"),
        ({"minutes": 0}, 400, "minutes"),
        ({"rounds": "x"}, 400, "rounds"),
        ({}, 400, "nothing_changed"),
        ({"stage": 3, "rounds": 5}, 409, "plan_fixed"),
    ],
)
def test_programs_are_told_what_is_wrong(event, by, sent, status, code):
    answer = patch(event, by, **sent)
    assert answer.status_code == status
    assert code in answer.content.decode()
    assert shape(event)[0] == [("swiss", 4, 16), ("knockout", 0, 8)]
