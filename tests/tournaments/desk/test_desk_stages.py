"""Lots and advancing from the desk."""

import re

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.level_players import all_drawn
from tournaments.core.event_state import load_facts
from tournaments.models import Draw, Event, StaffRole, Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def tied(by) -> Event:
    event = make.started(by, 4)
    make.play_stage(event, by, all_drawn)
    return event


@pytest.fixture
def played(by) -> Event:
    event = make.stage_played(by, 12)
    make.draw_lots(event, by)
    return event


def test_lots_that_decide_are_the_next_step(tied, by):
    client = signed_in(by)
    desk = text(client.get(url("desk", tied)))
    assert "Decide between tied players" in desk
    assert "Tied players" in desk
    page = text(client.get(url("lots", tied)))
    announced = Draw.objects.get(state=Draw.State.ANNOUNCED)
    assert announced.fingerprint not in page
    assert announced.seed not in page
    assert announced.fingerprint in text(client.get(url("record", tied)))
    assert "This decides who advances." in page


def test_the_tool_draws_once(tied, by):
    client = signed_in(by)
    numbers = ",".join(str(n) for n in load_facts(tied).open_stage.outcome.lots_needed[0])
    answer = client.post(url("lots-draw", tied), {"tied": numbers}, follow=True)
    assert re.search(r"Random draw \d+: 1\. ", text(answer))
    assert not load_facts(tied).open_stage.outcome.lots_needed
    again = client.post(url("lots-draw", tied), {"tied": numbers})
    assert again.status_code == 409
    assert "no longer possible" in text(again)


@pytest.mark.deep
def test_lots_drawn_by_hand_have_witnesses(tied, by):
    client = signed_in(by)
    numbers = load_facts(tied).open_stage.outcome.lots_needed[0]
    order = list(reversed(numbers))
    data = {"tied": ",".join(map(str, numbers))}
    data |= {f"place_{number}": place for place, number in enumerate(order, start=1)}
    assert client.post(url("lots-hand", tied), data).status_code == 400
    bad = data | {"witnesses": "Ada", f"place_{order[0]}": "2"}
    refused = client.post(url("lots-hand", tied), bad)
    assert refused.status_code == 400
    assert "Give each player a different place, from 1 to" in text(refused)
    assert 'value="Ada"' in refused.content.decode()
    answer = client.post(url("lots-hand", tied), data | {"witnesses": "Ada and Bea"}, follow=True)
    assert "Ada and Bea" in text(answer)
    assert Draw.objects.get(by_hand=True).order == order


def test_judges_and_scorekeepers_do_not_draw(tied):
    numbers = ",".join(str(n) for n in load_facts(tied).open_stage.outcome.lots_needed[0])
    for role in (StaffRole.Role.JUDGE, StaffRole.Role.SCOREKEEPER):
        client = signed_in(make.staff(tied, role))
        assert client.post(url("lots-draw", tied), {"tied": numbers}).status_code == 403


def test_the_next_stage_is_previewed_and_closed(played, by):
    client = signed_in(by)
    assert "Who advances" in text(client.get(url("desk", played)))
    page = text(client.get(url("advance", played)))
    places = load_facts(played).open_stage.outcome.places
    first = load_facts(played).entries[places["A1"]].name
    assert "→ Group II" in page
    assert first in page
    assert "Close “Groups” and prepare round 4" in page
    answer = client.post(url("advance-close", played), {"expected_stage": 1}, follow=True)
    assert "Saved." in text(answer)
    assert "Prepare round 4" in text(answer)


def test_two_windows_close_one_stage(played, by):
    client = signed_in(by)
    client.post(url("advance-close", played), {"expected_stage": 1})
    answer = client.post(url("advance-close", played), {"expected_stage": 1})
    assert answer.status_code == 409
    assert "This is no longer possible. Reload the page." in text(answer)
    assert Stage.objects.filter(event=played, state=Stage.State.CLOSED).count() == 1


def test_a_stage_with_missing_results_does_not_close(by):
    event = make.started(by, 12)
    make.next_round(event, by)
    client = signed_in(by)
    assert "Not yet" in text(client.get(url("advance", event)))
    answer = client.post(url("advance-close", event), {"expected_stage": 1})
    assert answer.status_code == 409
    assert "Tables without a result: 1, 2, 3" in text(answer)


@pytest.mark.deep
def test_the_opening_of_a_stage_is_taken_back(played, by):
    client = signed_in(by)
    client.post(url("advance-close", played), {"expected_stage": 1})
    assert "Reopen the previous stage" in text(client.get(url("desk", played)))
    answer = client.post(url("advance-undo", played), {"expected_stage": 2}, follow=True)
    assert "Saved." in text(answer)
    assert load_facts(played).open_stage.stage.number == 1
    keeper = signed_in(make.staff(played, StaffRole.Role.SCOREKEEPER))
    assert keeper.post(url("advance-undo", played), {"expected_stage": 1}).status_code == 403


@pytest.mark.deep
def test_the_last_stage_closes_and_the_event_finishes(by):
    event = make.started(by, 4, formula="single-group")
    make.play_stage(event, by)
    client = signed_in(by)
    judge = signed_in(make.staff(event, StaffRole.Role.SCOREKEEPER))
    assert "Close the last stage" in text(judge.get(url("desk", event)))
    desk = text(client.get(url("desk", event)))
    assert "What becomes public: Final standings and podium, Transcript." in desk
    asked = text(client.get(url("desk-finish", event)))
    assert ("Final standings and podium" in asked, "Decklists" in asked) == (True, False)
    answer = client.post(url("desk-finish", event), follow=True)
    assert ("The event is finished." in text(answer), "Final standings" in text(answer)) == (
        True,
        True,
    )
    again = text(client.get(url("standings", event)))  # what was said is gone, the way back is not
    assert url("log-undo", event) in again
    assert url("log-undo", event) not in text(judge.get(url("standings", event)))
    assert client.post(url("desk-finish", event)).status_code == 409
    assert "No stage is in progress" in text(client.get(url("advance", event)))


