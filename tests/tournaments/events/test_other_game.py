"""A new event of a game that did not come with the program: one field more than for the others."""

import re

import pytest

from decks.models import HouseFormat
from decks.rulebook import base_format
from tests import factories as make
from tests.browsers import read, signed_in
from tests.tournaments.events.test_new_event import filled
from tournaments.lots.services import draw_start_order
from tournaments.models import Event
from tournaments.starting.services import start_event

pytestmark = pytest.mark.django_db
NEW = "/events/new/?template=other-game"


@pytest.fixture
def signed(by):
    return signed_in(by)


def test_its_name_is_the_one_field_more(signed):
    page = signed.get(NEW)
    made = signed.post(NEW, filled(page, game="Catan"))
    assert made.status_code == 302
    event, house = Event.objects.get(), HouseFormat.objects.get()
    assert (event.format, event.decklists) == (house.slug, "off")
    assert (house.game, house.name, house.lists) == ("Catan", "Catan", "off")
    assert (house.slug, house.rules["match"]["score"]) == ("own_catan", "none")
    assert base_format(event.format).match.best_of == 1
    assert (event.points_win, event.points_draw, event.points_parts) == (3, 1, None)
    refused = signed.post(NEW, filled(page))
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == ["game"]
    assert Event.objects.count() == HouseFormat.objects.count() == 1


def test_the_same_game_again_has_the_same_format(signed):
    page = signed.get(NEW)
    for name in ("Prima", "Seconda"):
        assert signed.post(NEW, filled(page, game="Catan", name=name)).status_code == 302
    assert signed.post(NEW, filled(page, game="Catan", name="Terza", points_draw="½")).status_code
    assert HouseFormat.objects.count() == 2
    assert Event.objects.filter(format="own_catan").count() == 2
    assert '<option value="Catan">' in read(signed, NEW)


def test_a_game_without_lists_speaks_of_no_decks(signed, by):
    page = signed.get(f"{NEW}&ready=chess", headers={"accept-language": "it"})
    assert page.context["form"]["game"].value() == "Scacchi"
    assert signed.post(f"{NEW}&ready=chess", filled(page)).status_code == 302
    event = Event.objects.get()
    make.players(event, 4, by)
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    match = make.next_round(event, by).matches.get(table=1)
    begins = f"/events/{event.slug}"
    sheet = f"/floor/tables/{match.pk}/"
    for path in ("/rules/", sheet, f"{sheet}penalty/", f"/matches/{match.pk}/result/"):
        said = read(signed, f"{begins}{path}").partition("<main")[2]
        plain = re.sub(r"<[^>]*>", "", said)
        assert re.findall(r".{,80}(?:[Dd]eck|coin\b|[Cc]ards\b).{,40}", plain) == [], path


def test_ready_rules_fill_in_the_form(signed):
    page = signed.get(f"{NEW}&ready=chess&name=Torneo")
    form = page.context["form"]
    values = [form[name].value() for name in ("game", "points_win", "points_draw", "minutes")]
    assert values == ["Chess", "1", "½", 50]
    assert form["name"].value() == "Torneo"
    assert signed.post(f"{NEW}&ready=chess", filled(page, game="Scacchi")).status_code == 302
    event = Event.objects.get()
    assert (event.points_win, event.points_draw, event.points_parts) == (2, 1, 2)
    assert event.criteria[1] == "buchholz_cut1"
    assert HouseFormat.objects.get().rules["standings"]["points"] == {
        "win": 1,
        "draw": "1/2",
        "loss": 0,
    }


def test_counted_lists_need_rules_that_count(signed):
    page = signed.get(f"{NEW}&ready=magic-constructed")
    refused = signed.post(NEW, filled(page))
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == ["lists"]
    assert not HouseFormat.objects.exists()
    assert signed.post(f"{NEW}&ready=magic-constructed", filled(page)).status_code == 302
    house = HouseFormat.objects.get()
    assert (house.game, house.lists, house.rules["zones"][0]["min"]) == ("Magic", "counted", 60)
    assert Event.objects.get().decklists == "required"


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"game": "—"}, "game"),
        ({"points_draw": "1/3"}, "points_draw"),
        ({"points_draw": "4"}, "points_win"),
        ({"points_win": "-1"}, "points_win"),
        ({"score": "goals"}, "score"),
        ({"lists": ""}, "lists"),
        ({"format_name": "x" * 81}, "format_name"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(signed, typed, field):
    page = signed.get(NEW)
    refused = signed.post(NEW, filled(page, **{"game": "Catan"} | typed))
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == [field]
    assert not HouseFormat.objects.exists()


def test_cards_of_the_game_that_was_typed_come_first(signed):
    page = signed.get(f"{NEW}&game=pok")
    assert page.context["ready_cards"][0][0]["key"] == "pokemon-standard"
    page = signed.get(f"{NEW}&game=pok&ready=pokemon-standard")
    assert page.context["form"]["game"].value() == "Pokémon"
    assert signed.get(f"{NEW}&game=Pocket&ready=chess").context["form"]["game"].value() == "Pocket"


def test_the_line_counts_the_games_of_the_result_chosen(signed):
    asked = {"part": "advice", "capacity": "8", "minutes": "30", "formula": "swiss-cut"}
    for score in ("none", "games", "points", "rubbish"):
        said = signed.get(NEW, asked | {"score": score}, headers={"HX-Request": "true"})
        assert said.status_code == 200
    shown = read(signed, NEW)
    assert len(re.findall(r'name="score"', shown)) == 3
