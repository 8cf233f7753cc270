"""By which cards an event checks its lists, and how the organiser chooses them."""

import pytest
from django.test import Client
from django.urls import reverse

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.decks.cards.files import loaded
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.decklists.selectors.rules import rules_of_event
from tournaments.events.forms.event import NONE, SITE, USUAL, EventForm, initial_of, settings_of
from tournaments.events.services import events
from tournaments.models import Event
from tournaments.verification.records import check_decks

pytestmark = pytest.mark.django_db

EXO = {"format": "creatures-of-exo", "decklists": Event.Decklists.OPTIONAL}


def known(event: Event) -> int | None:
    """Return the catalogue by which an event checks its lists."""
    catalogue = rules_of_event(Event.objects.get(pk=event.pk)).catalogue
    return None if catalogue is None else catalogue.pk  # type: ignore[attr-defined]


def choose(client: Client, event: Event, choice: str):  # type: ignore[no-untyped-def]
    form = EventForm(owner_id=event.created_by_id, initial=initial_of(settings_of(event)))
    shown = {bound.name: bound.value() for bound in form}
    sent = {
        name: value for name, value in shown.items() if value is not None and value is not False
    }
    address = reverse("tournaments:manage-settings", args=[event.slug])
    return client.post(address, sent | {"cards": choice}, headers={"accept-language": "en"})


def test_the_creators_cards_go_before_the_sites(by: Actor) -> None:
    event = make.event(by, **EXO)
    assert known(event) is None
    site = loaded("creatures-of-exo")
    loaded("thoom")
    loaded("creatures-of-exo", "nome\nAltri\n", make.user())
    assert known(event) == site.pk
    own = loaded("creatures-of-exo", "nome\nDrago\n", by.user)
    assert known(event) == own.pk


def test_the_organiser_chooses_the_sites_cards_or_none(by: Actor) -> None:
    event = make.event(by, **EXO)
    site = loaded("creatures-of-exo")
    own = loaded("creatures-of-exo", "nome\nDrago\n", by.user)
    client = Client()
    client.force_login(by.user)
    for choice, expected in ((SITE, site.pk), (NONE, None), (USUAL, own.pk)):
        assert choose(client, event, choice).status_code == 302
        assert known(event) == expected
        event.refresh_from_db()
        assert initial_of(settings_of(event))["cards"] == choice


def test_a_choice_is_offered_only_where_there_are_cards(by: Actor) -> None:
    owner = by.user.pk if by.user else None
    loaded("thoom", "nome\nAltri\n", make.user())
    assert "cards" not in EventForm(owner_id=owner).fields
    loaded("thoom", "nome\nMie\n", by.user)
    assert "cards" in EventForm(owner_id=owner).fields


def test_cards_of_the_site_must_be_there(by: Actor) -> None:
    event = make.event(by, **EXO)
    loaded("thoom")
    client = Client()
    client.force_login(by.user)
    page = choose(client, event, SITE)
    assert page.status_code == 400
    assert "The site has no cards of this game." in page.content.decode()


def test_the_choice_of_cards_is_fixed_at_the_start(by: Actor) -> None:
    event = make.started(by, 4, **EXO)
    with pytest.raises(Exception, match="start"):
        events.change_event(event=event, changes={"without_catalogue": True}, by=by)


def test_the_cards_cost_one_query(by: Actor, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    event = make.event(by, **EXO)
    loaded("creatures-of-exo")
    rules_of_event(event)
    with django_assert_num_queries(2):
        rules_of_event(event)
    event.without_catalogue = True
    with django_assert_num_queries(2):
        rules_of_event(event)


def test_cards_that_come_later_are_no_difference_to_be_found(by: Actor) -> None:
    event = make.open_event(by, **EXO)
    ada, *_others = make.players(event, 4, by)
    decklists.submit_decklist(entry=ada, text=sample_deck(event.format, 5), by=by)
    decklists.submit_decklist(entry=ada, text="Regina dei Lupi", by=by)
    loaded("creatures-of-exo")
    facts = load_facts(event)
    assert list(check_decks(facts)) == []
