"""Lots drawn by the tool or by hand, through the services."""

import pytest
from django.test import Client
from django.utils.translation import override

from rules.criteria.presets import PRESETS
from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import read, signed_in, text, url
from tests.level_players import all_drawn
from tournaments.core.event_state import load_facts
from tournaments.lots import services as draws
from tournaments.lots.selectors import tiebreaking_draws_context
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db


def test_lots_are_needed_drawn_once_and_recorded(event, by):
    make.play_stage(event, by, all_drawn)
    with pytest.raises(RuleError) as refused:
        stages.close_stage(event=event, expected_stage=1, by=by)
    assert refused.value.code == "lots_needed"
    needed = load_facts(event).open_stage.outcome.lots_needed
    with override("en"):
        (found, *_others) = tiebreaking_draws_context(load_facts(event))["sets"]
    assert ("Head-to-head", "") in found.level_on
    announced = event.draws.get(state="announced")
    draw = draws.draw_tied_order(event=event, tied=needed[0], by=by)
    assert draw.fingerprint == announced.fingerprint
    with pytest.raises(RuleError) as refused:
        draws.draw_tied_order(event=event, tied=needed[0], by=by)
    assert refused.value.code == "not_tied"
    order = [row.player for row in load_facts(event).stages[0].outcome.standings["A"].rows]
    assert order == draw.order


@pytest.mark.deep
def test_the_page_begins_with_whom_lots_must_decide_and_leads_on(by):
    event = make.started(by, 12, formula="swiss-cut", options={"rounds": 2, "cut": 4})
    make.play_stage(event, by, lambda _match, index: Claim(score=(20, 20) if index else (40, 10)))
    page = text(signed_in(by).get(url("lots", event)))
    decides = "This decides who advances."
    found = [
        page.index(each)
        for each in (decides, "Make the random draw", "Tiebreaker matches in one round")
    ]
    assert found == sorted(found)
    for tied in load_facts(event).open_stage.outcome.lots_needed:
        draws.draw_tied_order(event=event, tied=tied, by=by)
    page = text(signed_in(by).get(url("lots", event)))
    assert "These players can stay tied" in page  # somebody is level still, and it is not needed
    assert "Who advances" in page


@pytest.mark.deep
def test_it_is_said_whether_seeds_or_places_to_go_on_depend_on_level_players(by):
    """Twelve in three groups: all firsts and seconds and two of the thirds go on."""
    event = make.started(by, 12, formula="groups-knockout")
    groups = load_facts(event).open_stage.state.seats.values()
    strength = {player: at or 1 for seats in groups for at, player in enumerate(seats)}

    def by_strength(match, index):
        one, other = (strength[player.number] for player in match.players)
        return Claim(score=(20, 20) if one == other else (40, 10) if one < other else (10, 40))

    make.play_stage(event, by, by_strength)
    client, said = signed_in(by), set()
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        sets = [
            each for each in tiebreaking_draws_context(load_facts(event))["sets"] if each.decides
        ]
        page = text(client.get(url("lots", event)))
        for tied in sets:
            said.add((len(tied.players), tied.decides))
        assert ("decides their spots" in page) is any(s.decides == "seeds" for s in sets)
        assert ("decides who advances" in page) is any(s.decides == "who" for s in sets)
        draws.draw_tied_order(event=event, tied=needed[0], by=by)
    assert said == {(2, "seeds"), (3, "seeds"), (3, "who")}


@pytest.mark.deep
def test_what_players_are_level_on_is_written_as_in_the_standings(by):
    criteria = list(PRESETS.get("magic").criteria)
    options = {"rounds": 2, "cut": 4}
    event = make.started(by, 12, formula="swiss-cut", options=options, criteria=criteria)
    make.play_stage(event, by, all_drawn)
    page = text(signed_in(by).get(url("lots", event)))
    level_on = page[page.index("Tied on") :].partition("</p>")[0]
    assert "\xa0%" in level_on
    assert "/" not in level_on.replace("</", "")


@pytest.mark.deep
def test_the_answer_to_a_draw_says_who_comes_first(event, by):
    make.play_stage(event, by, all_drawn)
    tied = load_facts(event).open_stage.outcome.lots_needed[0]
    names = dict(event.entries.values_list("number", "name"))
    page = text(
        signed_in(by).post(url("lots-draw", event), {"tied": ",".join(map(str, tied))}, follow=True)
    )
    draw = event.draws.filter(kind="lots", state="drawn").latest("number")
    order, number = draw.order, draw.number
    ranks = ", ".join(f"{rank}. {names[each]}" for rank, each in enumerate(order, 1))
    assert f"Random draw {number}: {ranks}." in page


@pytest.mark.deep
def test_a_finished_event_speaks_of_nothing_to_come(by):
    options = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}
    event = make.played(by, 8, format="creatures-of-exo", **options)
    drawn = read(Client(), url("record", event))
    assert "Next random draw" not in drawn
    assert "<dt>Seed</dt>" in drawn
    assert "Published when the stage closes" not in drawn
    foreseen = read(Client(), url("prospects", event))
    assert "No standings yet" not in foreseen
    assert "The event is over" in foreseen
