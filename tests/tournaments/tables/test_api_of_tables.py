"""Tables by the API and the form: settings, events, rounds, results in all their forms."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import NotAuthenticated
from rest_framework.test import APIClient

from decks.models import HouseFormat
from rules.criteria.of_tables import WIN5_ORDER
from tests import factories as make
from tests.browsers import ENGLISH, read, signed_in, text, url
from tests.tournaments.events.test_new_event import filled
from tournaments.events.forms.event import EventForm, event_settings, settings_form_initial
from tournaments.models import Event, Match, Report
from tournaments.standings import api

pytestmark = pytest.mark.django_db


OF_TWO = {"formula": "swiss-cut", "options": {}}
NEW = {"name": "Lega", "format": "thoom", "formula": "tables-cut", "decklists": "off"}


@pytest.fixture
def program(by):
    client = APIClient(headers={"Accept-Language": "en"})
    client.force_authenticate(by.user)
    return client


@pytest.fixture
def table(by, program):
    """A table of four of a running event, and how a program sends its result."""
    event = make.playing(by, 4, **make.TABLES)
    match = Match.objects.get(round__event=event)
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/result/"

    def send(**values):
        match.refresh_from_db()
        body = {"version": match.version, **values}
        return program.put(address, body, format="json")

    return send


@pytest.mark.parametrize(
    ("sent", "places", "marks", "ended_by"),
    [
        ({"places": [2, 3, 1, 4]}, [2, 3, 1, 4], {}, "played"),
        ({"winner_seat": 2}, [2, 1, 2, 2], {}, "played"),
        ({"drawn": [1, 3]}, [1, 3, 1, 3], {}, "time"),
        ({"drawn": True}, [1, 1, 1, 1], {}, "time"),
        ({"drawn": [1, 3], "ended_by": "played"}, [1, 3, 1, 3], {}, "played"),
        ({"scores": [10, 7, 7, 2]}, [1, 2, 2, 4], {}, "played"),
        ({"winner": "none"}, [2, 2, 2, 2], {}, "double_loss"),
        ({"winner": "void"}, None, {}, "void"),
        ({"ended_by": "void"}, None, {}, "void"),
        ({"winner_seat": 2, "absent": [3]}, [2, 1, None, 2], {"3": "absent"}, "played"),
        (
            {"conceded": [1, 3, 4]},
            [2, 1, 2, 2],
            {"1": "conceded", "3": "conceded", "4": "conceded"},
            "concession",
        ),
        (
            {"places": [1, None, 2, None], "absent": [2], "disqualified": [4]},
            [1, None, 2, None],
            {"2": "absent", "4": "disqualified"},
            "played",
        ),
    ],
)
def test_a_result_is_one_of_these(table, sent, places, marks, ended_by):
    answer = table(**sent)
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert (told["places"], told["marks"], told["ended_by"]) == (places, marks, ended_by)
    assert (told["a"], told["b"], told["winner"], told["score"], told["games"]) == (None,) * 5
    assert told["state"] == "final"


@pytest.mark.parametrize(
    "sent",
    [
        {"places": [1, 3, 3, 3]},
        {"places": [1, 2, 2]},
        {"winner_seat": 5},
        {"winner_seat": 0},
        {"drawn": [1]},
        {"drawn": [1, 1]},
        {"winner_seat": 2, "absent": [2]},
        {"winner_seat": 1, "absent": [2], "conceded": [2]},
        {"scores": [1, 2, 3]},
        {"scores": [1, 2, 3, 10_000]},
        {"winner_seat": 1, "drawn": True},
        {"score": [2, 1]},
        {"games": ["a"]},
        {"winner": "a"},
        {"winner": "draw"},
        {},
    ],
)
def test_what_cannot_be_is_refused_with_what_can(table, sent):
    answer = table(**sent)
    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] == "impossible_result"
    assert not Report.objects.exists()
    assert "Possible: 1–4: winning seat" in answer.json()["detail"]


def test_a_result_of_tables_has_no_use_where_two_play(by, program):
    event = make.playing(by, 4, formula="single-group")
    match = Match.objects.filter(round__event=event)[0]
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/result/"
    answer = program.put(address, {"version": 0, "winner_seat": 1}, format="json")
    assert answer.status_code == 400
    assert "winner_seat" in str(answer.json())


def test_an_old_version_is_stale_and_a_correction_says_what_it_changes(table, by):
    assert table(winner_seat=1).status_code == 200
    stale = table(winner_seat=2, version=0)
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert stale.json()["match"]["places"] == [1, 2, 2, 2]
    corrected = table(winner_seat=2, note="Mistyped")
    assert corrected.status_code == 200
    assert corrected.json()["effects"]["moves"]


def test_an_event_of_tables_is_made_and_read_back(program):
    sent = NEW | {"points": {"places": [4, 3, 2, 1], "bye": 4}, "options": {"sizes": [4, 3, 2]}}
    made = program.post("/api/v1/events/", sent, format="json")
    assert made.status_code == 201, made.content
    event = made.json()
    assert event["points"] == {"places": [4, 3, 2, 1], "bye": 4}
    usual = {"rounds": 0, "cut": 1, "ending": "tables", "small": "low"}
    assert event["options"] == usual | {"sizes": [4, 3, 2]}
    assert event["criteria"] == ["points", "places_made", "opponents_average", "lots"]
    address = f"/api/v1/events/{event['slug']}/"
    changed = program.patch(address, {"points": {"preset": "win3"}}, format="json")
    assert changed.json()["points"] == {"preset": "win3"}
    of_two = {"formula": "swiss-cut", "criteria": ["points", "lots"]}
    back = program.patch(address, of_two, format="json")
    assert back.json()["points"] == {"win": 3, "draw": 1, "loss": 0}
    assert program.get(address).json()["points"] == {"win": 3, "draw": 1, "loss": 0}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"criteria": ["points", "head_to_head"]}, "criterion_needs_two"),
        ({"options": {"sizes": [4, 4]}}, "invalid_sizes"),
        ({"options": {"cut": 8}}, "invalid_cut"),
        ({"points": {"preset": "win7"}}, "unknown_points"),
        ({"points": {"places": [1, 2]}}, "invalid_points"),
        ({"points": {"win": 1, "draw": 2}}, "invalid_points"),
        ({"criteria": ["points", "nonsense"]}, "invalid"),
        (OF_TWO | {"criteria": ["own_share"]}, "unknown_criterion"),
        (OF_TWO | {"points": {"preset": "win5"}}, "invalid"),
    ],
)
def test_what_an_event_of_tables_cannot_have_is_refused(program, sent, code):
    answer = program.post("/api/v1/events/", NEW | sent, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.content
    assert not Event.objects.exists()


@pytest.mark.deep
def test_a_round_tells_its_cost_and_its_seats(by, program):
    event = make.halfway(by, 7, **make.TABLES)
    made = program.post(f"/api/v1/events/{event.slug}/rounds/", {"draft": True}, format="json")
    assert made.status_code == 201
    told = made.json()
    assert told["proven"] is True
    assert told["cost"]["repeats"] == 3
    assert sorted(len(match["seats"]) for match in told["matches"]) == [3, 4]
    first = told["matches"][0]
    changes = f"/api/v1/events/{event.slug}/rounds/2/changes/"
    sent = {"action": "order", "players": first["seats"][::-1]}
    changed = program.post(changes, sent, format="json").json()
    assert changed["matches"][0]["seats"] == first["seats"][::-1]
    assert changed["proven"] is False


@pytest.mark.deep
def test_players_say_yes_and_no_by_their_programs(by):
    event = make.playing(by, 4, **make.TABLES)
    match = Match.objects.get(round__event=event)
    programs = []
    for player in match.players:
        player.user = make.user()
        player.save()
        programs.append(APIClient(headers={"Accept-Language": "en"}))
        programs[-1].force_authenticate(player.user)

    def say(seat, word, version=None, method="post", **more):
        match.refresh_from_db()
        address = f"/api/v1/events/{event.slug}/matches/{match.pk}/{word}/"
        body = {"version": match.version if version is None else version, **more}
        answer = getattr(programs[seat - 1], method)(address, body, format="json")
        return answer.status_code, answer.json().get("code") or answer.json()["state"]

    assert say(2, "confirm") == (409, "match_not_reported")
    assert say(1, "result", method="put", winner_seat=3) == (200, "reported")
    assert say(1, "contradict") == (409, "own_report")
    assert say(2, "confirm", version=0) == (409, "stale")
    assert say(2, "confirm") == (200, "reported")
    assert say(2, "confirm", version=0) == (200, "reported")  # said already
    assert say(4, "contradict") == (200, "disputed")
    assert say(4, "contradict", version=0) == (200, "disputed")
    assert say(3, "confirm") == (200, "disputed")
    assert say(4, "confirm") == (200, "final")
    assert say(1, "contradict")[0] == 409
    stranger = APIClient()
    stranger.force_authenticate(make.user())
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/confirm/"
    assert stranger.post(address, {"version": 0}, format="json").status_code == 403


URL = "/api/v1/tables/"
SEVEN = {
    "players": [
        {
            "player": one,
            "points": "5" if one in (1, 5) else 0,
            "met": {str(other): 1 for other in table if other != one},
            "small": int(len(table) < 4),
            "seats": [[seat, len(table)]],
        }
        for table in ((1, 2, 3, 4), (5, 6, 7))
        for seat, one in enumerate(table, start=1)
    ]
}


def post(client: Client, body: object, **headers: Any) -> Any:
    return client.post(URL, json.dumps(body), content_type="application/json", **headers)


def test_a_round_of_tables(client: Client) -> None:
    answer = post(client, SEVEN)
    assert answer.status_code == 200
    made = answer.json()
    assert sorted(map(len, made["tables"])) == [3, 4]
    assert sorted(one for table in made["tables"] for one in table) == [*range(1, 8)]
    assert made["cost"] == {"repeats": 3, "apart": 0, "again": 1, "low": 0, "spread": 100}
    assert made["proven"] is True
    assert post(client, SEVEN).json() == made


def test_little_is_required(client: Client) -> None:
    made = post(client, {"players": [{"player": one} for one in "abcde"], "sizes": [4]}).json()
    assert (len(made["tables"]), len(made["byes"])) == (1, 1)
    apart = {"players": [{"player": one} for one in range(8)], "apart": [[0, 1]]}
    assert not any({0, 1} <= {*table} for table in post(client, apart).json()["tables"])


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ([], "invalid_results", "$"),
        ({}, "invalid_results", "players"),
        ({"players": [1]}, "invalid_results", "players[0]"),
        ({"players": [{}]}, "invalid_results", "players[0].player"),
        ({"players": [{"player": -1}]}, "invalid_results", "players[0].player"),
        ({"players": [{"player": "x" * 81}]}, "invalid_results", "players[0].player"),
        ({"players": [{"player": 1}, {"player": "1"}]}, "invalid_results", "players[1].player"),
        ({"players": [{"player": 1, "points": "1/61"}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "points": "1/0"}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "points": "9" * 99}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "points": 0.5}]}, "invalid_results", "players[0].points"),
        ({"players": [{"player": 1, "met": {"2": 1}}]}, "invalid_results", "players[0].met.2"),
        ({"players": [{"player": 1, "met": {"1": 1}}]}, "invalid_results", "players[0].met.1"),
        ({"players": [{"player": 1, "seats": [[5, 4]]}]}, "invalid_results", "players[0].seats[0]"),
        ({"players": [{"player": 1}], "apart": [[1, 2]]}, "invalid_results", "apart[0][1]"),
        ({"players": [{"player": 1}], "apart": [[1, 1]]}, "invalid_results", "apart[0]"),
        ({"players": [], "small": "none"}, "invalid_results", "small"),
        ({"players": [], "seed": 7}, "invalid_results", "seed"),
        ({"players": [], "sizes": [4, 4]}, "invalid_sizes", None),
        ({"players": [], "sizes": []}, "invalid_sizes", None),
    ],
)
def test_what_is_wrong_is_named(client: Client, body: object, code: str, path: str | None) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json().get("path")) == (code, path)


@pytest.mark.django_db
def test_many_players_need_a_token(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MOST_FOR_ANYBODY", 6)
    refused = post(client, SEVEN)
    assert refused.status_code == NotAuthenticated.status_code
    assert "6" in refused.json()["detail"]
    client.force_login(make.user())
    assert post(client, SEVEN).status_code == 200
    too_many = {"players": [{"player": one} for one in range(1_025)]}
    assert post(client, too_many).json()["path"] == "players"


FORM = "/events/new/?format=doomtrooper-original"
SCRIPT = {"HX-Request": "true"} | ENGLISH
CHOSEN = {
    "name": "Lega",
    "starts_at": "2026-11-28T10:00",
    "format": "thoom",
    "formula": "tables-cut",
    "option_tables-cut_rounds": "3",
    "option_tables-cut_cut": "10",
    "option_tables-cut_sizes": "4 5 3",
    "option_tables-cut_small": "any",
    "table_worth": "win3",
    "preset": "tables",
}


def test_tables_are_chosen_as_any_formula(signed):
    page = signed.get(FORM)
    answer = signed.post(FORM, filled(page, **CHOSEN))
    assert answer.status_code == 302
    made = Event.objects.get()
    assert made.formula == "tables-cut"
    chosen = {"rounds": 3, "cut": 10, "sizes": [4, 5, 3], "small": "any"}
    assert made.options == chosen | {"ending": "tables"}
    assert made.table_points == {"preset": "win3"}
    assert made.criteria == ["points", "opponents_share", "opponents_average", "lots"]


def test_without_script_the_usual_ones_of_a_formula_chosen_blind_are_taken(signed):
    plain = {key: CHOSEN[key] for key in ("name", "starts_at", "format", "formula")}
    assert signed.post(FORM, filled(signed.get(FORM), **plain)).status_code == 302
    made = Event.objects.get()
    usual = {"rounds": 0, "cut": 1, "ending": "tables", "small": "low"}
    assert made.options == usual | {"sizes": [4, 3]}
    assert made.table_points is None
    assert made.criteria == ["points", "opponents_share", "opponents_average", "lots"]


def test_a_link_that_names_the_formula_brings_its_usual_order(signed):
    page = signed.get(f"{FORM}&formula=tables-cut")
    used = text(page).partition("data-used")[2].partition("data-unused")[0]
    names = re.findall(r'name="table_criterion_(\w+)"', used)
    assert names == ["points", "opponents_share", "opponents_average", "lots"]


def test_the_parts_of_the_form_follow_the_formula(signed):
    asked = f"{FORM}&formula=tables-cut&part="
    options, points, criteria = (
        text(signed.get(f"{asked}{part}", headers=SCRIPT))
        for part in ("more_options", "points", "criteria")
    )
    assert "4, 5, 3" in options
    assert "By result: 5 · 1 · 0" in points
    assert "points_win" not in points
    assert 'name="table_criterion_opponents_share"' in criteria
    assert "head_to_head" not in criteria
    by_place = text(signed.get(f"{asked}criteria&table_worth=places", headers=SCRIPT))
    used, _colon, _unused = by_place.partition("data-unused")
    assert 'name="table_criterion_places_made"' in used
    assert 'name="table_criterion_opponents_share"' not in used


OWN = {"table_worth": "by_place", "table_bye": "1"}


@pytest.mark.parametrize(
    ("typed", "at", "said"),
    [
        ({"option_tables-cut_cut": "9"}, "option_tables-cut_cut", "Possible: 7, 10"),
        ({"option_tables-cut_cut": "8"}, "option_tables-cut_cut", "Possible: 7, 10"),
        ({"option_tables-cut_cut": "6"}, "option_tables-cut_cut", "valid choice"),
        ({"format": "doomtrooper-original"}, "__all__", "two-player matches"),
        (OWN | {"table_places": "1 2"}, "__all__", "than a better one"),
        (OWN | {"table_places": "due"}, "table_places", "A whole number."),
        ({"table_worth": "by_result", "table_bye": ""}, "table_bye", "This field is required."),
    ],
)
def test_what_cannot_be_is_said_where_it_is_typed(signed, typed, at, said):
    answer = signed.post(FORM, filled(signed.get(FORM), **(CHOSEN | typed)), headers=ENGLISH)
    assert answer.status_code == 400
    assert said in " ".join(answer.context["form"].errors[at])
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    "points",
    [
        None,
        {"preset": "places"},
        {"win": 4, "draw": 2, "loss": 1, "bye": 3},
        {"places": [10, 6, 3], "bye": 6},
    ],
)
def test_settings_that_are_shown_are_stored_again_as_they_were(by, points):
    event = make.event(by, **make.TABLES, table_points=points)
    event.options |= {"sizes": [4, 2]}
    event.save()
    initial = settings_form_initial(event_settings(event))
    shown = EventForm(owner_id=by.user.pk, initial=initial)
    typed = {bound.html_name: bound.value() for bound in shown}
    sent = EventForm(
        {k: "" if v is None else v for k, v in typed.items() if v is not False},
        owner_id=by.user.pk,
        initial=initial,
    )
    assert sent.is_valid(), sent.errors
    kept = ("formula", "options", "table_points", "criteria")
    assert {key: sent.values()[key] for key in kept} == {key: getattr(event, key) for key in kept}


def test_an_event_of_tables_becomes_one_of_two_again(by, signed):
    event = make.event(by, **make.TABLES, table_points={"preset": "places"})
    address = url("manage-settings", event)
    answer = signed.post(address, filled(signed.get(address), formula="swiss-cut"))
    assert answer.status_code == 302
    event.refresh_from_db()
    assert (event.formula, event.table_points) == ("swiss-cut", None)
    assert "opponents_points" in event.criteria


def test_the_rules_say_points_and_who_reports(by):
    event = make.event(by, **make.TABLES)
    said = read(signed_in(by), url("rules", event))
    assert "win 5, draw 1, loss 0" in said
    assert "Players report their results." in said
    assert "Points: win 3" not in said


GAME = "/events/new/?expected=26&"


def made_of(signed, asked):
    address = f"{GAME}{asked}"
    page = signed.get(address)
    assert signed.post(address, filled(page)).status_code == 302
    return Event.objects.get()


def test_thoom_is_played_at_tables_of_four_and_three(signed):
    event = made_of(signed, "game=thoom")
    assert (event.format, event.formula, event.minutes) == ("thoom", "tables-cut", 50)
    usual = {"rounds": 0, "cut": 1, "ending": "tables", "small": "low"}
    assert event.options == usual | {"sizes": [4, 3]}
    assert tuple(event.criteria) == tuple(WIN5_ORDER)
    assert event.table_points in (None, {"preset": "win5"})
    assert event.decklists == "required"


@pytest.mark.deep
def test_commander_has_its_ready_made_rules_and_points_of_tables(signed):
    event = made_of(signed, "game=Magic&ready=magic-commander")
    house = HouseFormat.objects.get()
    assert (house.game, house.name, house.lists) == ("Magic", "Commander", "counted")
    assert (event.format, event.formula, event.minutes) == (house.slug, "tables-cut", 80)
    assert event.options["sizes"] == [4, 3]
    assert tuple(event.criteria) == tuple(WIN5_ORDER)
    assert event.table_points in (None, {"preset": "win5"})
    assert event.decklists == "optional"


def test_only_cuts_that_fill_the_tables_are_offered(signed):
    page = signed.get(f"{GAME}game=Magic&ready=magic-commander")
    field = page.context["form"].fields["option_tables-cut_cut"]
    assert field.widget.usual == ["1", "0", "4", "7", "10", "13", "16"]
    assert "9" not in dict(field.choices)


def test_other_ready_made_rules_may_be_chosen_for_the_tables(signed):
    page = signed.get(f"{GAME}ready=chess&formula=tables-cut")
    form = page.context["form"]
    assert (form["game"].value(), form["formula"].value()) == ("Chess", "tables-cut")
