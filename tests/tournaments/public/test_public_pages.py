"""What everybody sees of an event: its page, pairings and players, long lists in parts."""

import gzip
import re
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories as make
from tests.browsers import ENGLISH, by_link, read, signed_in, text, url
from tests.scenes.base import SWISS
from tournaments.core.event_state import load_facts
from tournaments.events.services import change_event
from tournaments.models import Entry, Event, Match
from tournaments.models.tables import clear_row_marks
from tournaments.pages.long_lists import FULL, RequestedPart, parse_requested_part, select_part
from tournaments.public.selectors.running_event import (
    match_tiles,
    short_standings,
    stage_result_marks,
)
from tournaments.public.selectors.upcoming_event import draw_group, seats_bar, stage_path
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.rounds.selectors.pairings import pairings_page

pytestmark = pytest.mark.django_db


PAGES = ("", "players/", "pairings/", "standings/", "formula/", "record/")


def test_an_empty_site_is_welcoming(client: Client) -> None:
    assert "standings for card game tournaments" in read(client, "/")
    assert "classifiche per tornei di carte" in read(client, "/", "it")


@pytest.mark.deep
def test_the_list_has_running_coming_and_past_events(by, client: Client) -> None:
    make.started(by, 3, name="Running one", formula="single-group")
    make.open_event(by, name="Coming one")
    ended = make.started(by, 3, name="Past one", formula="single-group")
    make.play_event(ended, by)
    words = read(client, "/")
    assert words.index("Running one") < words.index("Coming one") < words.index("Past one")


@pytest.mark.deep
def test_past_events_come_in_pages(by, client: Client) -> None:
    for index in range(14):
        event = make.event(by, name=f"Old {index:02}")
        Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    assert read(client, "/").count("Old ") == 12
    assert read(client, "/?page=2").count("Old ") == 2
    assert read(client, "/?page=nonsense").count("Old ") == 12


@pytest.mark.deep
def test_a_draft_is_seen_by_its_staff_only(by, client: Client) -> None:
    event = make.event(by, name="Secret")
    other = Client()
    other.force_login(make.user())
    staff = Client()
    staff.force_login(by.user)
    for path in PAGES:
        for reader in (client, other):
            assert reader.get(f"/events/{event.slug}/{path}").status_code == 404
        assert staff.get(f"/events/{event.slug}/{path}").status_code == 200
    assert client.get(f"/events/{event.slug}/register/").status_code == 404
    assert "Secret" not in read(client, "/")
    assert "Secret" in read(staff, "/")


@pytest.mark.deep
@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens_before_and_after_the_start(by, client: Client, path: str) -> None:
    events = (make.open_event(by), make.started(by, 14), make.started(by, 9), make.played(by, 9))
    for event in events:
        read(client, f"/events/{event.slug}/{path}")
        read(client, f"/events/{event.slug}/{path}", "it")


def test_the_rules_are_said_in_words(by, client: Client) -> None:
    event = make.open_event(by, rulings="No opaque sleeves.", minutes=45)
    words = read(client, f"/events/{event.slug}/rules/")
    for sentence in (
        "No opaque sleeves.",
        "45 min",
        "Win: 3, draw: 1, loss: 0.",
        "One game to 40 points.",
        "/formats/doomtrooper-original/",
        "Too few players: 0 (at least 3).",
    ):
        assert sentence in words, sentence
    assert "Vittoria: 3, pareggio: 1, sconfitta: 0." in read(
        client, f"/events/{event.slug}/rules/", "it"
    )


def test_a_drafted_round_is_not_seen(by, client: Client) -> None:
    event = make.started(by, 4, formula="single-group")
    rounds.draft_round(event=event, expected_round=1, by=by)
    assert "No rounds have been published yet." in read(client, f"/events/{event.slug}/pairings/")
    assert client.get(f"/events/{event.slug}/pairings/1/").status_code == 404
    rounds.publish_round(event=event, ordinal=1, by=by)
    words = read(client, f"/events/{event.slug}/pairings/")
    assert "Round 1" in words
    assert ">Ada</bdi>" in words


