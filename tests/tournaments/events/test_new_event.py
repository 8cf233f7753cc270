"""A new event, and the organiser's pages of it."""

import json
import re
from urllib.parse import urlencode

import pytest

from decks.own_formats.services import FormatInput, create_custom_format
from tests import factories as make
from tests.browsers import ENGLISH, page, read, text, url
from tournaments.core.acts import acts
from tournaments.events.selectors.games import MOST_CHIPS
from tournaments.models import Event, LogLine
from tournaments.stages.services import close_stage

pytestmark = pytest.mark.django_db


NEW = "/events/new/"
OPTIONS = {"cut": 8, "best_of": [3, 3, 3], "nearest_rounds": True}
ASKED = {"format": "creatures-of-exo", "formula": "swiss-cut", "options": json.dumps(OPTIONS)}
SWISS = f"{NEW}?{urlencode(ASKED)}"
HEAVIEST = 60_000
SCRIPT = {"HX-Request": "true"} | ENGLISH


def filled(page, **typed):
    values = {bound.html_name: bound.value() for bound in page.context["form"]}
    return {k: "" if v is None else v for k, v in values.items() if v is not False} | {
        "name": "Coppa d’Autunno",
        "starts_at": "2026-11-28T10:00",
        **typed,
    }


THOOM = f"{NEW}?format=thoom&formula=single-group"


def line(page):
    found = page.context["line"]
    return found.words, *(other["words"] for other in found.others)


GAMES = ("", "game=Magic", "game=Magic&ready=magic-commander", "game=Zork", "game=Thoom")


@pytest.mark.parametrize("asked", [*GAMES, "game=Pok%C3%A9mon", "format=doomtrooper-open"])
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_page_is_light(signed, asked, language):
    page = signed.get(f"{NEW}?{asked}", headers={"accept-language": language})
    assert page.status_code == 200
    assert len(page.content) <= HEAVIEST


def test_nothing_is_chosen_for_who_made_no_event(signed):
    page = signed.get(NEW, headers=ENGLISH)
    assert page.context["form"]["formula"].value() is None
    names = [game.name for game in page.context["games"]]
    assert {"Magic", "Pokémon", "Creatures of Exo", "Chess"} <= {*names}
    refused = signed.post(NEW, filled(page), headers=ENGLISH)
    assert refused.status_code == 400
    said = "This field is required."
    assert refused.context["form"].errors["game"] == [said]
    alert = refused.content.decode().partition('role="alert"')[2]
    assert said in alert.partition("</div>")[0]
    assert not Event.objects.exists()


@pytest.mark.deep
def test_what_was_used_last_comes_first_and_is_chosen(signed):
    for asked, more in (("game=Magic", {"option_swiss-cut_rounds": "4"}), ("game=Thoom", {})):
        address = f"{NEW}?{asked}"
        sent = filled(signed.get(address), venue="Sala", **more)
        assert signed.post(address, sent).status_code == 302
    page = signed.get(NEW)
    first, second = page.context["games"][:2]
    assert (first.name, second.name) == ("Thoom", "Magic")
    assert page.context["choice"].slug == "thoom"
    assert page.context["form"]["venue"].value() == "Sala"
    again = signed.get(f"{NEW}?game=magic")
    assert again.context["choice"].slug == "own_" + again.context["choice"].format.label.lower()
    assert again.context["form"]["option_swiss-cut_rounds"].value() == 4


def test_a_site_of_many_games_shows_some_and_finds_all(signed, by):
    for number in range(20):
        create_custom_format(FormatInput(game=f"Game {number}", name="A", lists="off"), by=by.user)
    page = signed.get(f"{NEW}?game=game 19")
    assert len(page.context["seen"]) <= MOST_CHIPS + 1
    assert page.context["choice"].game in page.context["seen"]
    assert '<option value="Game 7">' in page.content.decode()


def test_formats_of_a_game_are_offered_and_bring_their_settings(signed):
    page = signed.get(f"{NEW}?game=Magic")
    assert page.context["choice"].ready.key == "magic-draft"
    form = signed.get(f"{NEW}?game=Magic&ready=magic-sealed").context["form"]
    assert (form["decklists"].value(), form["minutes"].value()) == ("off", 50)
    assert (form["formula"].value(), form["score"].value()) == ("swiss-cut", "games")


