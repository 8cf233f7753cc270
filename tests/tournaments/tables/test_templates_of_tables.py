"""Templates of a new event at tables of four and three: Thoom, and Commander."""

import pytest

from decks.models import HouseFormat
from rules.criteria.of_tables import WIN5_ORDER
from tests.browsers import signed_in
from tests.tournaments.events.test_new_event import filled
from tournaments.models import Event

pytestmark = pytest.mark.django_db
NEW = "/events/new/?template="


@pytest.fixture
def signed(by):
    return signed_in(by)


def made_of(signed, template):
    address = f"{NEW}{template}&capacity=26"
    page = signed.get(address)
    assert signed.post(address, filled(page)).status_code == 302
    return Event.objects.get()


def test_thoom_is_played_at_tables_of_four_and_three(signed):
    event = made_of(signed, "thoom")
    assert (event.format, event.formula, event.minutes) == ("thoom", "tables-cut", 50)
    usual = {"rounds": 0, "cut": 1, "ending": "tables", "small": "low"}
    assert event.options == usual | {"sizes": [4, 3]}
    assert tuple(event.criteria) == tuple(WIN5_ORDER)
    assert event.table_points in (None, {"preset": "win5"})
    assert event.decklists == "required"


def test_commander_has_its_ready_made_rules_and_points_of_tables(signed):
    event = made_of(signed, "commander")
    house = HouseFormat.objects.get()
    assert (house.game, house.name, house.lists) == ("Magic", "Commander", "counted")
    assert (event.format, event.formula, event.minutes) == (house.slug, "tables-cut", 80)
    assert event.options["sizes"] == [4, 3]
    assert tuple(event.criteria) == tuple(WIN5_ORDER)
    assert event.table_points in (None, {"preset": "win5"})
    assert event.decklists == "required"


def test_other_ready_made_rules_may_be_chosen_for_the_tables(signed):
    page = signed.get(f"{NEW}commander&ready=chess")
    assert page.context["form"]["game"].value() == "Chess"
    assert page.context["form"]["minutes"].value() == 80
