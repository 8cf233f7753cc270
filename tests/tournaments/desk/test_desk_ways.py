"""Ways that the desk offers: only such as lead somewhere in this event, at this moment."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Rights
from tournaments.desk.selectors.desk import desk_of
from tournaments.events.services.events import move_event
from tournaments.models import Event
from tournaments.rounds import services as rounds
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db
ALL = Rights(run=True, rule=True, manage=True)


@pytest.fixture
def desk(by) -> Client:
    return signed_in(by)


def page(client: Client, name: str, event: Event, *parts: object) -> str:
    answer = client.get(reverse(f"tournaments:{name}", args=[event.slug, *parts]))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("lists", ["off", "optional"])
def test_deck_checks_are_offered_where_lists_are_collected(by, desk, lists):
    event = make.started(by, 4, decklists=lists)
    make.next_round(event, by)
    match = event.rounds.get().matches.first()
    pages = {
        name: page(desk, name, event, *parts)
        for name, *parts in (("desk",), ("match", match.pk), ("penalties",))
    }
    shown = lists != "off"
    for name, html in pages.items():
        assert ("Deck checks" in html) is shown, name
    assert ("Check both decks" in pages["match"]) is shown
    assert (f'name="match" value="{match.pk}"' in pages["match"]) is shown
    assert ("Penalties and deck checks" in pages["match"]) is shown
    penalties = reverse("tournaments:penalties", args=[event.slug])
    assert (f'href="{penalties}"' in pages["desk"]) is not shown


def test_nobody_leaves_or_arrives_once_everything_is_played(by, desk):
    event = make.played(by, 4)
    event.entries.filter(number=1).update(status="registered")
    finished = page(desk, "arrivals", event)
    move_event(event=event, action="reopen", by=by)
    match = event.rounds.last().matches.filter(match_seats__number=2).last()
    assert 'class="ico drop"' not in page(desk, "desk", event)
    assert 'id="leave"' not in page(desk, "match-correct", event, match.pk)
    for html in (page(desk, "match", event, match.pk), page(desk, "manage-player", event, 1)):
        assert 'value="withdraw"' not in html
        assert 'value="disqualify"' in html
    for html in (finished, page(desk, "arrivals", event), page(desk, "manage-players", event)):
        assert "Mark all as present" not in html
        assert "/check-in/" not in html


def test_a_draft_is_no_earlier_round(by, desk):
    event = make.started(by, 12)
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_lots(event=event, tied=needed[0], seed="x", by=by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    last = load_facts(event).last_ordinal
    assert desk_of(load_facts(event), ALL).former == tuple(range(1, last + 1))
    rounds.draft_round(event=event, expected_round=last + 1, by=by)
    assert desk_of(load_facts(event), ALL).former == tuple(range(1, last + 1))
    former = page(desk, "desk", event).partition("Earlier rounds")[2]
    assert f">Round {last}</a>" in former
    assert f">Round {last + 1}</a>" not in former
    rounds.publish_round(event=event, ordinal=last + 1, by=by)
    assert desk_of(load_facts(event), ALL).former == tuple(range(1, last + 1))
