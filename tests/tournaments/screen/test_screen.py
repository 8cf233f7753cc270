"""The screen of the hall: what is due, and a view that the desk pins."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from rules.errors import BadInput
from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.event_state import load_facts
from tournaments.core.slugs import event_short_code
from tournaments.judging.services import create_announcement
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.screen.selectors import default_parts, names_pages, screen_parts
from tournaments.screen.services import pin_view

pytestmark = pytest.mark.django_db


def shown(event):
    return default_parts(load_facts(event, for_staff=False))


def page(event, query=""):
    return Client(headers={"accept-language": "en"}).get(
        reverse("tournaments:screen", args=[event.slug]) + query
    )


def _row(index):
    entry = SimpleNamespace(name=f"N{index:03}", surname="", mark="", number=index)
    return SimpleNamespace(entry=entry)


@pytest.mark.parametrize(
    ("players", "pages", "columns"),
    [(0, 0, 0), (1, 1, 1), (4, 1, 2), (16, 1, 2), (33, 1, 3), (64, 2, 3), (99, 3, 3), (256, 5, 4)],
)
def test_everybody_is_on_one_page_once(players, pages, columns):
    names = [_row(i) for i in range(players)]
    found = names_pages(names)
    assert len(found) == pages
    assert max((len(each["columns"]) for each in found), default=0) == columns
    assert [row for each in found for column in each["columns"] for row in column] == names
    assert max((len(column) for each in found for column in each["columns"]), default=0) <= 14


def test_before_the_start_it_invites(by):
    event = make.open_event(by)
    found = shown(event)
    assert (found.round, found.names, found.podium) == (None, (), None)
    text = page(event).content.decode()
    assert event.name in text
    assert f"testserver/j/{event_short_code(event.pk)}" in text
    assert "Scan the code and tap your name." in text


def test_of_a_draft_it_shows_no_code(by):
    event = make.event(by)
    text = signed_in(by).get(reverse("tournaments:screen", args=[event.slug])).content.decode()
    assert event.name in text
    assert event_short_code(event.pk) not in text
    assert 'class="address"' not in text


def test_a_round_shows_names_then_what_still_plays(by):
    event = make.playing(by, 9, formula="swiss-cut")
    found = shown(event)
    assert [row.entry.number for each in found.names for c in each["columns"] for row in c]
    assert (found.playing["count"], found.playing["all"], len(found.playing["tables"])) == (4, 4, 4)
    match = event.rounds.get().matches.filter(match_seats__number=2).order_by("table").first()
    results.decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)
    found = shown(event)
    assert found.playing["count"] == 3
    assert match.table not in [table for table, _extra in found.playing["tables"]]


def test_many_tables_are_counted_not_named(by):
    event = make.playing(by, 64, formula="swiss-cut")
    assert (shown(event).playing["count"], shown(event).playing["tables"]) == (32, ())


@pytest.mark.deep
def test_a_finished_round_shows_standings_of_all(by):
    event = make.playing(by, 33, formula="swiss-cut")
    make.play_round(event.rounds.get(), by)
    found = shown(event)
    ranked = [
        each["row"].entry.number
        for one in found.standings
        for column in one["columns"]
        for block in column
        for each in block.rows
    ]
    assert sorted(ranked) == list(range(1, 34))
    assert len(found.standings) == 2
    assert all(
        sum(block.lines for block in column) <= 13
        for one in found.standings
        for column in one["columns"]
    )


def test_groups_stay_whole(by):
    event = make.started(by, 12, formula="groups-knockout")
    make.play_round(make.next_round(event, by), by)
    blocks = [b for one in shown(event).standings for column in one["columns"] for b in column]
    assert all(block.heading for block in blocks)
    assert sum(len(block.rows) for block in blocks) == 12


@pytest.mark.deep
def test_a_bracket_fits_side_by_side(by):
    event = make.playing(by, 32, formula="single-elimination")
    found = shown(event)
    assert len(found.bracket) == 4
    assert len(found.bracket[0].boxes) == 16
    for _round in range(2):
        make.play_round(event.rounds.last(), by)
        make.next_round(event, by)
    assert [len(column.boxes) for column in shown(event).bracket][-1] in (1, 2)
    assert len(shown(event).bracket[0].boxes) == 8


@pytest.mark.deep
def test_the_end_is_the_podium(by):
    event = make.played(by, 5, formula="single-group")
    found = shown(event)
    assert [row.rank for row in found.podium.podium] == [1, 2, 3]
    assert found.podium.podium[0].entry.name in page(event).content.decode()


def test_a_draft_is_not_on_the_wall(by):
    event = make.started(by, 8, formula="swiss-cut")
    rounds.draft_round(event=event, expected_round=1, by=by)
    assert shown(event).round is None
    assert page(make.event(by)).status_code == 404


def test_it_has_no_controls_and_no_secret(by):
    event = make.playing(by, 8, formula="swiss-cut")
    text = page(event).content.decode()
    content = text.partition("<main")[2].partition("</main>")[0]
    assert "<form" not in content
    assert "csrf" not in text
    assert "<button" not in content
    assert "Set-Cookie" not in page(event).headers


def test_it_is_asked_again_by_its_version(by):
    event = make.playing(by, 8, formula="swiss-cut")
    client, address = Client(), reverse("tournaments:screen", args=[event.slug])
    first = client.get(address, headers={"hx-request": "true"})
    again = client.get(address, headers={"hx-request": "true", "if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)


@pytest.mark.deep
def test_standings_after_a_round_are_those_of_its_stage(by, in_english):
    event = make.stage_played(by, 12)
    before = shown(event).standings
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    found = shown(event)
    ranked = [block.heading for page in before for column in page["columns"] for block in column]
    assert ranked == [b.heading for page in found.standings for c in page["columns"] for b in c]
    assert "Group A" in ranked
    assert found.title == "Standings after round 3"


def parts_now(event):
    event.refresh_from_db()
    return screen_parts(load_facts(event, for_staff=False))


@pytest.fixture
def playing(by):
    return make.playing(by, 9, formula="swiss-cut")


def test_a_view_stays_until_another_is_chosen(playing, by):
    pin_view(event=playing, view="standings", by=by)
    found = parts_now(playing)
    assert (found.pinned, bool(found.standings)) == ("standings", True)
    pin_view(event=playing, view="names", by=by)
    assert (parts_now(playing).pinned, bool(parts_now(playing).names)) == ("names", True)
    pin_view(event=playing, view="", by=by)
    assert parts_now(playing).pinned == ""
    lines = playing.log.filter(action="screen.pinned").order_by("number")
    assert [line.after["view"] for line in lines] == ["standings", "names", ""]


def test_names_can_be_shown_again_when_all_results_are_in(playing, by):
    make.play_round(playing.rounds.get(), by)
    assert parts_now(playing).names == ()
    pin_view(event=playing, view="names", by=by)
    assert sum(len(c) for page in parts_now(playing).names for c in page["columns"]) == 9
    pin_view(event=playing, view="playing", by=by)
    assert (parts_now(playing).pinned, parts_now(playing).playing["count"]) == ("playing", 0)


@pytest.mark.parametrize("view", ["bracket", "podium"])
def test_what_there_is_not_yet_gives_way_to_what_is_due(playing, by, view):
    pin_view(event=playing, view=view, by=by)
    found = parts_now(playing)
    assert (found.pinned, bool(found.names)) == ("", True)
    desk = signed_in(by)
    page = desk.get(reverse("tournaments:desk", args=[playing.slug])).content.decode()
    assert "Not yet. Now: Names and tables" in page
    pin_view(event=playing, view="names", by=by)
    page = desk.get(reverse("tournaments:desk", args=[playing.slug])).content.decode()
    assert "pin-note" not in page


@pytest.mark.deep
def test_before_the_start_and_after_the_end(by):
    event = make.open_event(by)
    pin_view(event=event, view="names", by=by)
    assert parts_now(event).pinned == ""
    over = make.played(by, 4)
    pin_view(event=over, view="standings", by=by)
    assert (parts_now(over).pinned, bool(parts_now(over).standings)) == ("standings", True)


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
    create_announcement(event=playing, text="Quiet please", minutes=5, by=by)
    address = reverse("tournaments:screen", args=[playing.slug])
    before = wall.get(address, headers={"hx-request": "true"})
    assert 'data-pinned=""' in before.content.decode()
    text = desk.get(reverse("tournaments:desk", args=[playing.slug])).content.decode()
    assert "Screen: Automatic" in text
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


def test_the_names_of_the_hall_name_the_opponent_as_the_printed_list_does(by, in_english):
    event = make.playing(by, 9, formula="swiss-cut")
    event.entries.filter(number=1).update(name="Ada De Rossi")
    rows = [row for each in shown(event).names for column in each["columns"] for row in column]
    (against,) = [row for row in rows if row.others and row.others[0].entry.number == 1]
    assert against.against == "against De Rossi A."
    (rests,) = [row for row in rows if not row.others]
    assert rests.against == ""
    text = page(event).content.decode()
    assert text.count('class="against"') == 8
    assert "against De Rossi A." in text


def test_at_tables_of_more_the_seat_stands_in_place_of_an_opponent(by):
    event = make.playing(by, 60, **make.TABLES)
    assert 'class="against"' not in page(event).content.decode()
