"""Who the client is: one answer for registration, wrong links, sign-in and the API."""

import ast
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse

from config.clients import NOBODY, client_address
from tests import factories as make
from tournaments.models import Entry
from tournaments.players.views import access

ROOT = Path(__file__).resolve().parents[2]
PROXY = "192.0.2.250"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


def asked(remote: str, passed: str | None = None) -> str:
    headers = {} if passed is None else {"x-forwarded-for": passed}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers))


@pytest.mark.parametrize(
    ("proxies", "remote", "passed", "client"),
    [
        (0, "192.0.2.1", None, "192.0.2.1"),
        (0, "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        (0, "", "203.0.113.9", NOBODY),
        (1, PROXY, "203.0.113.9", "203.0.113.9"),
        (1, PROXY, "10.9.8.7, 203.0.113.9", "203.0.113.9"),
        (1, "", "10.9.8.7, 203.0.113.9", "203.0.113.9"),
        (2, PROXY, "10.9.8.7, 203.0.113.9, 192.0.2.7", "203.0.113.9"),
        (2, PROXY, "203.0.113.9", PROXY),
        (3, PROXY, "10.9.8.7,203.0.113.9", PROXY),
        (1, PROXY, None, PROXY),
        (1, PROXY, "", PROXY),
        (1, PROXY, "203.0.113.9, nonsense", PROXY),
        (1, PROXY, "203.0.113.9,", PROXY),
        (1, PROXY, "unknown", PROXY),
        (1, "", "unknown", NOBODY),
        (1, PROXY, "203.0.113.9:4711", "203.0.113.9"),
        (1, PROXY, "[2001:db8:1:2:3::4]:4711", "2001:db8:1:2::/64"),
        (1, PROXY, '"[2001:db8:1:2:3::4]"', "2001:db8:1:2::/64"),
        (1, PROXY, "2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        (0, "fe80::1%eth0", None, "fe80::/64"),
        (0, "::ffff:203.0.113.9", None, "203.0.113.9"),
        (0, "' OR 1=1", None, NOBODY),
    ],
)
def test_the_client_is_what_the_trusted_proxies_say(
    settings: Any, proxies: int, remote: str, passed: str | None, client: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert asked(remote, passed) == client


@pytest.mark.deep
def test_nobody_else_reads_who_the_client_is() -> None:
    """One function: what reads the address anywhere else is a limit with another answer."""
    names = {"REMOTE_ADDR", "HTTP_X_FORWARDED_FOR", "x-forwarded-for", "X-Forwarded-For"}
    found = []
    for app in ("accounts", "config", "decks", "tournaments"):
        for path in (ROOT / app).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text()))
            constants = {n.value for n in nodes if isinstance(n, ast.Constant)}
            found += (
                [path.relative_to(ROOT)]
                if names & {c for c in constants if isinstance(c, str)}
                else []
            )
    assert found == [Path("config/clients.py")]


def hall(address: str) -> Client:
    """Return a phone behind our proxy, in a hall with this address."""
    return Client(REMOTE_ADDR=PROXY, headers={"x-forwarded-for": f"10.0.0.1, {address}"})


@pytest.mark.deep
@pytest.mark.django_db
@pytest.mark.parametrize("share", [10, pytest.param(1, marks=pytest.mark.deep)])
def test_a_hall_registers_two_hundred_in_a_minute_and_a_flood_stops_nobody_else(
    settings: Any, monkeypatch: Any, share: int
) -> None:
    """With a tenth of the limit a tenth of the hall; all of both in ``make test-all``."""
    settings.TRUSTED_PROXIES = 1
    hall_of, most = 200 // share, access.PER_MINUTE // share
    assert most * share >= 250
    monkeypatch.setattr(access, "PER_MINUTE", most)
    event = make.open_event(make.organiser())
    to = reverse("tournaments:register", args=[event.slug])
    for number in range(hall_of):
        answer = hall("203.0.113.1").post(to, {"name": f"Giocatore {number}"})
        assert answer.status_code in (200, 302), number
    assert event.entries.count() == hall_of
    flood = [hall("198.51.100.66").post(to, {"name": ""}).status_code for _ in range(most + 20)]
    assert flood[-1] == 429
    assert hall("203.0.113.1").post(to, {"name": "Una in più"}).status_code in (200, 302)
    assert Entry.objects.filter(event=event, name="Una in più").exists()


@pytest.mark.deep
@pytest.mark.django_db
def test_who_guesses_links_behind_the_proxy_stops_alone(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    to = reverse("tournaments:open-link", args=["x" * 32])
    guesses = [hall("198.51.100.66").get(to).status_code for _ in range(25)]
    assert guesses[-1] == 429
    assert hall("203.0.113.1").get(to).status_code == 404
    forged = Client(REMOTE_ADDR=PROXY, headers={"x-forwarded-for": "10.3.2.1, 198.51.100.66"})
    assert forged.get(to).status_code == 429


@pytest.mark.django_db
def test_a_forged_header_does_not_lift_the_limit_of_the_api(
    settings: Any, monkeypatch: Any
) -> None:
    from config import clients

    assert settings.TRUSTED_PROXIES == 0
    assert site.REST_FRAMEWORK["NUM_PROXIES"] == 0
    monkeypatch.setattr(clients.AnonymousThrottle, "rate", "5/min", raising=False)
    codes = [
        Client(headers={"x-forwarded-for": f"10.0.0.{number}"}).get("/api/v1/formats/").status_code
        for number in range(8)
    ]
    assert codes == [200] * 5 + [429] * 3
    other = Client(REMOTE_ADDR="192.0.2.77")
    assert other.get("/api/v1/formats/").status_code == 200


@pytest.mark.django_db
def test_wrong_passwords_behind_the_proxy_stop_one_client(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    user = make.user("anna@example.org")
    wrong = {"login": user.email, "password": "wrong"}
    for _ in range(11):
        answer = hall("198.51.100.66").post("/accounts/login/", wrong)
    right = {"login": user.email, "password": "girone-test"}
    answer = hall("198.51.100.66").post("/accounts/login/", right)
    assert answer.status_code == 200
    assert hall("203.0.113.1").post("/accounts/login/", right).status_code == 302


@pytest.mark.django_db
def test_fewer_proxies_than_trusted_ones_refuse_nobody_at_sign_in(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 2
    user = make.user("anna@example.org")
    right = {"login": user.email, "password": "girone-test"}
    answer = Client(REMOTE_ADDR="", headers={"x-forwarded-for": "1.2.3.4"}).post(
        "/accounts/login/", right
    )
    assert answer.status_code == 302
