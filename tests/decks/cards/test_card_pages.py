"""Pages of card catalogues: browsing, search, loading a file, completion of names."""

from http import HTTPStatus
from time import process_time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from decks.cards.catalogues import find_catalogue
from decks.models import Card, Catalogue
from tests.decks.cards.files import WOLVES, loaded, many
from tests.factories import user

pytestmark = pytest.mark.django_db

EXO = "creatures-of-exo"
PAGE = reverse("decks:cards", args=[EXO])
LOAD = reverse("decks:cards_load", args=[EXO])
COMPLETE = reverse("decks:complete", args=[EXO])


def browser(**fields: bool) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user(**fields))
    return client


def look(client: Client, content: str = WOLVES, **more: str):  # type: ignore[no-untyped-def]
    file = SimpleUploadedFile("cards.csv", content.encode())
    return client.post(LOAD, {"file": file, "whose": "mine", **more})


def store(client: Client, shown, **more: object):  # type: ignore[no-untyped-def]
    return client.post(LOAD, shown.context["sure"] | more, follow=True)


def test_games_say_how_many_cards_they_know(client: Client, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    loaded(EXO)
    with django_assert_num_queries(2):
        page = client.get(reverse("decks:card_games"), headers={"accept-language": "en"})
    assert "Cards: 3" in page.content.decode()
    assert "No cards yet." in page.content.decode()


def test_a_game_without_cards_says_so(client: Client) -> None:
    page = client.get(PAGE, headers={"accept-language": "en"})
    assert "No cards yet." in page.content.decode()
    assert client.get("/cards/chess/").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/cards/chess/complete/").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/cards/chess/load/").status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("size", [3, 300])
def test_the_page_makes_as_many_queries_for_many_cards(
    client: Client,
    size: int,
    django_assert_num_queries,  # type: ignore[no-untyped-def]
) -> None:
    loaded(EXO, many(size))
    with django_assert_num_queries(4):
        assert client.get(PAGE).status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Lupo di Selce", "Lupo di Vetro", "Regina dei Lupi"]),
        ("VETRO", ["Lupo di Vetro"]),
        ("wolf", ["Lupo di Selce", "Lupo di Vetro", "Regina dei Lupi"]),
        ("queen", ["Regina dei Lupi"]),
        ("%", []),
        ("zz\x00\x01", []),
    ],
)
def test_a_search_finds_cards_in_either_language(
    client: Client, query: str, names: list[str]
) -> None:
    loaded(EXO)
    page = client.get(PAGE, {"q": query, "page": "x", "catalogue": "x"})
    assert [card.name for card in page.context["shown"]["found"]] == names


def test_everybody_sees_the_sites_cards_and_only_the_owner_their_own() -> None:
    mine = browser()
    store(mine, look(mine))
    own = Catalogue.objects.get()
    anybody, other = Client(), browser()
    assert mine.get(PAGE).context["shown"]["chosen"]["pk"] == own.pk
    for client in (anybody, other):
        assert client.get(PAGE, {"catalogue": own.pk}).context["shown"]["chosen"] is None


def test_a_file_is_looked_at_before_it_is_stored() -> None:
    client = browser()
    shown = look(client)
    page = shown.content.decode()
    assert shown.status_code == HTTPStatus.OK
    assert "Added: 3, changed: 0, unchanged: 0, removed: 0" in page
    assert "Lupo di Selce (DT 12)" in page
    assert not Catalogue.objects.exists()
    stored = store(client, shown)
    assert "Added: 3, changed: 0, unchanged: 0, removed: 0" in stored.content.decode()
    assert Catalogue.objects.get().owner is not None
    again = look(client)
    assert "Added: 0, changed: 0, unchanged: 3, removed: 0" in again.content.decode()
    assert 'name="held"' not in again.content.decode()


def test_a_preview_says_that_own_cards_hold_instead_of_the_sites() -> None:
    assert "replace the site’s" not in look(browser()).content.decode()
    loaded(EXO, WOLVES)
    assert "replace the site’s" in look(browser()).content.decode()
    for_site = look(browser(is_superuser=True), whose="site")
    assert "replace the site’s" not in for_site.content.decode()


def test_a_preview_says_what_changes_and_what_goes() -> None:
    client = browser()
    store(client, look(client))
    other = WOLVES.replace("Creatura;DT;12", "Tattica;DT;12").replace("Morde.", "Ulula.")
    text = "\n".join(other.splitlines()[:2])
    page = look(client, text, whole="on").content.decode()
    assert "Added: 0, changed: 1, unchanged: 0, removed: 2" in page
    assert "Lupo di Selce (DT 12): kind Creatura → Tattica, testo" in page
    shown = look(client, text, whole="on")
    store(client, shown)
    assert [card.kind for card in Card.objects.all()] == ["Tattica"]


