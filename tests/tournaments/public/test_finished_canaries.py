"""Canaries in everything private, looked for by readers who come through the finished answers."""

import time

import pytest
from django.test import client as test_client

from tests.canary_event import SHARPEST
from tests.front import Through, before_client
from tests.matrix import DRAFT, FOUND, LATER, NOBODY, Canary, Matrix, leaks
from tests.tournaments.test_canaries import EVERYBODY, crawled

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet", "through")]


class Hours:
    """A time at which nothing of the request before may be shown any more."""

    at = time.time()

    def __call__(self) -> float:
        self.at += 0.7
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds


@pytest.fixture
def through(monkeypatch: pytest.MonkeyPatch) -> None:
    before_client(Hours())  # type: ignore[arg-type]
    monkeypatch.setattr(test_client, "ClientHandler", Through)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("whole", "only"),
    [
        ({}, {"anonymous"}),
        pytest.param({}, {"other", "judge"}, marks=pytest.mark.deep),
        pytest.param(SHARPEST, EVERYBODY, marks=pytest.mark.deep),
    ],
)
def test_lists_are_seen_as_the_table_says_through_the_front(
    whole: dict[str, set[str]], only: set[str]
) -> None:
    """Where lists are near, as one of a kind; as everybody and elsewhere in ``make test-all``."""
    crawled(whole, only)
    assert bool(Through.rendered) is ("anonymous" in only)


@pytest.mark.deep
@pytest.mark.parametrize("reader", ["anonymous", pytest.param("other", marks=pytest.mark.deep)])
def test_what_is_written_is_found_by_whom_it_concerns_through_the_front(reader: str) -> None:
    around = Matrix()
    tokens = {name: Canary(token, NOBODY, NOBODY) for name, token in around.tokens.items()}
    around.draft()
    assert not leaks(around, reader, FOUND | tokens | {"draft": DRAFT})
    around.finish()
    assert not leaks(around, reader, FOUND | LATER | tokens)
    assert bool(Through.rendered) is (reader == "anonymous")
