"""A correction whose effects one sees first, then keeps or takes back.

Contracts, API. Safety notes, T49 and I15.
"""

import pytest

from tests import factories as make
from tests.around import tables
from tournaments.models import Event, Match, Round, Stage
from tournaments.rounds.services import draft_round
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Return a bracket of four whose final is made and not played."""
    event = make.halfway(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.next_round(event, by)
    return event


def address(event, match, what: str = "result") -> str:
    return f"/api/v1/events/{event.slug}/matches/{match.pk}/{what}/"


def first_match(event, ordinal: int = 1) -> Match:
    found = Match.objects.filter(round__event=event, round__ordinal=ordinal, match_seats__number=2)
    return found.order_by("number")[0]


TURNED = {"games": ["b", "b"], "note": "Scambiati"}


def test_the_effects_are_told_and_nothing_is_stored(api, event):
    match = first_match(event)
    before = tables()
    told = api.post(address(event, match, "effects"), TURNED)
    assert told.status_code == 200, told.content
    effects = told.json()
    assert (effects["rounds"], effects["stages"], effects["reaches_further"]) == ([2], [], True)
    final, third = (
        {side for each in effects["pairings"][0][key] for side in (each["a"], each["b"])}
        for key in ("gone", "instead")
    )
    assert effects["pairings"][0]["round"] == 2
    assert {player.number for player in match.players} <= final & third
    assert tables() == before
    stale = api.post(address(event, match, "effects"), TURNED | {"version": 0})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert stale.json()["match"]["version"] == match.version
    wrong = api.post(address(event, match, "effects"), {"games": ["a", "a", "a"]})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "impossible_result")


def test_pairings_of_a_draft_are_for_who_may_see_drafts(api, program, by):
    """A token for results alone is for a screen that others see."""
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_round(make.next_round(event, by), by)
    draft_round(event=event, expected_round=2, publish=False, by=by)
    preview = address(event, first_match(event), "effects")
    told = [caller.post(preview, TURNED).json() for caller in (api, program(by.user, "results"))]
    assert [each["rounds"] for each in told] == [[2], [2]]
    assert [[of["round"] for of in each["pairings"]] for each in told] == [[2], []]


def test_without_a_choice_nothing_is_stored_and_the_effects_are_told(api, event):
    match = first_match(event)
    effects = api.post(address(event, match, "effects"), TURNED).json()
    before = tables()
    refused = api.put(address(event, match), TURNED | {"version": match.version})
    assert (refused.status_code, refused.json()["code"]) == (409, "choice_needed")
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["effects"] == effects
    assert refused.json()["choices"] == ["keep", "take_back"]
    assert "Nothing was stored" in refused.json()["detail"]
    assert tables() == before


@pytest.mark.parametrize(("later", "rounds"), [("keep", [1, 2]), ("take_back", [1])])
def test_what_was_made_from_the_old_result_is_kept_or_taken_back(api, event, later, rounds):
    match = first_match(event)
    sent = TURNED | {"version": match.version, "later": later}
    corrected = api.put(address(event, match), sent)
    assert corrected.status_code == 200, corrected.content
    assert (corrected.json()["winner"], corrected.json()["effects"]["rounds"]) == ("b", [2])
    found = Round.objects.filter(event=event).order_by("ordinal")
    assert list(found.values_list("ordinal", flat=True)) == rounds


def test_a_played_successor_stays_unless_it_is_kept(api, by, event):
    make.play_round(Round.objects.get(event=event, ordinal=2), by)
    match = first_match(event)
    sent = TURNED | {"version": match.version}
    refused = api.put(address(event, match), sent | {"later": "take_back"})
    assert (refused.status_code, refused.json()["code"]) == (409, "round_has_results")
    assert api.put(address(event, match), sent | {"later": "keep"}).status_code == 200
    assert api.put(address(event, match), sent | {"later": "x"}).json()["errors"]["later"]


def test_a_correction_that_contradicts_nothing_needs_no_choice(api, by):
    """As the contract has it: the version and the result are enough."""
    event = make.started(by, 4, formula="single-group", format="creatures-of-exo")
    for _round in "ab":
        make.play_round(make.next_round(event, by), by)
    match = first_match(event)
    entered = api.put(address(event, match), {"version": match.version, "games": ["b", "b"]})
    assert entered.status_code == 200
    effects = entered.json()["effects"]
    assert effects["moves"]
    assert (effects["rounds"], effects["stages"], effects["reaches_further"]) == ([], [], False)
    make.next_round(event, by)
    fresh = api.put(address(event, first_match(event, 3)), {"version": 0, "games": ["a", "a"]})
    assert "effects" not in fresh.json()


def test_qualifiers_that_change_ask_for_a_choice(api, by):
    event = make.started(by, 5)
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    places = event.stages.get(number=1).places
    first = Match.objects.filter(round__stage__number=1)
    match = make.among(first, (places["X"], places["Y"])).get()
    turned = [0, 90] if match.players[0].number == places["X"] else [90, 0]
    sent = {"version": match.version, "score": turned}
    refused = api.put(address(event, match), sent)
    assert (refused.status_code, refused.json()["code"]) == (409, "choice_needed")
    effects = refused.json()["effects"]
    assert effects["stages"] == [2]
    assert {"place": "X", "before": places["X"], "after": places["Y"]} in effects["places"]
    assert api.put(address(event, match), sent | {"later": "take_back"}).status_code == 200
    assert Event.objects.get(pk=event.pk).stages.get(number=2).state == Stage.State.PENDING


def test_a_bye_and_a_stranger(api, program, event):
    match = first_match(event)
    stranger = program(make.user())
    assert stranger.post(address(event, match, "effects"), TURNED).status_code == 403
    assert api.post(address(event, match, "effects"), {}).status_code == 400
