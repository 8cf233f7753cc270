"""The judge's pages of deck checks: the desk, one check, an exchange between games."""

import re

import pytest

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.browsers import by_link, page, signed_in, text, url
from tournaments.checks import services as check_ticks
from tournaments.checks import services as checks
from tournaments.decklists import services as decklists
from tournaments.models import DeckCheck, Event, StaffRole
from tournaments.penalties import services as penalties

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture
def event(by):
    return make.playing(by, 6, decklists="required")


@pytest.fixture
def check(event, judge):
    return checks.begin_player_check(entry=event.entries.get(number=1), by=judge)


def sent(check, **more) -> dict:
    return {"version": check.version, "line": ["0", "2"], "point": ["1"]} | more


# --- The desk ----------------------------------------------------------------------------
def test_two_taps_to_a_check_at_random(event, judge):
    client = signed_in(judge)
    assert url("checks", event) in text(client.get(url("desk", event)))
    page = text(client.get(url("checks", event)))
    assert "Pick a table at random" in page
    answer = client.post(url("checks-pick", event), {"expected": "0"})
    first = DeckCheck.objects.order_by("pk")[0]
    assert answer.url == url("check", event, first.pk)
    assert first.seed not in text(client.get(answer.url))


def test_coverage_names_who_was_not_checked(event, judge, check):
    check_ticks.finish_check(check=check, version=0, lines=(), points=(), outcome="clean", by=judge)
    page = text(signed_in(judge).get(url("checks", event)))
    assert "Checked: 1 / 6" in page
    assert 'name="number" value="1"' not in page
    assert all(f'name="number" value="{number}"' in page for number in range(2, 7))
    assert "In order" in page


def test_nobody_is_being_checked_once_the_event_is_over(event, judge, check):
    client = signed_in(judge)
    assert "In progress" in page(client, "checks", event)
    assert "Running for less than a minute" in page(client, "check", event, check.pk)
    Event.objects.filter(pk=event.pk).update(state="finished")
    desk, own = page(client, "checks", event), page(client, "check", event, check.pk)
    assert "In progress" not in desk
    assert "Unfinished checks" in desk
    assert "This check was never finished" in own
    assert "Running for" not in own
    assert "check-clock" not in own


def test_a_pick_after_another_is_refused_in_words(event, judge):
    client = signed_in(judge)
    client.post(url("checks-pick", event), {"expected": "0"})
    answer = client.post(url("checks-pick", event), {"expected": "0"})
    assert answer.status_code == 409
    assert "This is no longer possible." in text(answer)
    assert "In progress" in text(answer)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"table": "2"}, 302),
        ({"number": "5"}, 302),
        ({"number": "1"}, 409),
        ({"number": "77"}, 404),
        ({"table": "77"}, 400),
        ({"match": "999999"}, 404),
        ({"match": "1", "table": "1"}, 400),
        ({}, 400),
        ({"table": "1", "number": "1"}, 400),
        ({"table": "x"}, 400),
    ],
)
def test_by_table_or_player(event, judge, check, body, status):
    assert signed_in(judge).post(url("checks-start", event), body).status_code == status


def test_everybody_checked_says_so(event, by):
    for entry in event.entries.all():
        made = checks.begin_player_check(entry=entry, by=by)
        check_ticks.finish_check(check=made, version=0, lines=(), points=(), outcome="clean", by=by)
    page = text(signed_in(by).get(url("checks", event)))
    assert "All players still playing have been checked" in page
    answer = signed_in(by).post(url("checks-pick", event), {"expected": "6", "again": "on"})
    assert answer.status_code == 302


def test_the_scorekeeper_and_players_stay_out(event, by, check):
    scorekeeper = signed_in(make.staff(event, StaffRole.Role.SCOREKEEPER))
    player = by_link(check.entry, by)
    for name, *parts in (("checks",), ("check", check.pk), ("deck-sheets",), ("deck-sheet", 1)):
        for client in (scorekeeper, player):
            assert client.get(url(name, event, *parts)).status_code == 403
    assert url("checks", event) not in text(scorekeeper.get(url("desk", event)))


