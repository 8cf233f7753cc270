"""The desk chooses what the screen shows; what is not possible gives way to what is due."""

import pytest
from django.test import Client
from django.urls import reverse

from rules.errors import BadInput
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.judging.services import announce
from tournaments.screen.selectors import parts_shown
from tournaments.screen.services import pin_view

pytestmark = pytest.mark.django_db


def shown(event):
    event.refresh_from_db()
    return parts_shown(load_facts(event, drafts=False))


@pytest.fixture
def playing(by):
    return make.playing(by, 9, formula="swiss-cut")


def test_a_view_stays_until_another_is_chosen(playing, by):
    pin_view(event=playing, view="standings", by=by)
    found = shown(playing)
    assert (found.pinned, bool(found.standings)) == ("standings", True)
    pin_view(event=playing, view="names", by=by)
    assert (shown(playing).pinned, bool(shown(playing).names)) == ("names", True)
    pin_view(event=playing, view="", by=by)
    assert shown(playing).pinned == ""
    lines = playing.log.filter(action="screen.pinned").order_by("number")
    assert [line.after["view"] for line in lines] == ["standings", "names", ""]


def test_names_can_be_shown_again_when_all_results_are_in(playing, by):
    make.play_round(playing.rounds.get(), by)
    assert shown(playing).names == ()
    pin_view(event=playing, view="names", by=by)
    assert sum(len(c) for page in shown(playing).names for c in page.columns) == 9
    pin_view(event=playing, view="playing", by=by)
    assert (shown(playing).pinned, shown(playing).playing.count) == ("playing", 0)


@pytest.mark.parametrize("view", ["bracket", "podium"])
def test_what_there_is_not_yet_gives_way_to_what_is_due(playing, by, view):
    pin_view(event=playing, view=view, by=by)
    found = shown(playing)
    assert (found.pinned, bool(found.names)) == ("", True)
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(by.user)
    page = desk.get(reverse("tournaments:desk", args=[playing.slug])).content.decode()
    assert f"no {view} yet: shows pairings" in page
    pin_view(event=playing, view="names", by=by)
    page = desk.get(reverse("tournaments:desk", args=[playing.slug])).content.decode()
    assert "pin-note" not in page


def test_before_the_start_and_after_the_end(by):
    event = make.open_event(by)
    pin_view(event=event, view="names", by=by)
    assert shown(event).pinned == ""
    over = make.played(by, 4)
    pin_view(event=over, view="standings", by=by)
    assert (shown(over).pinned, bool(shown(over).standings)) == ("standings", True)


def test_an_unknown_view_and_the_same_one_store_nothing(playing, by):
    playing.refresh_from_db()
    version = playing.version
    with pytest.raises(BadInput):
        pin_view(event=playing, view="advert", by=by)
    pin_view(event=playing, view="", by=by)
    playing.refresh_from_db()
    assert playing.version == version


def test_the_desk_pins_an_announcement_and_the_next_question_brings_it(playing, by):
    desk, wall = Client(headers={"accept-language": "en"}), Client()
    desk.force_login(by.user)
    announce(event=playing, text="Quiet please", minutes=5, by=by)
    address = reverse("tournaments:screen", args=[playing.slug])
    before = wall.get(address, headers={"hx-request": "true"})
    assert 'data-pinned=""' in before.content.decode()
    text = desk.get(reverse("tournaments:desk", args=[playing.slug])).content.decode()
    assert "On the screen: What is due" in text
    sent = desk.post(
        reverse("tournaments:screen-pin", args=[playing.slug]), {"view": "announcement"}
    )
    assert sent.status_code == 302
    known = {"hx-request": "true", "if-none-match": before["ETag"]}
    after = wall.get(address, headers=known)
    assert after.status_code == 200
    text = after.content.decode()
    assert 'data-pinned="announcement"' in text
    assert "<p><bdi>Quiet please</bdi></p>" in text
    assert Client().post(reverse("tournaments:screen-pin", args=[playing.slug])).status_code == 403