def test_fields_and_numbers_are_in_sight_and_settings_show_their_values(signed):
    said = read(signed, SWISS)
    open_part = said[said.index('class="first-fields"') : said.index('class="setting-chips"')]
    names = re.findall(r'<(?:input|select|textarea)[^>]* name="(\w+)"', open_part)
    assert names == ["name", "starts_at", "venue", "expected", "decklists"]
    assert "<details open" not in said
    values = {chip.key: chip.value for chip in signed.get(SWISS, headers=ENGLISH).context["chips"]}
    assert values["minutes"] == "50"
    assert values["breaks"] == "13:00"
    assert values["points"] == "3 · 1 · 0"
    assert values["limit"] == "none"
    numbers = said[said.index('data-part="numbers"') : said.index('class="first-fields"')]
    assert {"option_swiss-cut_rounds", "option_swiss-cut_cut"} == {
        *re.findall(r'name="(option_[\w-]+)"', numbers)
    }


def test_another_value_of_a_list_takes_the_place_of_the_one_beside_it(signed):
    sent = filled(signed.get(SWISS))
    sent |= {"option_swiss-cut_rounds": ["4", "9"], "option_swiss-cut_cut": ["4", ""]}
    assert signed.post(SWISS, sent).status_code == 302
    made = Event.objects.get()
    assert (made.options["rounds"], made.options["cut"]) == (9, 4)


def test_an_event_of_swiss_rounds_and_top_8(signed):
    page = signed.get(f"{SWISS}&expected=33")
    assert signed.post(SWISS, filled(page)).status_code == 302
    made = Event.objects.get()
    assert (made.formula, made.minutes, made.options["cut"]) == ("swiss-cut", 50, 8)
    assert made.options["best_of"] == [3, 3, 3]
    assert made.breaks == [{"at": "13:00", "minutes": 40, "label": ""}]
    assert made.capacity is None


@pytest.mark.deep
def test_the_line_says_what_comes_and_offers_another_way(signed):
    page = signed.get(f"{SWISS}&expected=33&starts_at=2026-11-28T10:00")
    assert line(page) == (
        "33 players: 5 rounds and top 8, ends around 18:40",
        "6 rounds: 19:40",
    )
    assert "Tables: 16 · Byes: 1 · Minutes per round: 50" in text(page)
    unknown = signed.get(f"{SWISS}&expected=33")
    assert line(unknown)[0].endswith("ends around 18:40")
    assert "Start: 10:00" in text(unknown)
    assert line(signed.get(SWISS)) == ("",)


@pytest.mark.deep
def test_the_line_follows_what_is_typed_and_what_was_sent(signed):
    typed = {"part": "advice", "formula": "swiss-cut", "minutes": "30", "expected": "8"}
    typed |= {"starts_at": "2026-11-28T20:00", "time_zone": "europe/rome"}
    typed |= {"option_swiss-cut_cut": "0", "option_swiss-cut_rounds": "3", "format": "yugioh-2009"}
    said = signed.get(NEW, typed, headers=SCRIPT).content.decode()
    assert "8 players: 3 rounds, ends around 22:00" in said
    assert "data-sets=" in said
    assert "<html" not in said
    page = signed.get(f"{SWISS}&expected=33")
    refused = signed.post(SWISS, filled(page, name=""))
    assert refused.status_code == 400
    assert line(refused)[0] == "33 players: 5 rounds and top 8, ends around 18:40"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"expected": "x"}, "Enter the expected number of players"),
        ({"minutes": "0"}, "Enter the expected number of players"),
        ({"formula": "nothing"}, "Enter the expected number of players"),
        ({"expected": "4"}, "larger than the field of 4."),
        ({"expected": "1000"}, "1000 players: 10 rounds"),
        ({"starts_at": "2027-03-28T02:30"}, "Start: 10:00"),
        ({"time_zone": "Nowhere"}, "ends around"),
        ({"breaks": "rubbish"}, "ends around 18:00"),
        ({"option_swiss-cut_rounds": "999"}, "33 players"),
        ({"format": "nothing"}, "33 players"),
    ],
)
def test_rubbish_in_the_script_s_question_is_no_error(signed, typed, said):
    page = signed.get(f"{SWISS}&expected=33&starts_at=2026-11-28T10:00")
    asked = filled(page) | {"part": "advice"} | typed
    answer = signed.get(SWISS, asked, headers=SCRIPT)
    assert answer.status_code == 200
    assert said in answer.content.decode()


