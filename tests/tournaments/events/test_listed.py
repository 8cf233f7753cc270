"""Single settings of an event: its end, game, information and lists; its deletion."""

import json
import re
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.test import Client

from config.markdown import reader, render_markdown
from decks.models import HouseFormat
from decks.stored_formats import base_format
from tests import factories as make
from tests.browsers import ENGLISH, page, read, signed_in, text, url
from tests.tournaments.events.test_new_event import NEW, SCRIPT, SWISS, filled, line
from tournaments.core.event_state import load_facts
from tournaments.events.selectors.timetable import event_timetable, late_end_warning
from tournaments.events.services import LONGEST_INFORMATION, change_event, change_event_state
from tournaments.lots.services import draw_start_order
from tournaments.models import Event
from tournaments.player_pages.services import publish_profile
from tournaments.starting.services import start_event
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


NAME = "Torneo riservato"
LISTS = ("/", "/?q=riservato", "/feed/", "/events.ics", "/api/v1/events/?search=riservato")


@pytest.fixture(params=["open", "running", "finished"])
def event(request, by):
    made = {"open": make.open_event, "running": make.playing, "finished": make.played}
    players = () if request.param == "open" else (4,)
    return made[request.param](by, *players, name=NAME, formula="single-group")


def unlisted(event, by):
    return change_event(event=event, changes={"listed": False}, by=by)


def named_in(client):
    return [address for address in LISTS if NAME in client.get(address).content.decode()]


@pytest.mark.deep
def test_it_stands_in_no_list_and_its_address_works(event, by, client):
    staff = signed_in(by)
    assert named_in(client) == named_in(staff) == list(LISTS)
    unlisted(event, by)
    assert named_in(client) == named_in(staff) == []
    for address in (f"/events/{event.slug}/", f"/api/v1/events/{event.slug}/"):
        assert NAME in client.get(address).content.decode()
    own = staff.get("/me/", headers={"accept-language": "en"}).content.decode()
    assert (NAME in own, "Not listed" in own) == (True, True)
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


@pytest.mark.deep
def test_a_person_s_page_leaves_it_out(by, client):
    event = make.played(by, 4, name=NAME, formula="single-group")
    person = make.user("ada@example.org", name="Ada")
    event.entries.filter(number=1).update(user=person)
    publish_profile(user=person)
    person.refresh_from_db()
    address = f"/people/{person.person_key}/"
    assert NAME in client.get(address).content.decode()
    unlisted(event, by)
    assert NAME not in client.get(address).content.decode()


def test_it_is_a_setting_with_a_line_and_undo(by, client):
    event = make.started(by, 4, formula="single-group")
    client.force_login(by.user)
    address = f"/api/v1/events/{event.slug}/"
    send = {"data": json.dumps({"listed": False}), "content_type": "application/json"}
    assert client.get(address).json()["listed"] is True
    assert client.patch(address, **send).json()["listed"] is False
    line = event.log.order_by("-number").first()
    assert (line.action, line.before, line.after) == (
        "event.changed",
        {"listed": True},
        {"listed": False},
    )
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert client.get(address).json()["listed"] is True
    wrong = client.patch(address, json.dumps({"listed": "x"}), content_type="application/json")
    assert (wrong.status_code, "listed" in wrong.content.decode()) == (400, True)


def test_an_event_is_made_off_the_lists(by, client):
    client.force_login(by.user)
    sent = {"name": NAME, "format": "thoom", "formula": "single-group", "listed": False}
    made = client.post("/api/v1/events/", json.dumps(sent), content_type="application/json")
    assert (made.status_code, made.json()["listed"]) == (201, False)


@pytest.mark.deep
def test_the_settings_page_says_how_and_keeps_what_is_not_sent(by):
    event = make.started(by, 4, formula="single-group")
    client = signed_in(by)
    address = f"/events/{event.slug}/manage/settings/"
    page = client.get(address, headers={"accept-language": "en"})
    assert "In event listings" in page.content.decode()
    form = page.context["form"]
    typed = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in typed.items() if value not in (None, False)}
    for sent, listed in (("False", False), ("", False), ("True", True)):
        assert client.post(address, typed | {"listed": sent}).status_code == 302
        assert Event.objects.get(pk=event.pk).listed is listed


