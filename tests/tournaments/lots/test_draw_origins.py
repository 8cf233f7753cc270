"""Where a draw comes from, as every page and file that shows it says."""

from io import BytesIO

import pytest
from pypdf import PdfReader
from rest_framework.test import APIClient

from tests import factories as make
from tests.browsers import ENGLISH, page, read, signed_in, text, url
from tests.level_players import two_level
from tests.tournaments.exports.books import book, rows
from tournaments.chain.lines import chain_unchained_logs
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import load_facts
from tournaments.exports.views import event_transcript
from tournaments.lots import services as draws
from tournaments.models import Draw, Event
from tournaments.starting import services as starting
from tournaments.verification.event import event_notes, verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

PUBLIC, GIVEN = "seed, published in line", "Seed given by"
PAGES = ("record", "standings", "rules", "event", "lots", "log")


@pytest.fixture
def event(by):
    event = make.open_event(by, formula="groups-knockout")
    make.players(event, 4, by)
    return event


def started(event, draw, by):
    starting.start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


def said(event, by, names=PAGES):
    """Return what the pages of a running event say to its organiser."""
    return {name: page(signed_in(by), name, event) for name in names}


def origins(event):
    return draw_origins(event, event.draws.all())


def without_chain(event):
    """Make an event one of before there were chains, which begins now."""
    empty = {"facts": {}, "words": {}, "salt": "", "closed_digest": "", "digest": ""}
    event.log.update(**empty, player=None)
    Event.objects.filter(pk=event.pk).update(head="")
    chain_unchained_logs(using="default")


def test_nothing_is_said_where_nothing_was_drawn(event, by):
    for name in ("record", "manage-start", "log", "event"):
        shown = page(signed_in(by), name, event)
        assert PUBLIC not in shown
        assert GIVEN not in shown
    assert "draw" not in {note.check for note in event_notes(event)}


@pytest.mark.deep
def test_a_draw_from_its_announced_fingerprint_says_since_when_it_was_public(event, by):
    shown = text(signed_in(by).post(url("manage-start-draw", event), follow=True))
    assert PUBLIC not in shown
    assert GIVEN not in shown
    draw = event.draws.get(kind="start")
    (line,) = event.log.filter(number=1)
    assert (origins(event)[1].line, origins(event)[1].since) == (1, line.at)
    running = said(started(event, draw, by), by)
    assert {name for name, words in running.items() if PUBLIC in words} == {"record", "log"}
    assert not any(GIVEN in words for words in running.values())
    assert any(PUBLIC in str(note) for note in event_notes(event))


@pytest.mark.deep
def test_a_seed_that_somebody_gave_is_called_given_wherever_the_draw_is_shown(event, by):
    draw = draws.draw_start_order(event=event, seed="mine", by=by)
    running = said(started(event, draw, by), by)
    assert {name for name, words in running.items() if GIVEN in words} == {"record", "log"}
    assert not any(PUBLIC in words for words in running.values())
    assert f"{GIVEN} {by.user.name}." in running["record"]
    notes = [str(note) for note in event_notes(event) if note.check == "draw"]
    assert notes == [f"draw: Random draw 1: {GIVEN} {by.user.name}."]
    assert verify_event(event) == []
    italian = read(signed_in(by), url("record", event), "it")
    assert f"Seme indicato da: {by.user.name}." in italian
    assert "seme pubblicata alla riga" not in italian


def test_every_further_draw_is_counted_aloud(event, by):
    draws.draw_start_order(event=event, by=by)
    draws.record_start_order(event=event, order=[1, 2, 3, 4], witnesses="Ada", by=by)
    shown = text(signed_in(by).post(url("manage-start-draw", event), follow=True))
    assert shown.count("Random draw 3 for these players.") == 1
    words = {number: origin.words for number, origin in origins(event).items()}
    assert "for these players" not in words[1]
    assert words[2] == "Drawn manually. Random draw 2 for these players."
    assert words[3].endswith(" Random draw 3 for these players.")
    shown = said(event, by, ["record", "log"])
    assert all("Random draw 2 for these players." in words for words in shown.values())
    assert all("Random draw 3 for these players." in words for words in shown.values())
    assert "Sorteggio 3 fra questi giocatori." in read(signed_in(by), url("record", event), "it")


