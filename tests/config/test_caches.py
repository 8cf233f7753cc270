"""Redis may go away: nothing breaks, limits go on in the memory of the process."""

import logging

import pytest
from django.core.cache import caches
from django.test import Client
from redis.exceptions import ConnectionError as NoRedis

from config import caches as own
from config import env
from tests import factories as make
from tests.servers.running import free_port

NOWHERE = {"BACKEND": "config.caches.RedisOrMemory"}


@pytest.fixture
def gone(settings):
    """Make the site's cache one whose Redis is not there."""
    address = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {"default": NOWHERE | {"LOCATION": address}}
    caches["default"].memory.clear()
    return caches["default"]


def test_the_address_of_a_redis_is_read_as_one_that_may_go_away(monkeypatch):
    monkeypatch.setenv("CACHE_URL", "redis://127.0.0.1:6379/1")
    assert env.cache("CACHE_URL")["BACKEND"] == NOWHERE["BACKEND"]


def test_every_call_is_answered_from_memory(gone):
    assert gone.get("a", 7) == 7
    gone.set("a", 1)
    assert gone.add("a", 2) is False
    assert gone.incr("a") == 2
    assert gone.has_key("a")
    assert gone.touch("a")
    gone.set_many({"b": 1, "c": 2})
    assert gone.get_many(["a", "b", "c"]) == {"a": 2, "b": 1, "c": 2}
    gone.delete_many(["b"])
    assert gone.delete("c")
    assert gone.get_or_set("d", lambda: 4) == 4
    gone.clear()
    assert gone.get("a") is None
    with pytest.raises(ValueError, match="a"):
        gone.incr("a")


class Clock:
    now = 1000.0

    def monotonic(self):
        return self.now


class Flaky:
    def __init__(self):
        self.asked, self.there = 0, False

    def get(self, *_args):
        self.asked += 1
        if not self.there:
            raise NoRedis("refused")
        return "from Redis"


def test_it_is_logged_once_a_minute_and_asked_again_soon(gone, monkeypatch, caplog):
    clock = Clock()
    monkeypatch.setattr(own, "time", clock)
    gone.redis = flaky = Flaky()
    with caplog.at_level(logging.ERROR, logger="config.caches"):
        for _ in range(100):
            gone.get("a")
        assert flaky.asked == 1
        clock.now += own.LEFT_ALONE
        gone.get("a")
        assert flaky.asked == 2
        assert len(caplog.records) == 1
        clock.now += own.BETWEEN_LINES
        gone.get("a")
        assert len(caplog.records) == 2
    flaky.there = True
    clock.now += own.LEFT_ALONE
    assert gone.get("a") == "from Redis"


@pytest.mark.django_db
@pytest.mark.usefixtures("gone")
def test_sign_in_is_never_without_a_limit():
    make.user("anna@example.org")
    client = Client(headers={"accept-language": "en"})
    wrong = {"login": "anna@example.org", "password": "no such word"}
    said = [client.post("/accounts/login/", wrong) for _ in range(12)]
    assert all(answer.status_code < 500 for answer in said)
    assert "Too many failed" in said[-1].content.decode()
    assert "Too many failed" not in said[0].content.decode()


@pytest.mark.django_db
@pytest.mark.usefixtures("gone")
def test_pages_and_api_answer(by):
    event = make.playing(by, 4)
    client = Client()
    for address in (
        "/",
        f"/events/{event.slug}/standings/",
        "/api/v1/events/",
        f"/api/v1/events/{event.slug}/",
        "/accounts/login/",
    ):
        assert client.get(address).status_code == 200
