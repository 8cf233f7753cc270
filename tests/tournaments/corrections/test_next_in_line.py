"""Who moves up, by one act, for a player who left after qualifying."""

import pytest

from rules.results import PlayerId
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.recipes import recipe
from tests.tournaments.corrections.test_follow import settled, sound
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import next_in_line
from tournaments.models import Event
from tournaments.personal.selectors.player import player_page
from tournaments.players.services.departures import withdraw
from tournaments.rounds.services import close_and_draft, publish_round
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


@recipe
def drafted_cut(by: Actor) -> Event:
    """Return an event of Swiss rounds, closed, whose semi-finals are a draft."""
    event = make.started(
        by, 8, formula="swiss-cut", format="creatures-of-exo", options={"rounds": 3, "cut": 4}
    )
    make.play_stage(event, by)
    settled(event, by)
    close_and_draft(event=event, expected_stage=1, expected_round=4, by=by)
    return Event.objects.get(pk=event.pk)


def swiss_order(event: Event) -> list[PlayerId]:
    (table,) = load_facts(event).stages[0].outcome.standings.values()
    return [row.player for row in table.rows]


def test_who_is_next_moves_up_by_one_act_before_the_round(by: Actor) -> None:
    event = drafted_cut(by)
    before = load_facts(event)
    order = swiss_order(event)
    assert next_in_line(before) is None
    withdraw(entry=event.entries.get(number=order[1]), by=by)
    shown = next_in_line(load_facts(event))
    assert (shown.gone.number, shown.comes.number) == (order[1], order[4])
    for number, is_next in ((order[4], True), (order[5], False)):
        seat = player_page(load_facts(event), event.entries.get(number=number)).seat
        assert (event.entries.get(number=order[1]).name in seat.line) == is_next
    client, name = signed_in(by), event.entries.get(number=order[4]).name
    for page in ("desk", "advance"):
        said = text(client.get(url(page, event)))
        assert "has left after qualifying" in said
        assert f"{name} moves up" in said
    address, sent = url("next-in-line", event), {"number": order[1], "shown": shown.mark}
    assert client.post(address, sent | {"shown": "other"}).status_code == 409
    assert client.post(address, sent | {"number": 99}).status_code == 404
    done = client.post(address, sent, follow=True)
    assert "The seat is given to who comes next." in text(done)
    assert "has left after qualifying" not in text(done)
    after = load_facts(event).stages[1].state
    assert set(after.players) == {order[0], *order[2:5]}
    assert sound(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert set(load_facts(event).stages[1].state.players) == set(order[:4])
    assert sound(event) == []


def test_nobody_moves_up_once_the_round_is_published(by: Actor) -> None:
    event = drafted_cut(by)
    withdraw(entry=event.entries.get(number=load_facts(event).stages[1].state.players[0]), by=by)
    assert next_in_line(load_facts(event)) is not None
    publish_round(event=event, ordinal=4, by=by)
    assert next_in_line(load_facts(event)) is None
    assert "moves up" not in text(signed_in(by).get(url("advance", event)))


def test_who_left_for_good_is_named_where_nobody_is_left(by: Actor) -> None:
    event = drafted_cut(by)
    order = swiss_order(event)
    for player in (*order[4:], order[0]):
        withdraw(entry=event.entries.get(number=player), by=by)
    shown = next_in_line(load_facts(event))
    assert (shown.gone.number, shown.comes) == (order[0], None)
    assert shown.why_not
    page = text(signed_in(by).get(url("desk", event)))
    assert "Nobody can move up" in page
    sent = {"number": order[0], "shown": shown.mark}
    assert signed_in(by).post(url("next-in-line", event), sent).status_code == 409
    assert set(load_facts(event).stages[1].state.players) == set(order[:4])
