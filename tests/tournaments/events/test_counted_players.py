"""How many players the lists of events tell."""

import pytest
from django.test import Client

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import count_players


@pytest.mark.django_db
def test_players_are_counted_before_the_start_and_after_it(by: Actor, client: Client) -> None:
    coming = make.open_event(by, capacity=8)
    make.players(coming, 3, by)
    begun = make.started(by, 4, formula="single-group")
    count_players([coming, begun])
    assert (coming.players, begun.players) == (3, 4)  # type: ignore[attr-defined]
    page = client.get("/", headers={"accept-language": "en"}).content.decode()
    assert "5 places left" in " ".join(page.split())
