"""The start pairs round 1 with one button; its page asks what needs an answer, and no more."""

import pytest

from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.lots.services import draw_start_order, record_start_order
from tournaments.models import Entry, Event
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"cut": 0}}
GROUPS = {"formula": "groups-knockout", "format": "creatures-of-exo"}
KNOCKOUT = {"formula": "single-elimination", "format": "creatures-of-exo"}


@pytest.fixture
def event(by):
    return make.open_event(by, decklists="required")


@pytest.fixture
def signed(by):
    return signed_in(by)


def now(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def published_in_two(signed, event) -> None:
    """Press the button of the page, then *Publish* on the page that it leads to."""
    drafted = signed.post(url("manage-start-go", event), follow=True)
    assert drafted.request["PATH_INFO"] == url("desk-round", event, 1)
    (item,) = event.rounds.all()
    assert item.state == "draft"
    for match in item.matches.all():
        assert all(entry.name in text(drafted) for entry in match.players)
    assert signed.post(url("desk-publish", event, 1)).status_code == 302
    item.refresh_from_db()
    assert item.state == "published"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("settings", "words"),
    [(SWISS, "Pair round 1"), (GROUPS, "Draw the groups"), (KNOCKOUT, "Pair round 1")],
)
def test_two_acts_from_the_players_to_a_published_round(signed, by, settings, words):
    event = make.open_event(by, **settings)
    make.players(event, 8, by)
    for name in ("arrivals", "manage-players", "desk", "manage-start"):
        Entry.objects.update(status=Entry.Status.CHECKED_IN)
        page = text(signed.get(url(name, event)))
        assert words in page, name
        assert "andom draw and start" not in page
    published_in_two(signed, event)
    (draw,) = event.draws.filter(kind="start")
    assert not draw.by_hand
    assert [line.action for line in event.log.order_by("number")][-4:] == [
        "draw.start",
        "event.start",
        "round.drafted",
        "round.published",
    ]
    assert verify_event(now(event)) == []


def test_an_event_paired_elsewhere_starts_without_a_round(signed, by):
    event = make.open_event(by, paired_elsewhere=True, **SWISS)
    make.players(event, 4, by)
    assert "Start the event" in text(signed.get(url("manage-start", event)))
    assert signed.post(url("manage-start-go", event)).url.endswith("/desk/pairings/")
    assert now(event).state == "running"
    assert not event.rounds.exists()


def test_lists_that_are_missing_are_asked_about_first_and_nothing_is_drawn(signed, event, by):
    make.players(event, 6, by)
    refused = signed.post(url("manage-start-go", event))
    assert refused.status_code == 409
    assert "give a reason to start anyway" in refused.content.decode()
    assert not event.draws.filter(kind="start").exists()
    assert 'name="seen" value="1,2,3,4,5,6"' in text(signed.get(url("manage-start", event)))
    go = {"seen": "1,2,3,4,5,6", "override": "Agreed with the players", "despite": "on"}
    assert signed.post(url("manage-start-go", event), go).status_code == 302
    assert event.rounds.count() == 1


@pytest.mark.deep
def test_optional_lists_are_never_missing(signed, by):
    event = make.open_event(by, decklists="optional", **SWISS)
    make.players(event, 4, by)
    for name in ("manage-start", "arrivals", "desk"):
        page = text(signed.get(url(name, event))).lower()
        assert "decklists missing" not in page, name
        assert "decklist missing" not in page, name
        assert "no decklist" not in page, name
    published_in_two(signed, event)