@pytest.mark.deep
def test_a_closed_last_stage_leaves_the_end_alone(by):
    event = make.started(by, 4, formula="single-group")
    make.play_stage(event, by)
    keeper, client = signed_in(make.staff(event, StaffRole.Role.SCOREKEEPER)), signed_in(by)
    answer = keeper.post(url("advance-close", event), {"expected_stage": 1}, follow=True)
    assert "Only the organiser can finish the event." in text(answer)
    assert client.post(url("desk-finish", event)).headers["Location"] == url("standings", event)


@pytest.mark.deep
def test_the_end_waits_for_the_last_result(by):
    event = make.playing(by, 2, formula="single-group")
    client = signed_in(by)
    assert "What becomes public: " not in text(client.get(url("desk", event)))
    assert "Results missing: 1" in text(client.get(url("desk-finish", event)))
    assert client.post(url("desk-finish", event)).status_code == 409
    (match,) = load_facts(event).open_stage.missing
    client.post(url("desk-save", event, match.pk), {"version": match.version, "text": "40 22"})
    assert "What becomes public: " in text(client.get(url("desk", event)))
    assert client.post(url("desk-finish", event)).status_code == 302


@pytest.mark.parametrize("name", ["lots", "advance"])
@pytest.mark.parametrize("how_many", [3, 30])
def test_pages_make_the_same_queries_for_any_number(by, how_many, name, django_assert_num_queries):
    formula = "single-group" if how_many < 9 else "mutant-chronicles"
    event = make.started(by, how_many, formula=formula)
    make.next_round(event, by)
    client = signed_in(by)
    with django_assert_num_queries(13):
        assert client.get(url(name, event)).status_code == 200


@pytest.mark.deep
@pytest.mark.parametrize(
    ("how_many", "values"),
    [
        pytest.param(13, {}, marks=pytest.mark.deep),  # so goes the event of Doomtrooper
        pytest.param(9, {}, marks=pytest.mark.deep),
        (10, {"format": "creatures-of-exo", "formula": "groups-knockout"}),
    ],
)
def test_an_event_is_run_from_the_desk_alone(by, how_many, values):
    event = make.started(by, how_many, **values)
    client = signed_in(by)
    while (stage := load_facts(event).open_stage) is not None:
        for name in ("desk", "lots", "advance"):
            assert client.get(url(name, event)).status_code == 200
        if not stage.rounds_done:
            number = load_facts(event).last_ordinal + 1
            made = client.post(url("desk-draft", event), {"expected_round": number})
            assert client.get(made.headers["Location"]).status_code == 200
            assert client.post(url("desk-publish", event, number)).status_code == 302
            save_all(client, event)
        elif needed := stage.outcome.lots_needed:
            tied = ",".join(map(str, needed[0]))
            assert client.post(url("lots-draw", event), {"tied": tied}).status_code == 302
        else:
            closing = {"expected_stage": stage.stage.number}
            assert client.post(url("advance-close", event), closing).status_code == 302
    assert client.post(url("desk-finish", event)).status_code == 302
    assert Event.objects.get(pk=event.pk).state == Event.State.FINISHED


def save_all(client: Client, event: Event) -> None:
    """Enter a result at every table of the last round."""
    for match in load_facts(event).open_stage.missing:
        points = match.best_of == 1 and event.format.startswith("doomtrooper")
        line = "40 22" if points else "1 0" if match.best_of == 1 else "2 0"
        data = {"version": match.version, "text": line}
        assert client.post(url("desk-save", event, match.pk), data).status_code == 302


def test_the_places_of_the_next_stage_are_named_in_the_readers_language(by):
    event = make.started(by, 4, formula="mutant-chronicles")
    make.next_round(event, by)
    page = signed_in(by).get(url("advance", event), headers={"accept-language": "it"})
    assert "Finalista 1" in text(page)


def test_the_log_names_a_closed_stage_in_the_readers_language(played, by):
    client = signed_in(by)
    client.post(url("advance-close", played), {"expected_stage": "1"})
    for page in ("log", "desk"):
        answer = client.get(url(page, played))
        assert "<bdi>Groups</bdi>" in answer.content.decode(), page
        assert "<bdi>groups</bdi>" not in answer.content.decode(), page


@pytest.mark.deep
def test_finishing_says_what_becomes_public(by):
    values = {"formula": "single-group", "format": "creatures-of-exo", "standings_held": "last"}
    event = make.started(by, 4, **values, decklists="required")
    client = signed_in(by)
    early = text(client.get(url("desk-finish", event)))
    assert ("Not yet" in early, "What becomes public" in early) == (True, False)
    make.play_stage(event, by)
    at_once = text(client.get(url("desk-finish", event)))
    assert "The second leg will be skipped." in at_once
    make.stages.close_stage(event=event, expected_stage=1, hold=True, by=by)
    asked = text(client.get(url("desk-finish", event)))
    for words in ("Final standings: ", "Hidden now", "podium", "Hidden until"):
        assert (words in at_once, words in asked) == (True, True)
    judge = signed_in(make.staff(event))
    assert judge.get(url("desk-finish", event)).status_code == 403
    client.post(url("desk-finish", event))
    assert 'class="public-now"' not in text(client.get(url("desk-finish", event)))
    assert Event.objects.get(pk=event.pk).held_stage is None