# --- One check ---------------------------------------------------------------------------
def test_the_list_in_printed_order_to_tick(event, judge, check):
    page = text(signed_in(judge).get(url("check", event, check.pk)))
    fingerprint = check.submission.decklist.fingerprint
    assert f"{fingerprint[:4]} {fingerprint[4:8]}" in page
    assert "Decklist 1" in page
    kinds = re.findall(r'name="line" value="(\d+)".*?<small>(\w+)</small></span>', page)
    assert [int(number) for number, _kind in kinds] == list(range(len(kinds)))
    assert "There are no photocopies or home-printed cards." in page
    assert page.count('name="point"') == 6


def test_ticks_go_on_at_another_device(event, judge, check):
    answer = signed_in(judge).post(url("check", event, check.pk), sent(check))
    assert answer.status_code == 302
    page = text(signed_in(make.staff(event)).get(url("check", event, check.pk)))
    assert re.findall(r'name="line" value="(\d+)" checked', page) == ["0", "2"]
    assert re.findall(r'name="point" value="(\d+)" checked', page) == ["1"]


def test_a_script_sets_single_ticks_and_may_send_them_twice(event, judge, check):
    client, other = signed_in(judge), signed_in(make.staff(event))
    address = url("check-ticks", event, check.pk)
    other.post(address, {"on": ["line-4"]}, headers=JSON)
    for _attempt in range(2):
        body = {"on": ["line-0", "line-2", "point-1"], "off": ["line-7"]}
        answer = client.post(address, body, headers=JSON)
        told = answer.json()
        assert (answer.status_code, told["status"]) == (200, "saved")
        assert told["ticked"] == ["line-0", "line-2", "line-4", "point-1"]
        assert "stored" in told["state"]
        assert "<html" not in told["state"]
    client.post(address, {"off": ["line-0", "point-1"]}, headers=JSON)
    check.refresh_from_db()
    assert (check.ticked, check.points) == ([2, 4], [])
    assert client.post(address, {"on": ["line-999"]}, headers=JSON).status_code == 400
    assert client.post(address, {"on": ["line-0"]}).status_code == 200


def test_a_finish_without_ticks_keeps_those_that_are_stored(event, judge, check):
    check_ticks.update_ticks(check=check, lines={1: True, 3: True}, points={}, by=judge)
    client = signed_in(judge)
    assert client.post(url("check", event, check.pk), {"line": ["5"]}).status_code == 400
    assert client.post(url("check", event, check.pk), {"finish": "clean"}).status_code == 302
    check.refresh_from_db()
    assert (check.ticked, check.outcome) == ([1, 3], "clean")
    late = client.post(url("check-ticks", event, check.pk), {"on": ["line-0"]}, headers=JSON)
    assert (late.status_code, late.json()["code"]) == (409, "check_finished")


def test_a_stale_page_shows_what_the_other_judge_ticked(event, judge, check):
    check_ticks.replace_ticks(check=check, version=0, lines=[4], points=[], by=judge)
    client = signed_in(make.staff(event))
    plain = client.post(url("check", event, check.pk), sent(check))
    assert plain.status_code == 409
    assert "This is no longer possible." in text(plain)
    assert 'name="version" value="1"' in text(plain)
    assert re.findall(r'name="line" value="(\d+)" checked', text(plain)) == ["4"]


def test_finishing_with_a_penalty(event, judge, check):
    note = "Visto anche al turno scorso"
    body = sent(check, finish="yes", outcome="penalty", level="warning", note=note)
    client = signed_in(judge)
    refused = client.post(url("check", event, check.pk), body)
    assert refused.status_code == 400
    assert "This field is required." in text(refused)
    assert re.findall(r'name="line" value="(\d+)" checked', text(refused)) == ["0", "2"]
    assert note in text(refused)
    answer = client.post(url("check", event, check.pk), body | {"infraction": "Manca una carta"})
    assert answer.url == url("checks", event)
    page = text(client.get(url("check", event, check.pk)))
    assert all(words in page for words in ("Manca una carta", "Staff only", note, "Warning"))
    assert 'name="finish"' not in page


