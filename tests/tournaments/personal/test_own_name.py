"""The player who reads has the name that others have for them: with a mark where twins exist."""

import pytest

from tests import factories as make
from tests.browsers import by_link, text, url
from tournaments.lots.services import draw_start_order
from tournaments.models import Event
from tournaments.starting.services import start_event

pytestmark = pytest.mark.django_db


NAMES = ("Marco Rossi (1)", "Marco Rossi (2)", "Anna Blu")


@pytest.fixture
def twins(by):
    """Return a running event with two players of one name, and its players."""
    event = make.open_event(by, formula="single-group", format="creatures-of-exo")
    entries = make.players_more(event, ["Marco Rossi", "Marco Rossi", "Anna Blu"], by)
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk), entries


@pytest.mark.parametrize("name", ["me", "my-drop", "event", "standings"])
def test_only_twins_have_a_mark_in_the_head(twins, by, name):
    event, entries = twins
    for entry, shown in zip(entries, NAMES, strict=True):
        head = text(by_link(entry, by).get(url(name, event))).partition("</header>")[0]
        assert f"<bdi>{shown}</bdi>" in head


def test_the_picture_to_share_has_the_same_name(twins, by):
    event, entries = twins
    make.play_event(event, by)
    for entry, shown in zip(entries, NAMES, strict=True):
        page = text(by_link(entry, by).get(url("me", event)))
        picture = page.partition('class="own-picture"')[2].partition("</p>")[0]
        assert f"<bdi>{shown}</bdi>" in picture
