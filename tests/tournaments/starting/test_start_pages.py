"""The page of the start: draw, look at the seats, start; an order drawn by hand."""

import pytest

from tests import factories as make
from tests.browsers import signed_in, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.open_event(by, decklists="required")


@pytest.fixture
def signed(by):
    return signed_in(by)


def test_draw_look_and_start(signed, event, by):
    make.players(event, 6, by)
    signed.post(url("manage-start-draw", event))
    page = signed.get(url("manage-start", event))
    shown = page.context["shown"]
    assert {name for _group, players in shown["preview"].groups for name in players} == {
        entry.name for entry in event.entries.all()
    }
    refused = signed.post(url("manage-start-go", event), {"draw": shown["draw"].number})
    assert refused.status_code == 409
    assert "start with a reason" in refused.content.decode()
    go = {"draw": shown["draw"].number, "override": "Agreed with the players", "despite": "on"}
    assert signed.post(url("manage-start-go", event), go).status_code == 302
    seated = {
        group.name: tuple(seat.entry.name for seat in group.seats.order_by("number"))
        for group in event.stages.get(number=1).groups.all()
    }
    assert list(seated.values()) == [players for _group, players in shown["preview"].groups]


def test_a_draw_is_outdated_when_players_change(signed, event, by):
    make.players(event, 4, by)
    signed.post(url("manage-start-draw", event))
    signed.post(url("manage-players-add", event), {"name": "Zoe"})
    shown = signed.get(url("manage-start", event))
    assert shown.context["shown"]["preview"] is None
    assert "have changed since the random draw" in shown.content.decode()


def test_an_order_drawn_by_hand_needs_witnesses(signed, event, by):
    make.players(event, 3, by)
    places = {"place_1": "3", "place_2": "1", "place_3": "2"}
    refused = signed.post(url("manage-start-hand", event), places)
    assert refused.status_code == 400
    assert 'value="3"' in refused.content.decode()
    signed.post(url("manage-start-hand", event), places | {"witnesses": "Ines, Karl"})
    assert event.draws.get(kind="start").order == [2, 3, 1]


def test_the_order_of_a_swiss_start_is_folded_and_explained(signed, by):
    event = make.open_event(by, formula="swiss-cut", format="creatures-of-exo")
    make.players(event, 6, by)
    signed.post(url("manage-start-draw", event))
    page = signed.get(url("manage-start", event)).content.decode()
    assert "this order decides no pairing" in page
    assert page.index("Order of the random draw") > page.rindex("<details>")