def test_times_after_midnight_say_so_and_the_other_way_too(signed):
    asked = "?format=thoom&formula=single-group&expected=14&starts_at=2026-11-28T14:00"
    assert line(signed.get(f"{NEW}{asked}")) == (
        "14 players: 13 rounds, ends around 03:00 the next day",
        "Each pair meets 2×: 16:40 the next day",
    )


@pytest.mark.deep
def test_an_end_that_is_too_late_says_so_first_and_what_would_fit(signed):
    page = signed.get(f"{SWISS}&expected=33&starts_at=2026-11-28T10:00")
    asked = filled(page, ends_by="18:00") | {"part": "advice"}
    said = signed.get(SWISS, asked, headers=SCRIPT)
    assert line(said) == (
        "33 players: 5 rounds and top 8, ends around 18:40 · Must end by: 18:00",
        "Minutes per round 45: 18:00",
        "6 rounds and a final: 17:40",
    )
    assert 'class="advice-line warn"' in said.content.decode()
    nothing = signed.get(SWISS, asked | {"ends_by": "11:00"}, headers=SCRIPT)
    assert nothing.context["line"].small.startswith("Start earlier, or play over two days")
    later = signed.get(SWISS, asked | {"ends_by": "01:30"}, headers=SCRIPT)
    assert line(later)[0] == "33 players: 5 rounds and top 8, ends around 18:40"


@pytest.mark.deep
def test_until_when_it_may_last_is_stored_and_told_again_at_the_start(signed, by):
    signed.post(SWISS, filled(signed.get(SWISS), ends_by="18:30"))
    made = Event.objects.get()
    assert made.ends_by == 18 * 60 + 30
    settings = signed.get(url("manage-settings", made))
    assert 'name="ends_by" value="18:30"' in text(settings)
    change_event_state(event=made, action="open_registration", by=by)
    make.players(made, 33, by)
    late = "Ends around 18:40, but must end by 18:30."
    assert late in text(signed.get(url("manage-start", made)))
    assert 'id="advice-line"' in text(signed.get(url("manage-settings", made)))
    change_event_state(event=made, action="close_registration", by=by)
    said = text(signed.get(url("manage-settings", made)))
    assert "33 players: 5 rounds and top 8, ends around 18:40 · Must end by: 18:30" in said


def test_an_event_played_days_later_ends_on_the_day_it_is_played(by, in_english):
    facts = load_facts(make.playing(by, 4))
    facts.event.starts_at = facts.rounds[0].published_at - timedelta(days=2)
    found = event_timetable(facts, facts.plan)
    assert found.starts == facts.rounds[0].published_at
    begins = found.starts.astimezone(facts.event.zone)
    facts.event.ends_by = (begins.hour * 60 + begins.minute + 1) % (24 * 60)
    said = late_end_warning(facts)
    assert said.startswith("Ends around ")
    assert "days later" not in said


def test_the_desk_says_that_an_event_runs_late_and_until_when_it_may(by, in_english):
    facts = load_facts(make.playing(by, 4))
    facts.event.starts_at = facts.rounds[0].published_at
    begins = facts.event.begins
    assert late_end_warning(facts) == ""
    facts.event.ends_by = (begins.hour * 60 + begins.minute + 1) % (24 * 60)
    must = f"but must end by {begins + timedelta(minutes=1):%H:%M}"
    assert late_end_warning(facts).startswith("Ends around ")
    assert must in late_end_warning(facts)
    facts.event.ends_by = (begins.hour * 60 + begins.minute - 1) % (24 * 60)
    assert late_end_warning(facts) == ""


