"""The page *Phones in this hall*: who finds it, and what it shows."""

from types import SimpleNamespace

import pytest
from django.test import Client

from accounts.models import User
from config import hall as halls
from config import venue
from config.hall import hall
from rules.errors import RuleError

pytestmark = pytest.mark.django_db
HERE = "127.0.0.1:8000"


@pytest.fixture
def switch(monkeypatch):
    """Attach the switch to a server that is not there; it notes what it is asked for."""
    asked: list[tuple[str, bool]] = []

    def open_it(address, *, certificate, again):
        assert again
        asked.append((address, certificate))
        scheme = "https" if certificate else "http"
        listener = SimpleNamespace(active_channels={})
        monkeypatch.setattr(
            hall, "opening", halls.VenueServer(f"{scheme}://{address}:8000", listener, {})
        )

    monkeypatch.setattr(hall, "_server", object())
    monkeypatch.setattr(hall, "open", open_it)
    monkeypatch.setattr(hall, "close", lambda: monkeypatch.setattr(hall, "opening", None))
    monkeypatch.setattr(venue, "local_addresses", lambda: ["192.168.1.20"])
    return asked


@pytest.fixture
def organiser():
    return User.objects.create_superuser("marta@example.org", "sala-grande-9", name="Marta")


def browser(person=None, host=HERE, **more) -> Client:
    found = Client(headers={"accept-language": "en", "host": host}, **more)
    if person:
        found.force_login(person)
    return found


def test_the_organiser_opens_and_closes_it_with_one_button(switch, organiser):
    page = browser(organiser)
    shown = page.get("/hall/").content.decode()
    assert "192.168.1.20" in shown
    assert "Firewall" in shown
    opened = page.post("/hall/", {"address": "192.168.1.20", "certificate": "on"}, follow=True)
    assert switch == [("192.168.1.20", True)]
    told = opened.content.decode()
    for part in (
        "https://192.168.1.20:8000/girone-ca.crt",
        "<svg",
        "Keep phones out",
        f"http://{HERE}/",
    ):
        assert part in told
    closed = page.post("/hall/close/", follow=True).content.decode()
    assert "On this laptop only" in closed
    plain = page.post("/hall/", {"address": "192.168.1.20"}, follow=True).content.decode()
    assert "girone-ca.crt" not in plain


def test_it_is_told_in_italian(switch, organiser):
    page = Client(headers={"accept-language": "it", "host": HERE})
    page.force_login(organiser)
    assert "Telefoni in questa sala" in page.get("/hall/").content.decode()


@pytest.mark.deep
def test_it_is_found_from_the_list_and_a_new_event(switch, organiser):
    page = browser(organiser)
    for path in ("/", "/events/new/"):
        assert 'href="/hall/"' in page.get(path).content.decode()
    assert 'href="/hall/"' not in browser().get("/").content.decode()


@pytest.mark.parametrize("path", ["/hall/", "/hall/close/"])
def test_nobody_else_finds_it(switch, organiser, settings, path):
    settings.ALLOWED_HOSTS = ["127.0.0.1", "192.168.1.20"]
    other = User.objects.create_user("ada@example.org", "sala-grande-9", name="Ada")
    by_hall = browser(organiser)
    by_hall.defaults[halls.MARK] = True
    strangers = (browser(), browser(other), browser(organiser, "192.168.1.20:8000"), by_hall)
    for one in strangers:
        assert one.post(path, {"address": "192.168.1.20"}).status_code == 404
        assert one.get("/hall/").status_code == 404
    assert switch == []


def test_a_site_that_another_server_serves_has_no_switch(organiser):
    assert not hall.is_attached
    assert browser(organiser).get("/hall/").status_code == 404


def test_a_laptop_without_network_says_what_to_do(switch, organiser, monkeypatch):
    monkeypatch.setattr(venue, "local_addresses", list)
    shown = browser(organiser).get("/hall/").content.decode()
    assert "Connect it to the hall" in shown
    assert "Let phones in" not in shown


def test_several_networks_are_a_choice_and_other_addresses_are_refused(
    switch, organiser, monkeypatch
):
    monkeypatch.setattr(venue, "local_addresses", lambda: ["192.168.1.20", "10.0.0.7"])
    page = browser(organiser)
    assert '<option value="10.0.0.7"' in page.get("/hall/").content.decode()
    assert page.post("/hall/", {"address": "203.0.113.9"}).status_code == 400
    page.post("/hall/", {"address": "10.0.0.7"})
    assert switch == [("10.0.0.7", False)]


def test_a_port_in_use_is_told_on_the_page(switch, organiser, monkeypatch):
    def refuse(*_address, **_more):
        raise halls.ports_in_use_error(8000)

    monkeypatch.setattr(hall, "open", refuse)
    refused = browser(organiser).post("/hall/", {"address": "192.168.1.20"})
    assert refused.status_code == 409
    assert "Another program uses port 8000" in refused.content.decode()
    assert isinstance(halls.ports_in_use_error(8000), RuleError)


def test_only_a_form_of_the_site_switches(switch, organiser):
    strict = browser(organiser, enforce_csrf_checks=True)
    assert strict.post("/hall/", {"address": "192.168.1.20"}).status_code == 403
    assert strict.post("/hall/close/").status_code == 403
    assert switch == []