def test_too_few_players_are_offered_a_group(signed):
    page = signed.get(f"{SWISS}&expected=4&starts_at=2026-11-28T10:00")
    assert line(page) == (
        "The top cut of 8 is larger than the field of 4.",
        "Round robin: 13:00",
    )


def test_options_of_a_formula_come_alone(signed, by):
    asked = {"part": "more_options", "formula": "double-elimination"}
    event = make.event(by)
    for address in (NEW, url("manage-settings", event)):
        said = signed.get(address, asked, headers=SCRIPT).content.decode()
        assert "option_double-elimination_second_final" in said
        assert "option_swiss-cut_cut" not in said
        assert "<html" not in said


@pytest.mark.parametrize(
    ("typed", "chip", "said"),
    [
        ({"minutes": "0"}, "minutes", "greater than or equal to 1"),
        (
            {"breaks": "lunch"},
            "breaks",
            "Enter each break as start, minutes and name, such as 13:00 40 Lunch.",
        ),
        ({"breaks": "13:00 40\n13:00 20"}, "breaks", "breaks at different times"),
        ({"option_swiss-cut_best_of_0": "9"}, "options", "Select a valid choice"),
        ({"registration_opens": "soon"}, "registration", "Write the date and time"),
        ({"points_win": "-1"}, "points", "greater than or equal to 0"),
        ({"time_zone": "Europe/Roma"}, "others", "Did you mean Europe/Rome"),
        ({"time_zone": "zzz"}, "others", "Unknown time zone."),
    ],
)
def test_a_setting_with_an_error_opens_by_itself(signed, typed, chip, said):
    page = signed.get(SWISS)
    answer = text(signed.post(SWISS, filled(page, **typed)))
    assert said in answer
    assert re.findall(r'id="chip-(\w+)" open', answer) == [chip]
    assert not Event.objects.exists()


def test_a_wrong_number_is_named_where_it_stands(signed):
    refused = signed.post(SWISS, filled(signed.get(SWISS), **{"option_swiss-cut_rounds": "99"}))
    assert list(refused.context["form"].errors) == ["option_swiss-cut_rounds"]


def test_breaks_are_typed_as_lines(signed):
    page = signed.get(SWISS)
    signed.post(SWISS, filled(page, breaks="16.30 15 Tè\r\n13:00 45 Pranzo al bar\n\n"))
    made = Event.objects.get()
    assert made.breaks == [
        {"at": "13:00", "minutes": 45, "label": "Pranzo al bar"},
        {"at": "16:30", "minutes": 15, "label": "Tè"},
    ]
    shown = signed.get(url("manage-settings", made))
    assert shown.context["form"]["breaks"].value() == "13:00 45 Pranzo al bar\n16:30 15 Tè"
    assert signed.post(url("manage-settings", made), filled(shown, breaks="")).status_code == 302
    made.refresh_from_db()
    assert made.breaks == []


@pytest.mark.parametrize("typed", ["rome", "Europe/Rome", "EUROPE/ROME"])
def test_a_time_zone_is_typed(signed, typed):
    answer = signed.post(SWISS, filled(signed.get(SWISS), time_zone=typed))
    assert answer.status_code == (302 if "/" in typed else 400)
    if answer.status_code == 302:
        assert Event.objects.get().time_zone == "Europe/Rome"
    else:
        assert "Did you mean Europe/Rome" in answer.content.decode()


def test_another_game_keeps_what_was_typed(signed):
    page = signed.get(f"{SWISS}&name=Torneo&venue=Sala&decklists=nonsense&capacity=12")
    assert "name=Torneo&amp;venue=Sala&amp;capacity=12&amp;" in page.content.decode()
    values = {name: page.context["form"][name].value() for name in ("name", "venue", "capacity")}
    assert values == {"name": "Torneo", "venue": "Sala", "capacity": "12"}
    assert page.context["form"]["decklists"].value() == Event.Decklists.REQUIRED


@pytest.mark.deep
@pytest.mark.parametrize("events", [1, 6])
def test_games_cost_three_queries(signed, by, events, django_assert_max_num_queries):
    for number in range(events):
        make.event(by, name=f"Evento {number}")
    signed.get(SWISS)
    with django_assert_max_num_queries(11):
        signed.get(SWISS)


MANAGED = (
    "manage-files",
    "manage-settings",
    "manage-players",
    "manage-staff",
    "manage-start",
    "log",
)


