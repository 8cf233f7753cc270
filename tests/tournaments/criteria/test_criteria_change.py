"""The order of the criteria: ready-made ones, and a change while the event runs."""

import pytest
from django.test import Client
from django.urls import reverse

from rules.criteria.presets import PRESETS
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.event_state import load_facts
from tournaments.criteria.selectors import criteria_change
from tournaments.events.services import change_event, change_event_state
from tournaments.models import Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
ALL_LEVEL = ["fewest_penalties", "lots"]


@pytest.fixture
def signed(by):
    return signed_in(by)


@pytest.fixture
def running(by):
    """Return an event of four whose first round is played."""
    return make.halfway(by, 4, formula="single-group", options={"final": 3})


def page_of(event):
    return reverse("tournaments:manage-criteria", args=[event.slug])


def test_after_the_start_a_reason_is_asked_for_and_kept(running, by):
    before = list(running.criteria)
    with pytest.raises(RuleError) as refused:
        change_event(event=running, changes={"criteria": ALL_LEVEL}, by=by)
    assert refused.value.code == "reason_missing"
    changed = change_event(event=running, changes={"criteria": ALL_LEVEL}, by=by, reason="Voto")
    line = changed.log.last()
    assert (line.action, line.reason) == ("event.changed", "Voto")
    assert (line.before, line.after) == ({"criteria": before}, {"criteria": ALL_LEVEL})
    rows = load_facts(changed).stages[0].outcome.standings["A"].rows
    assert [row.rank for row in rows] == [1, 1, 1, 1]


@pytest.mark.parametrize("criteria", [[], ["points", "points"], ["lots", "points"], ["luck"]])
def test_a_bad_order_is_refused_also_after_the_start(running, by, criteria):
    with pytest.raises(BadInput):
        change_event(event=running, changes={"criteria": criteria}, by=by, reason="Voto")
    running.refresh_from_db()
    assert running.criteria[0] == "points"


@pytest.mark.deep
def test_a_reason_opens_nothing_else_and_the_end_is_the_end(by):
    event = make.started(by, 4, formula="single-group")
    with pytest.raises(RuleError) as refused:
        change_event(event=event, changes={"points_win": 2}, by=by, reason="Voto")
    assert refused.value.code == "event_started"
    over = make.play_event(event, by)
    with pytest.raises(RuleError) as refused:
        change_event(event=over, changes={"criteria": ALL_LEVEL}, by=by, reason="Voto")
    assert refused.value.code == "event_finished"


def test_the_page_shows_what_changes_before_it_counts(running, signed):
    assert (
        "A different order can change who advances."
        in signed.get(page_of(running)).content.decode()
    )
    typed = {"criterion_fewest_penalties": "1", "criterion_lots": "2", "reason": "Voto"}
    shown = signed.post(page_of(running), typed)
    words = shown.content.decode()
    change = shown.context["change"]
    assert len(change["moves"]) == 3  # all but the first, who then share the first rank
    assert all(move.name in words and move.after == 1 for move in change["moves"])
    assert Event.objects.get().criteria[0] == "points"
    stored = signed.post(page_of(running), typed | {"seen": change["fingerprint"]})
    assert stored.status_code == 302
    assert Event.objects.get().criteria == ALL_LEVEL


def test_what_was_looked_at_must_still_hold(running, signed, by):
    typed = {"preset": "magic", "reason": "Voto"}
    seen = signed.post(page_of(running), typed).context["change"]["fingerprint"]
    other = signed.post(page_of(running), {"preset": "uefa", "reason": "Voto", "seen": seen})
    assert other.status_code == 200
    assert other.context["change"]["fingerprint"] != seen
    assert Event.objects.get().criteria[0:2] == ["points", "opponents_points"]


def test_a_reason_is_needed_and_the_same_order_changes_nothing(running, signed):
    assert signed.post(page_of(running), {"preset": "magic"}).status_code == 400
    same = {"preset": "doomtrooper", "reason": "Voto"}
    answer = signed.post(page_of(running), same)
    assert "This is already the current order." in answer.content.decode()
    assert not running.log.filter(action="event.changed").exists()


def test_before_the_start_the_settings_have_it(by, signed):
    event = make.open_event(by)
    answer = signed.get(page_of(event))
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith("/manage/settings/")


@pytest.mark.deep
def test_closed_stages_keep_who_went_on_and_stay_sound(by):
    event = make.started(by, 8, formula="mutant-chronicles")
    make.play_stage(event, by)
    facts = load_facts(event)
    from_first = criteria_change(facts, ALL_LEVEL)
    assert from_first["closed"] == ()
    event = change_event_state(event=make.play_event(event, by), action="reopen", by=by)
    places = [stage.places for stage in event.stages.all()]
    change_event(event=event, changes={"criteria": ALL_LEVEL}, by=by, reason="Voto")
    event = Event.objects.get()
    assert [stage.places for stage in event.stages.all()] == places
    assert not [one for one in verify_event(event) if one.check == "places"]
    assert criteria_change(load_facts(event), list(PRESETS.get("magic").criteria))["closed"]


def test_programs_give_the_reason_too(running, by):
    client = Client()
    client.force_login(by.user)
    url = f"/api/v1/events/{running.slug}/"
    order = list(PRESETS.get("magic").criteria)
    refused = client.patch(url, {"criteria": order}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "reason_missing")
    changed = client.patch(
        url, {"criteria": order, "reason": "Voto"}, content_type="application/json"
    )
    assert changed.json()["criteria"] == order


@pytest.mark.deep
def test_a_ready_made_order_wins_over_the_places(signed):
    form = signed.get("/events/new/?format=thoom&formula=swiss-cut").context["form"]
    values = {bound.html_name: bound.value() for bound in form}
    typed = {k: "" if v is None else v for k, v in values.items() if v is not False}
    typed |= {"name": "Ordine", "starts_at": "2026-12-05T10:00", "preset": "chess"}
    assert signed.post("/events/new/", typed).status_code == 302
    assert Event.objects.get().criteria == list(PRESETS.get("chess").criteria)
    assert Event.objects.get().show_prospects


def test_a_criterion_with_an_error_is_not_folded_away(running, signed):
    assert "<details open>" not in signed.get(page_of(running)).content.decode()
    refused = signed.post(page_of(running), {"criterion_lots": "-3", "criterion_points": "1"})
    assert refused.status_code == 400
    assert "<details open>" in refused.content.decode()


def test_two_criteria_do_not_share_a_place(running, signed):
    typed = {"criterion_points": "1", "criterion_score_for": "1", "criterion_lots": "1"}
    refused = signed.post(page_of(running), typed | {"reason": "Voto"})
    assert refused.status_code == 400
    assert "Use each value only once." in refused.content.decode()
    typed = {"criterion_points": "2", "criterion_score_for": "1", "criterion_lots": "1"}
    shown = signed.post(page_of(running), typed | {"reason": "Voto"})
    assert shown.status_code == 200
    assert "Points scored › Points › Random draw" in shown.content.decode()