def test_pairings_show_results_and_records_before_the_round(by, client: Client) -> None:
    event = make.started(by, 4, formula="single-group")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    latest = read(client, f"/events/{event.slug}/pairings/")
    assert ">1–0</small>" in latest
    assert latest.count(">Playing</span>") == 2
    first = read(client, f"/events/{event.slug}/pairings/1/")
    assert "40–10" in first
    assert "–0</small>" not in first


def test_who_polls_gets_the_fragment_once(by, client: Client) -> None:
    event = make.started(by, 4, formula="single-group")
    item = make.next_round(event, by)
    path = f"/events/{event.slug}/pairings/"
    answer = client.get(path, headers={"hx-request": "true"})
    assert b"<html" not in answer.content
    held = {"hx-request": "true", "if-none-match": answer["ETag"]}
    assert client.get(path, headers=held).status_code == 304
    make.play_round(item, by)
    assert client.get(path, headers=held).status_code == 200


@pytest.mark.deep
def test_queries_do_not_grow_with_the_field(
    by, client: Client, django_assert_max_num_queries: Any
) -> None:
    counts: dict[str, set[int]] = {}
    for players in (12, 90):
        event = make.started(by, players, formula="swiss-cut")
        make.next_round(event, by)
        for path in PAGES:
            with django_assert_max_num_queries(12) as seen:  # one for the series, on the overview
                read(client, f"/events/{event.slug}/{path}")
            counts.setdefault(path, set()).add(len(seen.captured_queries))
    assert {path: len(found) for path, found in counts.items()} == dict.fromkeys(PAGES, 1)


@pytest.mark.deep
def test_the_list_of_events_makes_seven_queries(
    by, client: Client, django_assert_num_queries: Any
) -> None:
    make.played(by, 3)
    for players in (3, 30):
        make.started(by, players)
        read(client, "/")  # the winner and the last results are looked for once
        with django_assert_num_queries(7):
            read(client, "/")


@pytest.mark.deep
def test_names_are_escaped(by, client: Client) -> None:
    event = make.started(by, 3, formula="single-group", name="<b>Cup</b>")
    Entry.objects.filter(event=event, number=1).update(name="<script>x</script>")
    clear_row_marks()
    make.next_round(event, by)
    change_event(event=event, changes={"about": "<img src=x>"}, by=by)
    for path in PAGES:
        words = read(client, f"/events/{event.slug}/{path}")
        assert "<script>x" not in words
        assert "<img src=x" not in words
        assert "<b>Cup" not in words


def test_who_rests_is_named(by, client: Client) -> None:
    event = make.started(by, 3, formula="single-group")
    make.next_round(event, by)
    page = pairings_page(load_facts(event))
    assert page is not None
    playing = {row.entry.name for row in page.names}
    assert [entry.name for entry in page.resting] == sorted({"Ada", "Bea", "Carlo"} - playing)
    assert "no match" in read(client, f"/events/{event.slug}/pairings/")


def test_only_who_is_signed_in_has_events_of_their_own_in_the_menu(client: Client) -> None:
    assert 'href="/me/"' not in read(client, "/")
    client.force_login(make.user())
    assert 'href="/me/"' in read(client, "/")


def test_who_is_signed_out_is_offered_to_sign_in_and_come_back(by, client: Client) -> None:
    event = make.open_event(by)
    address = f"/events/{event.slug}/manage/"
    button = f'class="button primary" href="/accounts/login/?next={address}"'
    assert button in client.get(address).content.decode()
    client.force_login(make.user())
    assert button not in client.get(address).content.decode()


GROUPS = {"formula": "mutant-chronicles"}


def a_wins(match, by):
    results.decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)


def html(client, event, path=""):
    answer = client.get(f"/events/{event.slug}/{path}", headers={"Accept-Language": "en"})
    return answer.content.decode()


@pytest.fixture
def running(by):
    """Return an event with twelve players in its first round, one result entered."""
    event = make.playing(by, 12, **GROUPS)
    match = Match.objects.filter(round__event=event).order_by("table").first()
    a_wins(match, by)
    return Event.objects.get(pk=event.pk)