def test_programs_read_and_set_it(signed, by):
    event = make.open_event(by)
    at = f"/api/v1/events/{event.slug}/"
    assert signed.get(at).json()["ends_by"] is None
    assert patched(signed, at, "18:30").json()["ends_by"] == "18:30"
    event.refresh_from_db()
    assert event.ends_by == 18 * 60 + 30
    for wrong in ("24:00", "6:30", "18.30", 1110, ""):
        refused = patched(signed, at, wrong)
        assert (refused.status_code, "ends_by" in refused.content.decode()) == (400, True)
    assert patched(signed, at, "00:00").json()["ends_by"] == "00:00"
    assert patched(signed, at, None).json()["ends_by"] is None
    made = {"name": "Sera", "format": "thoom", "formula": "single-group", "ends_by": "23:00"}
    sent = signed.post("/api/v1/events/", json.dumps(made), content_type="application/json")
    assert (sent.status_code, sent.json()["ends_by"]) == (201, "23:00")


def patched(client, at, value):
    return client.patch(at, json.dumps({"ends_by": value}), content_type="application/json")


OTHER = "/events/new/?game=Catan"
CHESS = "/events/new/?game=Chess"


@pytest.mark.deep
def test_its_name_is_the_one_field_more(signed):
    page = signed.get(OTHER)
    made = signed.post(OTHER, filled(page, game="Catan"))
    assert made.status_code == 302
    event, house = Event.objects.get(), HouseFormat.objects.get()
    assert (event.format, event.decklists) == (house.slug, "off")
    assert (house.game, house.name, house.lists) == ("Catan", "Catan", "off")
    assert (house.slug, house.rules["match"]["score"]) == ("own_catan", "none")
    assert base_format(event.format).match.best_of == 1
    assert (event.points_win, event.points_draw, event.points_parts) == (3, 1, None)
    refused = signed.post(OTHER, filled(page, game=""))
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == ["game"]
    assert Event.objects.count() == HouseFormat.objects.count() == 1


@pytest.mark.deep
def test_the_same_game_again_has_the_same_format(signed):
    page = signed.get(OTHER)
    for name in ("Prima", "Seconda"):
        assert signed.post(OTHER, filled(page, game="Catan", name=name)).status_code == 302
    assert signed.post(OTHER, filled(page, game="Catan", name="Terza", points_draw="½")).status_code
    assert HouseFormat.objects.count() == 2
    assert Event.objects.filter(format="own_catan").count() == 2
    assert 'href="?game=Catan"' in read(signed, OTHER)


@pytest.mark.deep
def test_a_game_without_lists_speaks_of_no_decks(signed, by):
    page = signed.get(CHESS, headers={"accept-language": "it"})
    assert page.context["form"]["game"].value() == "Scacchi"
    assert signed.post(CHESS, filled(page)).status_code == 302
    event = Event.objects.get()
    make.players(event, 4, by)
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    match = make.next_round(event, by).matches.get(table=1)
    begins = f"/events/{event.slug}"
    sheet = f"/floor/tables/{match.pk}/"
    for path in ("/rules/", sheet, f"{sheet}penalty/", f"/matches/{match.pk}/result/"):
        said = read(signed, f"{begins}{path}").partition("<main")[2]
        plain = re.sub(r"<[^>]*>", "", said)
        assert re.findall(r".{,80}(?:[Dd]eck|coin\b|[Cc]ards\b).{,40}", plain) == [], path


def test_ready_rules_fill_in_the_form(signed):
    page = signed.get(f"{CHESS}&name=Torneo")
    form = page.context["form"]
    values = [form[name].value() for name in ("game", "points_win", "points_draw", "minutes")]
    assert values == ["Chess", "1", "½", 50]
    assert form["name"].value() == "Torneo"
    assert signed.post(CHESS, filled(page, game="Scacchi")).status_code == 302
    event = Event.objects.get()
    assert (event.points_win, event.points_draw, event.points_parts) == (2, 1, 2)
    assert event.criteria[1] == "buchholz_cut1"
    assert HouseFormat.objects.get().rules["standings"]["points"] == {
        "win": 1,
        "draw": "1/2",
        "loss": 0,
    }