@pytest.fixture
def event(by):
    return make.open_event(by, decklists="required")


@pytest.mark.parametrize("name", MANAGED)
@pytest.mark.parametrize("language", ["en", "it"])
def test_the_organiser_opens_every_page(signed, event, by, name, language):
    make.players(event, 4, by)
    answer = signed.get(url(name, event), headers={"Accept-Language": language})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("name", "status"), [("manage-files", 200), ("log", 403), ("manage-settings", 403)]
)
def test_a_judge_sees_but_does_not_manage(client, event, name, status):
    judge = make.staff(event).user
    client.force_login(judge)
    answer = client.get(url(name, event), headers={"Accept-Language": "en"})
    assert answer.status_code == status
    if status == 403:
        said = answer.content.decode()
        assert "Your role can’t open this page." in said
        assert f"You are signed in as {judge.name}." in said


def test_a_new_event_needs_an_account(client):
    answer = client.get("/events/new/")
    assert answer.status_code == 302
    assert "login" in answer.headers["Location"]


@pytest.mark.parametrize("key", ["doomtrooper-original", "creatures-of-exo", "yugioh-2009"])
def test_an_event_is_made_of_each_game(signed, key):
    page = signed.get(f"/events/new/?format={key}")
    typed = filled(page, name="New", starts_at="2026-12-05T10:00")
    answer = signed.post("/events/new/", typed)
    assert answer.status_code == 302
    made = Event.objects.get()
    assert made.slug == "new-2"
    assert made.state == "draft"
    assert made.starts_at.astimezone(made.zone).hour == 10
    assert made.criteria[-1] == "lots"


@pytest.mark.deep
def test_a_time_that_is_not_there_is_refused_and_one_that_comes_twice_the_first(signed):
    typed = filled(signed.get(THOOM), name="Notte", starts_at="2027-03-28T02:30")
    answer = signed.post("/events/new/", typed)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "the clocks change" in page
    assert "Notte" in page
    assert "2027-03-28T02:30" in page
    assert not Event.objects.exists()
    typed = filled(signed.get(THOOM), name="Notte", starts_at="2027-10-31T02:30")
    answer = signed.post("/events/new/", typed, follow=True)
    assert "clocks go back that day" in answer.content.decode()
    assert Event.objects.get().starts_at.utcoffset().total_seconds() == 0
    assert Event.objects.get().starts_at.hour == 0


def test_criteria_are_ordered_by_their_places(signed):
    typed = filled(signed.get(THOOM), name="Ordine", starts_at="2026-12-05T10:00")
    typed |= {
        "criterion_opponents_points": "",
        "criterion_wins": "1",
        "criterion_points": "2",
        "criterion_head_to_head": "",
    }
    signed.post("/events/new/", typed)
    criteria = Event.objects.get().criteria
    assert criteria[:2] == ["wins", "points"]
    assert "head_to_head" not in criteria


@pytest.mark.deep
def test_settings_after_the_start_keep_the_rules(signed, by):
    event = make.started(by, 4, formula="single-group")
    page = signed.get(url("manage-settings", event))
    shown = page.content.decode()
    assert shown.index("Can’t be changed after the start") < shown.index('id="chip-limit"')
    assert f'id="chip-way" href="{url("plan", event)}"' in shown
    assert f'id="chip-criteria" href="{url("manage-criteria", event)}"' in shown
    assert 'name="formula"' not in shown
    typed = filled(page, name="Nuovo nome")
    refused = signed.post(url("manage-settings", event), typed | {"formula": "mutant-chronicles"})
    assert refused.status_code == 400
    words = "You can’t change this after the start: Tournament format."
    assert words in refused.content.decode()
    assert signed.post(url("manage-settings", event), typed).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.formula) == ("Nuovo nome", "single-group")


def test_a_player_is_added_and_the_next_can_be_typed(signed, event):
    answer = signed.post(url("manage-players-add", event), {"name": "Ada", "club": "Drago"})
    assert answer.headers["Location"].endswith("?next=add")
    assert "data-quick" in signed.get(answer.headers["Location"]).content.decode()
    refused = signed.post(url("manage-players-add", event), {"name": "---", "club": "Drago"})
    assert refused.status_code == 400
    assert 'value="Drago"' in refused.content.decode()


