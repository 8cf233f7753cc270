"""A round in play, and a machine whose clock is moved by hand."""

import pytest
from django.utils.translation import override

from tests import factories as make
from tests.tournaments.clock.by_hand import Time


@pytest.fixture
def time(monkeypatch):
    moved = Time()
    for module in ("core.clocks", "clock.services"):
        monkeypatch.setattr(f"tournaments.{module}.moment_now", moved)
    with override("en"):
        yield moved


@pytest.fixture
def event(by):
    return make.playing(by, 12)
