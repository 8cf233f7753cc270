"""A plan changed in play reaches what is computed from it, and bad moments change nothing."""

import pytest

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.rules.formulas.definitions import swiss_cut
from tests.told.reading import api
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import stored_plan
from tournaments.events.selectors.timetable import event_timetable
from tournaments.formulas.services import save_formula
from tournaments.models import Event
from tournaments.personal.selectors.ended import AHEAD, SKIPPED, player_path
from tournaments.plan_changes.services import change_plan
from tournaments.players.services.departures import withdraw
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Return four Swiss rounds and a top 8 of 16 players, two rounds of them played."""
    return make.halfway(by, 16, rounds=2, formula="swiss-cut", options={"rounds": 4, "cut": 8})


def facts_of_now(event):
    return load_facts(Event.objects.get(pk=event.pk))


def test_timetable_and_forecast_follow(event, by):
    before = event_timetable(facts_of_now(event), stored_plan(event))
    change_plan(event=event, change={"rounds": 3, "cut": 4, "minutes": 40}, by=by)
    facts = facts_of_now(event)
    after = event_timetable(facts, facts.plan)
    assert len(before.rows) - len(after.rows) == 2
    assert after.ends < before.ends


def test_what_players_still_need_and_their_own_pages_follow(event, by):
    facts = facts_of_now(event)
    told = {row["player"]: row["status"] for row in api(facts, "scenarios/?stage=1")}
    assert "out" not in told.values()
    change_plan(event=event, change={"rounds": 2, "cut": 4}, by=by)
    facts = facts_of_now(event)
    told = {row["player"]: row["status"] for row in api(facts, "scenarios/?stage=1")}
    through = {row["player"] for row in api(facts, "standings/?stage=1") if row["won"] == 2}
    assert len(through) == 4
    assert told == {player: "through" if player in through else "out" for player in told}
    for player in told:
        _swiss, knockout = player_path(facts, player)
        assert knockout.state == (AHEAD if player in through else SKIPPED)


def test_without_a_cut_the_winner_of_the_rounds_wins_the_event(event, by):
    change_plan(event=event, change={"rounds": 3, "cut": 0}, by=by)
    finished = make.play_event(Event.objects.get(pk=event.pk), by)
    facts = load_facts(finished)
    assert len(facts.stages) == 1
    assert len(facts.ranking[0]) == 1


# --- Bad moments ---------------------------------------------------------------------------------
def test_a_plan_changed_while_its_round_is_published_refuses_the_slower(event, by):
    draft = rounds.draft_round(event=event, expected_round=3, publish=False, by=by)
    change_plan(event=event, change={"rounds": 2}, by=by)
    with pytest.raises(RuleError) as refused:
        rounds.publish_round(event=event, ordinal=draft.ordinal, by=by)
    assert refused.value.code == "round_gone"
    assert event.rounds.count() == 2


def test_of_two_windows_the_slower_is_shown_the_page_again_with_a_sentence(event, by):
    client = signed_in(by)
    sent = client.get(url("plan", event)).context["form"].initial | {"confirmed": "1"}
    assert client.post(url("plan", event), sent | {"rounds": 5}).status_code == 302
    answer = client.post(
        url("plan", event), sent | {"rounds": 3}, headers={"accept-language": "en"}
    )
    assert answer.status_code == 409
    assert "This is no longer possible." in text(answer)
    assert stored_plan(Event.objects.get(pk=event.pk)).stages[0].rounds == 5


def test_a_cut_larger_than_the_players_still_in_is_refused_at_its_field(event, by):
    client = signed_in(by)
    for entry in event.entries.filter(number__gt=9):
        withdraw(entry=entry, by=by)
    sent = client.get(url("plan", event)).context["form"].initial | {"cut": 10}
    answer = client.post(url("plan", event), sent)
    assert (answer.status_code, [*answer.context["form"].errors]) == (400, ["cut"])


@pytest.mark.deep
@pytest.mark.parametrize("change", [{"cut": 2}, {"cut": 0}])
def test_a_format_of_ones_own_says_itself_who_advances(by, change):
    saved = save_formula(owner=by.user, data=swiss_cut())
    event = make.halfway(by, 12, formula=saved.slug)
    path = f"/api/v1/events/{event.slug}/plan/"
    answer = signed_in(by).patch(path, change, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "plan_fixed")
    assert "cut" in answer.json()["detail"]
    assert stored_plan(Event.objects.get(pk=event.pk)) == stored_plan(event)