def test_who_adds_a_namesake_is_told_so(signed, event, by):
    """A player of the same name is taken in, as in a pasted list, and may be one twice."""
    first = make.players(event, 2, by)[0]
    told = f"Namesakes: {first.name} ({first.number})"
    added = signed.post(url("manage-players-add", event), {"name": "  ÁDA "}, follow=True)
    assert event.entries.count() == 3
    assert told in added.content.decode()
    other = signed.post(url("manage-players-add", event), {"name": "Zoe"}, follow=True)
    assert "Namesakes:" not in other.content.decode()


def test_who_gets_the_name_of_another_is_told_of(signed, event, by):
    first, second = make.players(event, 2, by)
    address = url("manage-player", event, second.number)
    club = signed.post(address, {"name": second.name, "club": "Drago"}, follow=True)
    assert "Namesakes:" not in club.content.decode()
    named = signed.post(address, {"name": first.name.upper()}, follow=True)
    told = f"Namesakes: {first.name} ({first.number})"
    assert told in named.content.decode()
    again = signed.post(address, {"name": first.name.upper(), "club": "Lupo"}, follow=True)
    assert "Namesakes:" not in again.content.decode()


def test_seeds_are_swapped_in_one_go(signed, event, by):
    make.players(event, 2, by)
    to = url("manage-players-seeds", event)
    signed.post(to, {"seed_1": "1", "seed_2": "2"})
    signed.post(to, {"seed_1": "2", "seed_2": "1"})
    assert list(event.entries.values_list("number", "seed")) == [(1, 2), (2, 1)]
    assert signed.post(to, {"seed_1": "1"}).status_code == 400


@pytest.mark.deep
def test_a_player_leaves_comes_back_and_is_removed(signed, event, by):
    make.players(event, 1, by)
    leave = url("manage-player-leave", event, 1)
    assert signed.post(leave, {"action": "disqualify"}).status_code == 400
    signed.post(leave, {"action": "withdraw"})
    assert event.entries.get().status == "withdrawn"
    signed.post(leave, {"action": "come_back"})
    assert event.entries.get().status == "checked_in"
    signed.post(url("manage-player-remove", event, 1))
    assert not event.entries.exists()


def test_a_personal_link_is_shown_once(signed, event, by):
    make.players(event, 1, by)
    sent = signed.post(url("manage-player-link", event, 1))
    assert sent.status_code == 302
    answer = signed.get(sent.url)
    assert "/p/" in answer.content.decode()
    assert event.entries.get().links.filter(revoked_at=None).count() == 1
    assert answer.headers["Cache-Control"] == "no-store"
    assert "/p/" not in signed.get(url("manage-player", event, 1)).content.decode()
    signed.post(url("manage-player-link", event, 1), {"revoke": "1"})
    assert event.entries.get().links.filter(revoked_at=None).count() == 0


def test_a_role_is_taken_and_who_is_on_the_staff_gets_another_at_once(signed, event):
    person = make.staff(event).user
    signed.post(url("manage-staff", event), {"email": person.email, "role": "scorekeeper"})
    assert set(event.staff.filter(user=person).values_list("role", flat=True)) == {
        "judge",
        "scorekeeper",
    }
    for role in event.staff.filter(user=person):
        signed.post(url("manage-staff-take", event, role.pk))
    assert not event.staff.filter(user=person).exists()


@pytest.mark.deep
def test_the_log_has_words_for_everything_played(signed, by):
    event = make.started(by, 4, formula="single-group")
    make.play_event(event, by)
    unknown = set(LogLine.objects.values_list("action", flat=True)) - set(acts())
    assert not unknown
    assert (
        signed.get(url("log", event) + "?find=started").context["log"]["page"].paginator.count == 1
    )


@pytest.mark.deep
@pytest.mark.parametrize("name", ["manage-files", "manage-players", "manage-start", "log"])
def test_as_many_queries_for_many_players(signed, event, by, name, django_assert_max_num_queries):
    make.players(event, 300, by)
    with django_assert_max_num_queries(16):
        signed.get(url(name, event))


@pytest.mark.deep
def test_once_all_stages_are_closed_the_next_step_is_the_end(by, signed):
    event = make.stage_played(by, 4, formula="single-group")
    assert url("desk-finish", event) not in page(signed, "manage-players", event)
    close_stage(event=event, expected_stage=1, by=by)
    said = page(signed, "manage-players", event)
    assert said.count(url("desk-finish", event)) == 1