def test_bad_rows_stand_with_their_numbers() -> None:
    page = look(browser(), "nome,copie massime\nLupo,x\n")
    assert page.status_code == HTTPStatus.BAD_REQUEST
    assert "Row 2: Enter a whole number from 0 to 999." in page.content.decode()
    assert not Catalogue.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        {"whose": "mine"},
        {"whose": "mine", "held": "rubbish"},
        {"whose": "mine", "held": "AAAA"},
        {"whose": "site", "held": "eJwDAAAAAAE="},
        {"whose": "", "held": ""},
    ],
)
def test_a_form_that_holds_no_file_is_refused(sent: dict[str, str]) -> None:
    answer = browser().post(LOAD, sent)
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert not Catalogue.objects.exists()


def test_two_loads_at_once_are_one_and_a_refusal() -> None:
    client = browser()
    first, second = look(client), look(client, "nome\nBrace\n")
    store(client, first)
    assert store(client, second).status_code == HTTPStatus.CONFLICT
    assert Card.objects.count() == 3


def test_only_staff_loads_for_the_site() -> None:
    plain, staff = browser(), browser(is_staff=True)
    assert look(plain, whose="site").status_code == HTTPStatus.BAD_REQUEST
    shown = look(staff, whose="site")
    store(plain, shown)
    assert not Catalogue.objects.exists()
    store(staff, shown)
    assert Catalogue.objects.get().owner is None


def test_who_may_not_make_events_loads_nothing() -> None:
    nobody = browser(can_create_events=False)
    assert nobody.get(LOAD).status_code == HTTPStatus.FORBIDDEN
    assert look(nobody).status_code == HTTPStatus.FORBIDDEN
    assert Client().get(LOAD).status_code == HTTPStatus.FOUND
    assert Client().post(LOAD, {}).status_code == HTTPStatus.FOUND


def test_own_cards_can_be_deleted_and_nobody_elses() -> None:
    client, other = browser(), browser()
    site = loaded(EXO)
    store(client, look(client, "nome\nDrago\n"))
    address = reverse("decks:cards_drop", args=[EXO])
    assert address in client.get(PAGE).content.decode()
    other.post(address)
    Client().post(address)
    assert Catalogue.objects.count() == 2
    page = client.post(address, follow=True).content.decode()
    assert "Removed." in page
    assert list(Catalogue.objects.all()) == [site]
    assert address not in page


def offered(client: Client, **query: object) -> list[str]:
    return [card["name"] for card in client.get(COMPLETE, query).json()["names"]]


def test_names_are_offered_in_the_language_that_is_typed(client: Client) -> None:
    loaded(EXO)
    assert offered(client, q="lup") == ["Lupo di Selce", "Lupo di Vetro", "Regina dei Lupi"]
    assert offered(client, q="gla") == ["Glass Wolf"]
    assert offered(client, q="vetro lupo") == ["Lupo di Vetro"]
    assert offered(client, q="glsas") == ["Glass Wolf"]
    assert offered(client, q="") == offered(client) == []
    answer = client.get(COMPLETE, {"q": "queen"}).json()
    assert answer == {
        "names": [{"name": "Wolf Queen", "other": "Regina dei Lupi", "kind": "Leader"}]
    }


def test_one_catalogue_may_be_asked_by_its_number(client: Client) -> None:
    loaded(EXO)
    own = loaded(EXO, "nome\nLuna\n", user())
    foreign = loaded("thoom", "nome\nLuce\n")
    assert offered(client, q="lu", catalogue=own.pk) == ["Luna"]
    for number in (foreign.pk, 10**9, "x", "9" * 40, "-1", "²"):
        answer = client.get(COMPLETE, {"q": "lu", "catalogue": number})
        assert answer.status_code == HTTPStatus.NOT_FOUND


def test_a_game_without_cards_offers_nothing(client: Client) -> None:
    assert client.get(COMPLETE, {"q": "lu"}).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.deep
def test_twenty_thousand_cards_answer_at_once(client: Client, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    loaded(EXO, many(20_000))
    client.get(COMPLETE, {"q": "carta"})
    with django_assert_num_queries(1):
        assert len(offered(client, q="carta 12")) == 8
    cards = find_catalogue(EXO)
    assert cards is not None
    for typed in ("carta 12", "hill", "crata 777", "zzzz", "of the card 19999 " * 9, "a"):
        quickest = 1.0
        for _turn in range(5):
            started = process_time()
            cards.complete(typed, 8)
            quickest = min(quickest, process_time() - started)
        assert quickest < 0.02, typed