def test_a_running_event_says_where_it_is_and_who_goes_on(client: Client, running: Event) -> None:
    page = html(client, running)
    assert 'aria-current="step"' in page
    assert "Now:</span>" in page
    assert page.count('class="match-tile') == 6
    assert page.count('class="match-tile over"') == 1
    assert "Still open: 5 / 6" in read(client, f"/events/{running.slug}/")
    assert page.count('class="mini"') == 3
    assert page.count("cut-line") == 6
    assert page.count("The first 2 advance") == 3
    assert page.count("Rank 3: the best 2 of 3 advance") == 3
    assert page.count('class="is-maybe"') == 3, "third places are compared across the groups"
    assert "Win: 3" not in html(client, running)
    assert "Win: 3" in html(client, running, "rules/")


def test_the_latest_result_is_there_and_none_before(client: Client, by) -> None:
    event = make.playing(by, 4, formula="single-group")
    assert "Latest results" not in html(client, event)
    a_wins(Match.objects.filter(round__event=event).first(), by)
    assert "Latest results" in html(client, event)


def test_the_path_knows_done_now_and_next_and_who_skips(running: Event) -> None:
    path = stage_path(load_facts(running, for_staff=False))
    assert path is not None
    assert [step.state for step in path.steps] == ["now", *["next"] * (len(path.steps) - 1)]
    assert [len(box.pegs) for box in path.steps[0].groups] == [4, 4, 4]
    assert path.steps[0].segments == ("half", "", "")
    assert [(skip["begin"], skip["spans"]) for skip in path.skips] == [(2, 3)]


def test_groups_and_seats_are_drawn_as_far_as_there_is_room() -> None:
    assert draw_group(9).number == 9
    assert draw_group(9).pegs == ()
    assert len(draw_group(8).pegs) == 8
    assert len(set(draw_group(3).pegs)) == 3
    assert sum(taken for _x, taken in seats_bar(31, 32)["cells"]) == 15
    assert sum(taken for _x, taken in seats_bar(32, 32)["cells"]) == 16
    assert len(seats_bar(1, 4)["cells"]) == 4


def test_before_the_start_it_says_places_left_and_who_is_coming(client: Client, by) -> None:
    event = make.open_event(by, capacity=16, venue="Sala")
    make.players_more(event, ["Anna"], by)
    page = html(client, event)
    assert "Places left <b>15</b>" in read(client, f"/events/{event.slug}/")
    assert 'id="coming-heading"' in page
    assert "Anna" in page
    assert 'class="seats-bar"' in page


@pytest.mark.deep
def test_a_finished_event_names_the_winner_and_the_road_of_each(client: Client, by) -> None:
    event = make.started(by, 4, formula="single-group")
    make.play_event(event, by)
    page = html(client, event)
    winner = re.search(r'class="headline">\s*(\S+) wins', page)
    assert winner
    assert page.count("road-cell won") == 1
    assert "Biggest win" in page
    assert page.count("<div><dt>") >= 4
    assert "place-1" in page