def test_a_game_nobody_knows_may_count_lists_by_ready_made_rules(signed):
    page = signed.get("/events/new/?game=Zork")
    assert page.context["form"]["decklists"].value() == "off"
    typed = {"ready": "magic-constructed", "decklists": "required", "format_name": "Duello"}
    assert signed.post(OTHER, filled(page, **typed)).status_code == 302
    house = HouseFormat.objects.get()
    named = (house.game, house.name, house.lists, house.rules["zones"][0]["min"])
    assert named == ("Zork", "Duello", "counted", 60)
    assert Event.objects.get().decklists == "required"


def test_lists_of_a_game_nobody_knows_are_collected(signed):
    page = signed.get("/events/new/?game=Zork")
    assert signed.post(OTHER, filled(page, decklists="optional")).status_code == 302
    assert HouseFormat.objects.get().lists == "collected"
    assert Event.objects.get().decklists == "optional"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"game": "—"}, "game"),
        ({"points_draw": "1/3"}, "points_draw"),
        ({"points_draw": "4"}, "points_win"),
        ({"points_win": "-1"}, "points_win"),
        ({"score": "goals"}, "score"),
        ({"ready": "goals"}, "ready"),
        ({"format_name": "x" * 81}, "format_name"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(signed, typed, field):
    page = signed.get(OTHER)
    refused = signed.post(OTHER, filled(page, **{"game": "Catan"} | typed))
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == [field]
    assert not HouseFormat.objects.exists()


@pytest.mark.parametrize("typed", ["magic", " MAGIC ", "pokemon", "Scacchi", "mutant chronicles"])
def test_a_known_name_in_any_spelling_is_its_game(signed, typed):
    choice = signed.get("/events/new/", {"game": typed}, headers={"accept-language": "it"})
    choice = choice.context["choice"]
    assert choice.game is not None
    assert choice.format is not None
    assert "Magic" not in typed.title() or choice.ready.key.startswith("magic-")


@pytest.mark.deep
def test_formats_that_others_replace_are_found_by_their_key_alone(signed):
    def offered(game):
        formats = signed.get("/events/new/", {"game": game}).context["choice"].game.formats
        return {one.ready.key for one in formats}

    assert {"magic-draft", "magic-sealed", "magic-pauper", "magic-commander"} <= offered("Magic")
    assert not {"magic-limited", "magic-constructed"} & offered("Magic")
    assert "pokemon-expanded" in offered("Pokémon")
    page = signed.get("/events/new/?ready=magic-limited")
    assert page.context["form"]["format_name"].value() == "Limited"


def test_tiebreakers_that_no_publisher_said_are_told_to_be_usual(signed):
    said = "Not confirmed by the game’s publisher."
    assert said in read(signed, "/events/new/?game=Flesh and Blood")
    assert said not in read(signed, "/events/new/?game=Magic")


def test_the_line_counts_the_games_of_the_result_chosen(signed):
    asked = {"expected": "8", "minutes": "30", "formula": "swiss-cut", "game": "Catan"}
    for score in ("none", "games", "points", "rubbish"):
        said = signed.get(OTHER, asked | {"score": score}, headers={"HX-Request": "true"})
        assert said.status_code == 200
        assert "8 players" in said.content.decode()


def test_a_draft_is_deleted_once_its_name_is_typed(by):
    event = make.event(by)
    client = signed_in(by)
    assert url("manage-delete", event) in page(client, "manage-settings", event)
    refused = client.post(url("manage-delete", event), {"confirm": "another"})
    assert refused.status_code == 400
    assert f"Type “{event.name}” to confirm" in text(refused)
    assert Event.objects.filter(pk=event.pk).exists()
    answer = client.post(url("manage-delete", event), {"confirm": event.name}, follow=True)
    assert f"Deleted: {event.name}" in text(answer)
    assert not Event.objects.filter(pk=event.pk).exists()


@pytest.mark.deep
def test_an_event_stays_once_it_has_started_and_not_before(by):
    event = make.started(by, 4)
    client = signed_in(by)
    assert url("manage-delete", event) not in page(client, "manage-settings", event)
    assert client.post(url("manage-delete", event), {"confirm": event.name}).status_code == 409
    assert Event.objects.filter(pk=event.pk).exists()
    event = make.open_event(by)
    make.players(event, 4, by)
    make.draws.draw_start_order(event=event, by=by)
    client = signed_in(by)
    assert url("manage-delete", event) in page(client, "manage-settings", event)
    assert client.post(url("manage-delete", event), {"confirm": event.name}).status_code == 302
    assert not Event.objects.filter(pk=event.pk).exists()


@pytest.mark.deep
def test_the_file_of_the_event_is_among_its_files_and_restores_a_copy(by, tmp_path):
    event = make.started(by, 4)
    client = signed_in(by)
    shown = page(client, "manage-files", event)
    address = f"/api/v1/events/{event.slug}/archive.json"
    assert address in shown
    file = tmp_path / "event.json"
    file.write_bytes(client.get(address).content)
    with file.open("rb") as content:
        sent = {"file": content, "slug": "the-copy"}
        answer = client.post("/events/restore/", sent, follow=True)
    assert answer.status_code == 200
    assert Event.objects.filter(slug="the-copy").exists()


def test_settings_with_a_page_of_their_own_say_their_value_and_lead_there(by):
    event = make.event(by, information="# Premi")
    shown = page(signed_in(by), "manage-settings", event)
    for key, value in (("information", "yes"), ("questions", "none"), ("prizes", "none")):
        to = url(f"manage-{key}", event)
        assert re.search(rf'id="chip-{key}" href="{to}">[^<]+<b>{value}</b></a>', shown)


TEXT = "# Premi\n\n**Primo**: 10 bustine <script>alert(1)</script>\n\n[diretta](https://a.example/)"


@pytest.fixture
def informed(by):
    return make.open_event(by)


def test_what_is_written_stands_on_the_event_s_page(informed, by):
    assert 'id="information"' not in page(Client(headers=ENGLISH), "event", informed)
    answer = signed_in(by).post(url("manage-information", informed), {"information": TEXT})
    assert answer.status_code == 302
    shown = page(Client(headers=ENGLISH), "event", informed)
    assert "<h3>Premi</h3>" in shown
    assert "<strong>Primo</strong>" in shown
    assert "<script>alert" not in shown
    assert 'rel="nofollow' in shown
    assert "Premi" in page(signed_in(by), "manage-information", informed)


def test_a_preview_stores_nothing(informed, by):
    client, address = signed_in(by), url("manage-information", informed)
    whole = client.post(address, {"information": TEXT, "preview": "1"})
    assert whole.status_code == 200
    assert "<h3>Premi</h3>" in whole.content.decode()
    part = client.post(
        address, {"information": TEXT, "preview": "1"}, headers={"HX-Request": "true"}
    )
    assert "<h3>Premi</h3>" in part.content.decode()
    assert "<html" not in part.content.decode()
    informed.refresh_from_db()
    assert informed.information == ""


def test_too_long_a_text_is_refused_beside_the_field(informed, by):
    sent = {"information": "a" * (LONGEST_INFORMATION + 1)}
    answer = signed_in(by).post(url("manage-information", informed), sent)
    assert answer.status_code == 400
    assert answer.context["form"].errors.keys() == {"information"}
    informed.refresh_from_db()
    assert informed.information == ""


@pytest.mark.deep
@pytest.mark.parametrize("sign", ["[", "a\n", "1 a\n"])
def test_what_is_too_long_is_not_rendered(informed, by, sign):
    text = (sign * 300_000)[:1_000_000]
    render_markdown.cache_clear()
    with patch.object(reader, "parse", wraps=reader.parse) as parsed:
        answer = signed_in(by).post(url("manage-information", informed), {"information": text})
    assert answer.status_code == 400
    assert [len(call.args[0]) <= LONGEST_INFORMATION for call in parsed.call_args_list] == [True]


def test_it_changes_while_the_event_runs_and_is_taken_back(by):
    event = make.playing(by, 4, formula="single-group")
    change_event(event=event, changes={"information": TEXT}, by=by)
    assert "Premi" in page(Client(headers=ENGLISH), "event", event)
    line = event.log.order_by("number").last()
    assert line.after == {"information": TEXT}
