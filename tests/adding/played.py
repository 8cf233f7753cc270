"""Events with the invented game, criterion, kind of stage, formula and page.

``test_one_file_each`` runs these tests in a process in which ``EXTENSIONS`` names the package.
"""

from io import BytesIO, StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from rest_framework.test import APIClient

from decks.decklists.samples import sample_deck
from rules.criteria import CRITERIA
from rules.formulas.adviser import suggest_formats
from tests import factories as make
from tests.adding.settings import CRITERION, FORMULA, GAME, KIND, ROOT, SETTINGS
from tests.browsers import page, read
from tests.recipes import recipe
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@recipe
def half_climbed(by: Actor) -> Event:
    """Return an event of six players whose ladder is climbed half."""
    event = make.started(by, 6, **SETTINGS)
    for _rung in range(2):
        make.play_round(make.next_round(event, by), by)
    return event


@recipe
def climbed(by: Actor) -> Event:
    """Return the same event, played to its end."""
    return make.play_event(half_climbed(by), by)


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event of six players whose ladder is climbed half."""
    return half_climbed(by)


@pytest.fixture
def played(by: Actor) -> Event:
    """Return the event, played to its end."""
    return climbed(by)


def by_command(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_the_event_is_played_to_its_end(played: Event) -> None:
    ladder, final = load_facts(played).stages
    assert (ladder.stage.kind, len(ladder.rounds), len(final.rounds)) == (KIND, 4, 1)
    assert all(row.values.keys() >= {CRITERION} for row in ladder.outcome.standings["A"].rows)
    assert sorted(player for level in load_facts(played).ranking for player in level) == [
        *range(1, 7)
    ]


def test_pages_show_it_while_it_runs(event: Event, client_of: Client) -> None:
    standings = page(client_of, "standings", event)
    assert "Decisive matches" in standings
    assert "Ladder" in page(client_of, "formula", event)
    for name in ("event", "players", "standings", "prospects", "pairings", "record", "desk"):
        page(client_of, name, event)
    assert "Rung 2" in page(client_of, "pairings", event)
    assert "Stones" in page(client_of, "event", event)


def test_a_draft_of_its_rounds_says_that_the_rules_pair(event: Event, client_of: Client) -> None:
    made = client_of.post(
        reverse("tournaments:desk-draft", args=[event.slug]), {"expected_round": "3"}
    )
    assert made.status_code == 302
    shown = read(client_of, reverse("tournaments:desk-round", args=[event.slug, 3]))
    assert "Only table numbers can be swapped in this round." in shown


def test_pages_show_it_when_it_is_over(played: Event, client_of: Client) -> None:
    for name in ("event", "players", "standings", "formula", "record", "desk"):
        page(client_of, name, played)
    page(client_of, "transcript", played)


def test_the_page_is_there(event: Event, client_of: Client) -> None:
    assert "Rungs climbed: 2." in read(client_of, reverse("rungs", args=[event.slug]))


def test_forms_offer_them(client_of: Client) -> None:
    form = read(client_of, reverse("tournaments:event-new"))
    for offered in ("?game=Stones", f'value="{FORMULA}"'):
        assert offered in form
    assert "Stones" in read(client_of, reverse("decks:format_list"))
    assert "Stone" in read(client_of, reverse("decks:format", args=[GAME]))


def test_a_new_event_begins_as_is_usual(client_of: Client) -> None:
    form = read(client_of, f"{reverse('tournaments:event-new')}?game=Stones")
    assert f'name="format" value="{GAME}"' in form
    assert 'value="single-group" required checked' in " ".join(form.split())
    assert 'name="minutes" value="20"' in form


def test_programs_play_it(program: APIClient) -> None:
    body = {
        **SETTINGS,
        "name": "Torneo",
        "starts_at": "2027-01-09T10:00:00+01:00",
        "decklists": "off",
    }
    made = program.post(f"{ROOT}events/", body, format="json")
    assert made.status_code == 201, made.content
    address = f"{ROOT}events/{made.json()['slug']}/"
    program.patch(address, {"state": "registration"}, format="json")
    names = [{"name": name} for name in ("Ada", "Bea", "Carlo", "Dora")]
    for name in names:
        assert program.post(f"{address}players/", name, format="json").status_code == 201
    assert program.post(f"{address}start/", {}, format="json").status_code < 300
    for _rung in range(4):
        rung = program.post(f"{address}rounds/", {}, format="json")
        assert rung.status_code == 201, rung.content
        for match in rung.json()["matches"]:
            result = {"version": match["version"], "games": ["a"]}
            entered = program.put(f"{address}matches/{match['id']}/result/", result, format="json")
            assert entered.status_code < 300, entered.content
    standings = program.get(f"{address}standings/").json()
    assert CRITERION in str(standings)
    assert program.get(f"{address}scenarios/").status_code == 200
    assert KIND in str(program.get(f"{address}stages/").json())


def test_programs_read_what_there_is(program: APIClient) -> None:
    assert f"- {KIND}\n" in program.get("/api/schema/").content.decode()
    assert GAME in str(program.get(f"{ROOT}formats/").json())
    assert FORMULA in str(program.get(f"{ROOT}formulas/").json())


@pytest.mark.parametrize("whole", [False, True])
def test_it_goes_out_and_comes_in(event: Event, by: Actor, whole: bool) -> None:
    shown = make.play_event(event, by) if whole else event
    first = event_archive(shown)
    ranking = load_facts(shown).ranking
    Event.objects.filter(pk=shown.pk).delete()
    again = restore_archive(first, caller=by.user)
    assert event_archive(again) == first
    assert load_facts(again).ranking == ranking
    ended = again if whole else make.play_event(Event.objects.get(pk=again.pk), by)
    assert ended.state == Event.State.FINISHED
    assert list(verify_event(Event.objects.get(pk=ended.pk))) == []


def test_it_is_sound(played: Event) -> None:
    assert list(verify_event(played)) == []
    assert "Nessuna differenza." in by_command("verify", played.slug)


def test_the_workbook_has_it(played: Event, client_of: Client) -> None:
    answer = client_of.get(reverse("tournaments:workbook", args=[played.slug]) + "?whole=1")
    book = load_workbook(BytesIO(answer.content))
    cells = {cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row}
    assert "Decisive matches" in cells
    assert any("Ladder" in title for title in book.sheetnames)


def test_the_log_and_what_is_ahead_are_told(event: Event, client_of: Client) -> None:
    for name in ("log", "manage-files", "manage-players"):
        page(client_of, name, event)


def test_the_adviser_knows_it() -> None:
    found = next(one for one in suggest_formats(8, minutes=30).rows if one.formula.key == FORMULA)
    assert (found.rounds, found.matches) == (5, 17)


def test_a_list_of_the_game_is_checked(program: APIClient) -> None:
    address = f"{ROOT}formats/{GAME}/validate/"
    right = sample_deck(GAME, 1)
    first = program.post(address, {"text": right}, format="json")
    second = program.post(address, {"text": right.replace("2 ", "4 ", 1)}, format="json")
    assert first.json()["legal"] is True, first.content
    assert second.json()["legal"] is False
    assert "copies.too_many" in str(second.json())


def test_the_criterion_is_in_the_catalogue_of_the_page(event: Event, client_of: Client) -> None:
    assert CRITERION in CRITERIA
    assert CRITERION in read(client_of, reverse("tournaments:manage-criteria", args=[event.slug]))
