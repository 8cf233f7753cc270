"""The page of the rules of a game of one's own: words, a list to try, the next version."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.models import HouseFormat
from decks.own_formats.services import FormatInput, change_custom_format, create_custom_format
from tests import factories as make
from tests.decks.house_formats.conftest import browser
from tests.tournaments.own_formats.games import PAUPER

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def owner() -> User:
    return make.user()


@pytest.fixture
def own(owner: User) -> HouseFormat:
    return create_custom_format(FormatInput(**PAUPER), by=owner)


def url(own: HouseFormat) -> str:
    return reverse("decks:rules", args=[own.slug])


def typed(client: Client, house: HouseFormat, /, **changed: Any) -> dict[str, Any]:
    """Return what the form holds, and what somebody changed."""
    form = client.get(url(house)).context["form"]
    held = {bound.html_name: bound.value() for bound in form}
    return {k: "" if v is None else v for k, v in held.items() if v is not False} | changed


WHOLE: dict[str, Any] = {
    "kind_0_name": "Creature",
    "kind_0_zones": ["0"],
    "kind_0_min": "10",
    "zone_2_name": "Comandante",
    "zone_2_max": "1",
    "sum_0_zones": ["0", "2"],
    "sum_0_min": "61",
    "sum_0_max": "61",
    "excluded_together": "Gatto + Topo",
    "legal_in": "pauper",
    "criterion_points": "1",
    "criterion_buchholz_cut1": "2",
    "criterion_opponents_match_win": "3",
    "floor": "25 %",
    "draw_share": "1/2",
    "criterion_game_win": "4",
    "bye_games": "2",
    "byes_left_out": "on",
    "dropped_cap": "75 %",
    "palette": "indigo",
    "emblem": "crown",
}
"""What a form can say beside what is there, in its fields."""


def said_by(client: Client, own: HouseFormat, **more: Any) -> dict[str, Any]:
    """Return all that ``WHOLE`` says, with no other criteria."""
    sent = typed(client, own)
    emptied = {name: "" for name in sent if name.startswith("criterion_")}
    return sent | emptied | WHOLE | more


def test_what_is_shown_is_what_is_stored(owner: User, own: HouseFormat) -> None:
    client = browser(owner)
    assert client.post(url(own), typed(client, own)).status_code == 302
    own.refresh_from_db()
    assert own.version == 1, "nothing was changed"
    page = client.get(reverse("decks:format", args=[own.slug])).content.decode()
    assert url(own) in page


def test_changed_rules_are_told_in_words_tried_and_saved(owner: User, own: HouseFormat) -> None:
    client = browser(owner)
    changed = {"copies": "2", "zone_2_name": "Comandante", "zone_2_max": "1", "banned": "Orso"}
    sent = typed(client, own, **changed, text="Deck\n3 Lupo\n57 Isola\nComandante\n1 Orso")
    page = client.post(url(own), sent | {"show": "1"})
    said = page.content.decode()
    assert page.status_code == 200
    assert "at most 2" in said
    assert "<li>Comandante" in said
    assert "2 errors" in said
    own.refresh_from_db()
    assert own.version == 1
    assert client.post(url(own), sent).status_code == 302
    own.refresh_from_db()
    assert (own.version, own.rules["copies"]["max"]) == (2, 2)
    assert [zone["key"] for zone in own.rules["zones"]] == ["main", "side", "comandante"]
    assert own.rules["card_lists"]["banned"] == ["Orso"]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"zone_0_max": "50"}, "zone_0_max"),
        ({"zone_1_name": "Deck"}, "zone_1_name"),
        ({"copies": "0"}, "copies"),
        ({"own": "Nazgûl"}, "own"),
        ({"win": "1/3"}, "__all__"),
        ({"draw": "7"}, "win"),
        ({"game": "—"}, "game"),
        ({"score": "points", "best_of": "3"}, "best_of"),
        ({"banned": "Orso", "limited": "Orso"}, "limited"),
        ({"kind_0_name": "Creature"}, "kind_0_zones"),
        ({"kind_1_zones": ["0"]}, "kind_1_name"),
        (
            {
                "kind_1_name": "Creature",
                "kind_1_zones": ["0"],
                "kind_1_min": "4",
                "kind_1_max": "3",
            },
            "kind_1_max",
        ),
        ({"sum_0_zones": ["1"]}, "sum_0_zones"),
        ({"sum_0_zones": ["0", "1"], "sum_0_max": "50"}, "sum_0_max"),
        ({"excluded_together": "Gatto"}, "excluded_together"),
        ({"floor": "2"}, "floor"),
        ({"draw_share": "half"}, "draw_share"),
        ({"bye_games": "10"}, "bye_games"),
        ({"dropped_cap": "2"}, "dropped_cap"),
        ({"criterion_wins": "1"}, "criterion_wins"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    owner: User, own: HouseFormat, changed: dict[str, Any], field: str
) -> None:
    client = browser(owner)
    refused = client.post(url(own), typed(client, own, **changed))
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == [field]
    own.refresh_from_db()
    assert own.version == 1


def test_every_check_of_the_form_is_told_in_words_json_and_a_copy(
    owner: User, own: HouseFormat
) -> None:
    client = browser(owner)
    assert client.post(url(own), said_by(client, own)).status_code == 302
    told = client.get(f"/api/v1/formats/{own.slug}/").json()
    rules = told["rules"]
    assert rules["kinds"] == [
        {"key": "creature", "name": "Creature", "zones": ["main"], "min": 10, "max": None}
    ]
    assert rules["sums"] == [{"zones": ["main", "comandante"], "min": 61, "max": 61}]
    assert rules["excluded_together"] == [["Gatto", "Topo"]]
    assert rules["legal_in"] == "pauper"
    standings = rules["standings"]
    assert standings["criteria"] == ["points", "buchholz_cut1", "opponents_match_win", "game_win"]
    assert (standings["floor"], standings["draw_share"]) == ("1/4", "1/2")
    assert (standings["bye_games"], standings["byes_left_out"]) == (2, True)
    assert standings["dropped_cap"] == "3/4"
    assert rules["look"] == {"palette": "indigo", "emblem": "crown"}
    for sentence in (
        "Creature: only in Deck.",
        "Deck, Creature: at least 10.",
        "Deck, Comandante together: exactly 61.",
        "Legal in: pauper",
        "Best of: 3",
        "Minutes per round: 50",
        "Points: win 3, draw 1, loss 0.",
        "Standings: Points, Buchholz cut 1, Opponents’ match-win percentage, Game-win percentage",
        "Opponents’ minimum percentage: 1/4",
        "A draw counts: 1/2",
        "Byes don’t count towards win percentages",
        "Game wins awarded for a bye: 2",
    ):
        assert sentence in told["words"]
    assert any("Gatto" in sentence and "Topo" in sentence for sentence in told["words"])
    page = client.get(reverse("decks:format", args=[own.slug])).content.decode()
    assert "Standings: Points, Buchholz cut 1" in page

    other = make.user()
    copier = browser(other)
    address = reverse("decks:rules_copy", args=[own.slug])
    assert address in copier.get(reverse("decks:format", args=[own.slug])).content.decode()
    form = copier.get(address).context["form"]
    sent = {bound.html_name: bound.value() for bound in form}
    sent = {k: "" if v is None else v for k, v in sent.items() if v is not False}
    assert copier.post(address, sent | {"name": "Pauper di Parma"}).status_code == 302
    copy = HouseFormat.objects.get(owner=other)
    assert (copy.name, copy.rules, copy.version) == ("Pauper di Parma", rules, 1)


def test_while_it_is_typed_words_come_as_a_fragment_and_what_is_wrong_beside_them(
    owner: User, own: HouseFormat
) -> None:
    client = browser(owner)
    live = {"HX-Request": "true"}
    sent = said_by(client, own, show="1", text="Deck\n60 Isola")
    shown = client.post(url(own), sent, headers=live)
    said = shown.content.decode()
    assert "<html" not in said
    assert "Deck, Comandante together: exactly 61." in said
    assert "error" in said
    wrong = client.post(url(own), sent | {"zone_0_max": "50"}, headers=live)
    assert wrong["HX-Retarget"] == "#rules-wrong"
    assert 'href="#id_zone_0_max"' in wrong.content.decode()
    own.refresh_from_db()
    assert own.version == 1


def test_who_was_slower_is_refused(owner: User, own: HouseFormat) -> None:
    client = browser(owner)
    sent = typed(client, own, copies="3")
    change_custom_format(FormatInput(**PAUPER | {"game": "Magia"}), slug=own.slug, by=owner)
    assert client.post(url(own), sent).status_code == 409
    own.refresh_from_db()
    assert (own.version, own.rules["copies"]["max"]) == (2, 4)


def test_only_its_owner_opens_it(owner: User, own: HouseFormat) -> None:
    assert browser(make.user()).get(url(own)).status_code == 403
    assert Client().get(url(own)).status_code == 302
    assert browser(owner).get("/formats/creatures-of-exo/rules/").status_code == 404
    assert browser(owner).get("/formats/own_nobody/rules/").status_code == 404
