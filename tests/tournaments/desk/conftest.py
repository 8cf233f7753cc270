"""An event of twelve with a match in play."""

import pytest

from tests import factories as make


@pytest.fixture
def event(by):
    return make.started(by, 12)


@pytest.fixture
def match(event, by):
    return make.next_round(event, by).matches.get(table=1)