def test_lines_that_are_not_there_are_refused(event, judge, check):
    body = sent(check, line=["999"])
    assert signed_in(judge).post(url("check", event, check.pk), body).status_code == 400


@pytest.mark.deep
def test_a_check_of_another_event_is_not_there(event, judge, by):
    other = make.playing(by, 6, decklists="required")
    foreign = checks.begin_player_check(entry=other.entries.get(number=1), by=by)
    assert signed_in(judge).get(url("check", event, foreign.pk)).status_code == 404


def test_a_newer_list_is_named(event, by, judge, check):
    decklists.submit_decklist(
        entry=check.entry, text=sample_deck(event.format, 40), reason="Errore", by=by
    )
    page = text(signed_in(judge).get(url("check", event, check.pk)))
    assert "The decklist has changed since" in page
    assert check.submission.decklist.fingerprint[:4] in page


@pytest.mark.deep
def test_without_lists_the_points_are_checked(by):
    event = make.started(by, 4)
    make.next_round(event, by)
    made = checks.begin_player_check(entry=event.entries.get(number=1), by=by)
    page = text(signed_in(by).get(url("check", event, made.pk)))
    assert "No decklist submitted." in page
    assert 'name="point"' in page


# --- Exchange ----------------------------------------------------------------------------
def exo(by) -> tuple[Event, DeckCheck]:
    event = make.playing(
        by, 4, format="creatures-of-exo", formula="single-group", decklists="required"
    )
    return event, checks.begin_player_check(entry=event.entries.get(number=3), by=by)


@pytest.mark.deep
def test_an_exchange_is_allowed_or_not_and_why(by):
    event, made = exo(by)
    zones = made.submission.decklist.deck["zones"]
    inside, outside = zones["main"][0]["name"], zones["side"][0]["name"]
    client, address = signed_in(by), url("check-exchange", event, made.pk)
    assert address in text(client.get(url("check", event, made.pk)))
    good = {"out": f"1 {inside}", "into": f"1 {outside}", "games_played": "1"}
    assert "Exchange allowed" in text(client.post(address, good))
    early = text(client.post(address, good | {"games_played": "0"}))
    assert "Exchange not allowed" in early
    assert "Play the first game with the registered deck." in early
    table = "\n".join(f"{card['count']} {card['name']}" for card in zones["main"])
    assert "Exchange allowed" in text(
        client.post(address, {"table": f"Leader\n1 {zones['leader'][0]['name']}\nMain\n{table}"})
    ) or "evolution" in str(zones)
    before = DeckCheck.objects.get(pk=made.pk).version
    assert client.post(address, {}).status_code == 400
    assert DeckCheck.objects.get(pk=made.pk).version == before


def test_no_exchange_without_a_list(by):
    event = make.started(by, 4)
    make.next_round(event, by)
    made = checks.begin_player_check(entry=event.entries.get(number=1), by=by)
    answer = signed_in(by).get(url("check-exchange", event, made.pk))
    assert answer.url == url("check", event, made.pk)


# --- Speed -------------------------------------------------------------------------------
@pytest.mark.deep
@pytest.mark.parametrize("how_many", [3, 300])
def test_pages_make_the_same_queries_for_any_number(by, how_many, django_assert_num_queries):
    event = make.started(by, how_many, decklists="off", formula="groups-knockout")
    make.next_round(event, by)
    client = signed_in(by)
    made = checks.begin_player_check(entry=event.entries.get(number=1), by=by)
    penalties.give_penalty(entry=made.entry, level="warning", infraction="x", by=by)
    for name, parts, queries in (
        ("checks", (), 14),  # one of them: whether a bracket has begun
        ("check", (made.pk,), 9),
        ("penalties", (), 9),
        ("deck-sheets", (), 6),
    ):
        with django_assert_num_queries(queries):
            assert client.get(url(name, event, *parts)).status_code == 200