@pytest.mark.deep
def test_the_road_tells_the_final_from_the_match_for_third_place(client: Client, by) -> None:
    event = make.started(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    make.play_event(event, by)
    cells = re.findall(r"road-cell[^>]*>\s*([^<]*?)\s*<", html(client, event))
    assert sum(words.startswith("Final ") for words in cells) == 2
    assert sum(words.startswith("Third place") for words in cells) == 2


@pytest.mark.deep
@pytest.mark.parametrize(
    ("longest", "look"),
    [("Barbarossa", "steps"), ("Wolfensberg", "steps stacked"), ("W" * 25, "steps stacked small")],
)
def test_long_names_stand_below_one_another_on_the_podium(
    client: Client, by, longest: str, look: str
) -> None:
    event = make.started(by, 4, formula="single-group")
    make.play_event(event, by)
    event.entries.update(name=f"Ada {longest}-Conti")
    assert f'<ol class="{look}">' in html(client, event)


@pytest.mark.deep
def test_many_tables_are_not_all_drawn(by) -> None:
    options = {"rounds": 4, "cut": 8}
    criteria = ["points", "opponents_match_win", "game_win", "lots"]
    event = make.playing(by, 36, formula="swiss-cut", options=options, criteria=criteria)
    facts = load_facts(event, for_staff=False)
    stage = facts.open_stage
    matches = stage.matches_of(stage.last_round)
    assert len(match_tiles(facts, stage, matches).drawn) == 18, "none of them is finished"
    many = [match._replace(pk=match.pk + 1000 * n) for n in range(5) for match in matches]
    shown = match_tiles(facts, stage, many)
    assert (len(shown.drawn), shown.all, shown.parts) == (0, 90, ())
    (table,) = short_standings(facts, stage).tables
    assert len(table["rows"]) == 9, "the best eight and the first below the line"
    assert table["columns"][1][0] == "OMW", "what decides first between equal points"
    assert {(row.zone, row.cut, row.level) for row in table["rows"]} == {("", "", False)}
    assert "The first 8 advance" not in html(Client(), event), "nobody has played"
    make.play_round(event.rounds.get(), by)
    facts = load_facts(event, for_staff=False)
    (table,) = short_standings(facts, facts.open_stage).tables
    assert [row.cut != "" for row in table["rows"]] == [False] * 7 + [True, False]


def test_a_draw_a_win_and_a_loss_are_marks(by) -> None:
    event = make.playing(by, 4, formula="single-group")
    first = Match.objects.filter(round__event=event).order_by("table").first()
    a_wins(first, by)
    stage = load_facts(event, for_staff=False).open_stage
    assert stage_result_marks(stage)[first.players[0].number] == ("won",)
    assert stage_result_marks(stage)[first.players[1].number] == ("lost",)


def test_the_page_stays_light_and_costs_few_queries(client: Client, running: Event) -> None:
    client.get(f"/events/{running.slug}/")
    with CaptureQueriesContext(connection) as sent:
        page = client.get(f"/events/{running.slug}/").content
    assert len(gzip.compress(page)) < 15_000
    assert len(sent) <= 14


def test_at_tables_of_four_tiles_have_places(by, in_english):
    event = make.playing(by, 8, **make.TABLES)
    item = event.rounds.get()
    a_wins(item.matches.order_by("number").first(), by)
    facts = load_facts(event)
    tiles = match_tiles(facts, facts.stages[0], facts.stages[0].matches_of(facts.rounds[0]))
    assert [side.score for side in tiles.drawn[0].sides] == ["1st", "2nd", "2nd", "2nd"]
    assert {side.score for side in tiles.drawn[1].sides} == {"–"}


@pytest.mark.deep
def test_the_games_of_a_match_are_no_wide_win(client: Client, by) -> None:
    event = make.played(by, 4, formula="single-group", format="creatures-of-exo")
    shown = html(client, event)
    assert "Matches per player" in shown
    assert "Biggest win" not in shown


PLAYERS = FULL + 12
LISTS = ("pairings", "standings", "players")


@pytest.fixture
def crowd(by) -> Event:
    """Return an event with a Swiss round out for more players than a part has rows."""
    return make.playing(by, PLAYERS, **SWISS)


def page(client, name: str, event: Event, query: str = "") -> str:
    return text(client.get(url(name, event) + query))


def names(event: Event) -> list[str]:
    """Return the names of all players in the order of the lists by name."""
    return list(event.entries.order_by("name_key", "number").values_list("name", flat=True))


def shown(words: str, event: Event) -> set[str]:
    """Return the names of players on a page."""
    return {name for name in names(event) if f">{name}<" in words}


@pytest.mark.deep
@pytest.mark.parametrize("name", LISTS)
def test_every_player_stands_in_one_of_the_parts(crowd, name):
    client = Client(headers=ENGLISH)
    first, second = (page(client, name, crowd, query) for query in ("", "?page=2"))
    assert shown(first, crowd) | shown(second, crowd) == set(names(crowd))
    rows = [words.count('<th scope="row"') for words in (first, second)]
    if name == "pairings":
        rows = [2 * words.count('<td class="sides"') for words in (first, second)]
    assert rows == [FULL, PLAYERS - FULL]
    assert f'href="{url(name, crowd)}?page=2#' in first
    assert "?page=1" not in first + second
    whole = page(client, name, crowd, "?all=1")
    assert shown(whole, crowd) == set(names(crowd))
    assert whole.count("<tr") > PLAYERS // 2
    assert "data-print" in whole
    for odd in ("?page=99", "?page=0", "?page=x", "?all=2", "?page=1"):
        seen = shown(page(client, name, crowd, odd), crowd)
        assert seen in (shown(first, crowd), shown(second, crowd))


@pytest.mark.parametrize("name", LISTS)
def test_search_finds_whom_another_part_has(crowd, name):
    client, last = Client(headers=ENGLISH), names(crowd)[-1]
    words = page(client, name, crowd, f"?find={last.upper()}")
    assert last in shown(words, crowd)
    assert len(shown(words, crowd)) < 10
    assert "Found: " in words
    assert f'value="{last.upper()}"' in words
    assert not shown(page(client, name, crowd, "?find=nobody"), crowd)
    fragment = client.get(url(name, crowd) + f"?find={last}", headers={"HX-Request": "true"})
    assert "<html" not in text(fragment)
    assert last in shown(text(fragment), crowd)


@pytest.mark.parametrize("name", LISTS)
def test_the_own_row_comes_first(crowd, by, name):
    entry = crowd.entries.get(name=names(crowd)[-1])
    words = page(by_link(entry, by), name, crowd)
    first = words.partition("<tbody")[2].partition("</tr>")[0]
    assert f">{entry.name}<" in first
    assert "mine" in first


def test_a_small_event_has_no_parts(by):
    event = make.playing(by, 6, **SWISS)
    for name in LISTS:
        words = page(Client(headers=ENGLISH), name, event)
        assert "Filter the players" not in words
        assert "?all=1" not in words


def test_a_table_is_found_by_its_number(crowd):
    item = crowd.rounds.get()
    match = item.matches.get(table=70)
    words = page(Client(headers=ENGLISH), "pairings", crowd, "?find=70")
    assert match.players[0].name in words


class Listed:
    def __init__(self, number: int) -> None:
        self.number, self.name_key, self.mark = number, f"p{number}", str(number)
        self.players = (self,)


@pytest.mark.parametrize("total", [0, 1, FULL, FULL + 1, 2 * FULL, 1024])
def test_the_parts_of_a_list_hold_each_row_once(total):
    rows = [Listed(number) for number in range(1, total + 1)]
    first = select_part(rows, RequestedPart())
    parts = [
        select_part(rows, RequestedPart(page=each))
        for each in range(1, max(1, len(first.links)) + 1)
    ]
    assert [row.number for part in parts for row in part.rows] == list(range(1, total + 1))
    assert max((len(part.rows) for part in parts), default=0) <= FULL
    assert [sum(link["current"] for link in part.links) for part in parts if part.links] == [
        1 for part in parts if part.links
    ]


def test_what_cannot_be_read_asks_for_the_first_part():
    for query in ("page=-1", "page=²", "page=1e3", "page=99999999999", "page=&all=yes"):
        assert parse_requested_part(QueryDict(query)) == RequestedPart()
    found = parse_requested_part(QueryDict(f"find=%00{'x' * 500}&page=3"))
    assert (found.page, len(found.find)) == (3, 80)


@pytest.mark.deep
def test_the_staff_checks_in_where_it_stands(by):
    event = make.open_event(by, **SWISS)
    make.players(event, PLAYERS, by)
    client = signed_in(by)
    address = url("manage-players", event)
    first = text(client.get(f"{address}?filter=not-here"))
    assert 'href="' + address + '?filter=not-here&amp;page=2#players"' in first
    assert "player-1" in first
    assert f'id="player-{PLAYERS}"' not in first
    second = text(client.get(f"{address}?filter=not-here&page=2"))
    assert f'id="player-{PLAYERS}"' in second
    sent = {"filter": "not-here", "page": "2", "find": ""}
    answer = client.post(url("manage-player-check-in", event, PLAYERS), sent)
    assert answer.url == f"{address}?filter=not-here&page=2#player-{PLAYERS}"
    found = text(client.get(f"{address}?find={PLAYERS}"))
    assert found.count('<tr id="player-') == 1
    seeds = text(client.get(f"{address}?seeds=1&page=2"))
    assert seeds.count('name="seed_') == PLAYERS  # a form is never sent in part