def test_who_is_not_present_is_asked_about_once_where_others_are(signed, by):
    event = make.open_event(by, **SWISS)
    ada, bea, *others = make.players(event, 6, by)
    assert "Not marked as present" not in text(signed.get(url("manage-start", event)))
    Entry.objects.filter(pk__in=[one.pk for one in others]).update(status=Entry.Status.CHECKED_IN)
    asked = signed.post(url("manage-start-go", event), follow=True)
    assert asked.redirect_chain == [(url("manage-start", event), 302)]
    assert asked.context["shown"]["absent"] == (ada, bea)
    assert "Not marked as present: 2" in text(asked)
    assert not event.draws.filter(kind="start").exists()
    assert signed.post(url("manage-start-go", event), {"absent": "on"}).status_code == 302
    assert event.rounds.get().state == "draft"


def test_what_blocks_nothing_does_not_stand_there(signed, by):
    event = make.open_event(by, **GROUPS)
    make.players(event, 8, by)
    draw_start_order(event=event, by=by)
    shown = signed.get(url("manage-start", event)).content.decode()
    for draw in event.draws.all():
        assert draw.seed not in shown
        assert draw.fingerprint not in shown
    assert 'class="notice warn' not in shown
    assert 'id="absent"' not in shown


@pytest.mark.deep
def test_a_draw_before_an_undone_start_is_used_unless_repeated(signed, by):
    event = make.open_event(by, **GROUPS)
    make.players(event, 8, by)
    signed.post(url("manage-start-go", event))
    for _act in ("round.drafted", "event.start"):
        undo(event=now(event), expected=last_act(now(event)).line.number, by=by)
    assert now(event).plan is None
    first = event.draws.get(kind="start", state="drawn")
    shown = signed.get(url("manage-start", event)).context["shown"]
    assert shown["draw"] == first
    assert {name for _group, players in shown["preview"].groups for name in players} == {
        entry.name for entry in event.entries.all()
    }
    signed.post(url("manage-start-go", event), {"draw": first.number})
    seated = [
        tuple(seat.entry.name for seat in group.seats.order_by("number"))
        for group in event.stages.get(number=1).groups.order_by("number")
    ]
    assert seated == [players for _group, players in shown["preview"].groups]
    assert event.draws.filter(kind="start", state="drawn").count() == 1


@pytest.mark.deep
def test_a_draw_that_was_shown_is_not_used_once_players_change(signed, by):
    event = make.open_event(by, **GROUPS)
    make.players(event, 8, by)
    draw = record_start_order(event=event, order=[*range(8, 0, -1)], witnesses="Bea", by=by)
    assert "Witnesses: <bdi>Bea</bdi>" in text(signed.get(url("manage-start", event)))
    signed.post(url("manage-players-add", event), {"name": "Zoe"})
    shown = signed.get(url("manage-start", event))
    assert shown.context["shown"]["preview"] is None
    assert "The players have changed." in text(shown)
    sent = {"draw": draw.number}
    assert signed.post(url("manage-start-go", event), sent).status_code == 409
    published_in_two(signed, event)
    assert event.draws.filter(kind="start", state="drawn").count() == 2


def test_an_order_drawn_by_hand_needs_witnesses(signed, event, by):
    make.players(event, 3, by)
    places = {"place_1": "3", "place_2": "1", "place_3": "2"}
    refused = signed.post(url("manage-start-hand", event), places)
    assert refused.status_code == 400
    assert 'value="3"' in refused.content.decode()
    signed.post(url("manage-start-hand", event), places | {"witnesses": "Ines, Karl"})
    assert event.draws.get(kind="start").order == [2, 3, 1]


def test_a_start_by_points_offers_no_order(signed, by):
    event = make.open_event(by, **SWISS)
    make.players(event, 6, by)
    draw_start_order(event=event, by=by)
    page = signed.get(url("manage-start", event))
    assert page.context["shown"]["preview"] is None
    assert 'id="by-hand"' not in page.content.decode()


def test_the_slower_of_two_is_refused(signed, by):
    event = make.open_event(by, **SWISS)
    make.players(event, 4, by)
    assert signed.post(url("manage-start-go", event)).status_code == 302
    again = signed.post(url("manage-start-go", event))
    assert again.status_code == 409
    assert event.rounds.count() == 1