def test_lots_are_counted_by_their_players_and_stage(event):
    def lots(number, stage, entrants):
        kind, state = Draw.Kind.LOTS, Draw.State.DRAWN
        return Draw(
            event=event, number=number, kind=kind, state=state, stage_id=stage, entrants=entrants
        )

    made = [lots(5, 1, [1, 2]), lots(6, 2, [1, 2]), lots(7, 1, [1, 2, 3])]
    made += [lots(number, 1, [2, 1]) for number in range(8, 18)]
    found = draw_origins(event, made)
    assert [found[number].count for number in range(5, 10)] == [1, 1, 1, 2, 3]
    assert found[8].count_words == "Random draw 2 for these players."
    assert found[17].count_words == "Random draw 11 for these players."


@pytest.mark.deep
def test_lots_say_it_on_paper_and_in_the_workbook(by):
    event = two_level(by)
    (tied,) = load_facts(event).open_stage.outcome.lots_needed
    form = {"tied": ",".join(map(str, tied)), "seed": "mine"}
    answer = text(signed_in(by).post(url("lots-draw", event), form, follow=True))
    assert answer.count(f"{GIVEN} {by.user.name}.") == 1  # the message
    pdf = signed_in(by).get(f"/events/{event.slug}/print/standings.pdf").content
    (sheet,) = PdfReader(BytesIO(pdf)).pages
    assert f"Random draw 2: {GIVEN} {by.user.name}." in sheet.extract_text()
    drawn = rows(book(event)["Random draws"])
    assert [row[-2:] for row in drawn] == [(f"{GIVEN} {by.user.name}.", 1)] * 2


@pytest.mark.deep
def test_endpoints_say_where_the_draw_comes_from(by):
    found = []
    for body in ({"seed": "mine"}, {}, {"groups": [[1, 2, 3, 4]], "witnesses": "Ada"}):
        event = make.open_event(by, formula="single-group")
        make.players(event, 4, by)
        client = APIClient()
        client.force_authenticate(by.user)
        answer = client.post(f"/api/v1/events/{event.slug}/start/", body, format="json")
        draw = answer.json()["draw"]
        found.append([draw[key] for key in ("by_hand", "seed_given", "told_by_line", "count")])
        assert (draw["public_since"] is not None) == (body == {})
    assert found == [[False, True, None, 1], [False, False, 1, 1], [True, False, None, 1]]


def test_who_gave_a_seed_is_not_known_any_more_once_the_account_is_gone(event, by):
    other = make.staff(event, "organiser")
    draws.draw_start_order(event=event, seed="mine", by=other)
    other.user.delete()
    shown = page(APIClient(headers=ENGLISH), "record", event)
    assert f"{GIVEN} –." in shown


def test_of_draws_from_before_there_were_chains_only_what_is_known_is_said(event, by):
    draws.draw_start_order(event=event, by=by)
    draws.draw_start_order(event=event, seed="mine", by=by)
    without_chain(event)
    first, second = origins(event).values()
    assert (first.given, first.words) == (None, "")
    assert second.words == f"{GIVEN} {by.user.name}. Random draw 2 for these players."
    assert PUBLIC not in page(signed_in(by), "record", event)
    begun = event.log.latest("number").number
    third = draws.draw_start_order(event=event, by=by)
    assert origins(event)[third.number].line == begun


def test_a_fingerprint_that_a_later_line_exchanged_is_not_the_announced_one(event, by):
    draw = draws.draw_start_order(event=event, by=by)
    first, second = event.log.filter(number__lte=2)
    second.facts.setdefault("rows", {})["draw/1"] = dict(first.facts["rows"]["draw/1"])
    first.facts["rows"]["draw/1"]["fingerprint"] = "0" * 64
    first.save(), second.save()
    assert origins(event)[draw.number].given


@pytest.mark.deep
def test_a_transcript_tells_the_origin_of_each_draw_without_names(by):
    event = make.played(by, 5)
    (told,) = event_transcript(event)["draws"]
    assert told == {"number": 1, "count": 1, "by_hand": False, "seed_given": True} | dict.fromkeys(
        ("public_since", "told_by_line")
    )
