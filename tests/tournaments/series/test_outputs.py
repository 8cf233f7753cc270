"""What a series gives away: workbook, CSV, feed, calendar, picture, text, sheet for walls."""

import csv
import html
import io
import re
import struct
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from icalendar import Calendar
from openpyxl import load_workbook
from pypdf import PdfReader

from tests import factories as make
from tests.browsers import signed_in
from tournaments.models import Entry, Event, FinalRows, Series
from tournaments.series.final_rows import FORM
from tournaments.series.services import create_series
from tournaments.sharing.views import HIGH, WIDE

pytestmark = pytest.mark.django_db
HOSTILE = (
    *('=HYPERLINK("http://x","y")', "+1+1", "@SUM(A1)", "<r>Ada</r>", "-2", "Ω" * 60),
    *("\u202eadA eldoN", "שלום עליכם", "Anna & <b>Bea</b>", "Zoë Ñandú‑O’Neill", "田中 太郎"),
)
ENGLISH, ITALIAN = ({"accept-language": language} for language in ("en", "it"))


def kept_evening(by, names: tuple[str, ...], **values: Any) -> Event:
    """Return a finished event whose kept rows place these players in this order."""
    made = make.event(by, decklists="off", **values)
    Entry.objects.bulk_create(
        Entry(event=made, number=number, name=name) for number, name in enumerate(names, start=1)
    )
    Event.objects.filter(pk=made.pk).update(state=Event.State.FINISHED)
    most = len(names)
    rows = [[n, n, 3 * (most - n), most - n, most - 1, False, {}] for n in range(1, most + 1)]
    kept = {"form": FORM, "parts": 1, "rows": rows}
    FinalRows.objects.create(event=made, head=made.head, rows=kept)
    return Event.objects.get(pk=made.pk)


def series_of(by, *events: Event, **values: Any) -> Series:
    """Return a series of events in which a name is a person."""
    sent = {"name": "Lega Pauper", "points": {"by_place": [10, "15/2", 6, 4, "7/3"]}}
    slugs = [event.slug for event in events]
    return create_series(values=sent | values | {"events": slugs, "names_are_people": True}, by=by)


@pytest.fixture
def two(by) -> Series:
    """Return a series of two evenings of which each person's better one counts."""
    first = kept_evening(by, ("Ada", "Bea", "Carlo"), name="Prima", starts_at="2026-10-01T20:00Z")
    second = kept_evening(by, ("Ada", "Dora", "Bea"), name="Seconda", starts_at="2026-10-08T20:00Z")
    return series_of(by, first, second, points={"by_place": [10, "15/2", 6], "best": 1})


def got(path: str, client: Client | None = None, headers: dict[str, str] = ENGLISH):
    answer = (client or Client()).get(path, headers=headers)
    assert answer.status_code == 200, answer.content[:300]
    return answer


def book(answer):
    """Return {sheet: rows} of a workbook, heads first."""
    made = load_workbook(io.BytesIO(answer.content))
    return made, {
        sheet.title: [tuple(row) for row in sheet.iter_rows(values_only=True)] for sheet in made
    }


def csv_rows(answer, delimiter: str = ","):
    text = answer.content.decode().removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def pages(answer):
    """Return the pages of a PDF and their texts."""
    assert answer["Content-Type"] == "application/pdf"
    found = PdfReader(io.BytesIO(answer.content)).pages
    return found, [page.extract_text() for page in found]


# --- Workbook and CSV -----------------------------------------------------------------------
def test_the_workbook_has_the_table_and_all_results(two):
    made, sheets = book(got(f"/series/{two.slug}/table.xlsx"))
    assert made["Schema"].sheet_state == "hidden"
    heads, *rows = sheets["Standings"]
    assert heads[:7] == ("Rank", "Player", "Club", "Points", "Events", "Prima", "Seconda")
    assert [row[:7] for row in rows[:4]] == [
        (1, "Ada", None, 10, 2, 10, 10),
        (2, "Bea", None, 7.5, 2, 7.5, 6),
        (3, "Dora", None, 7.5, 1, None, 7.5),
        (4, "Carlo", None, 6, 1, 6, None),
    ]
    left_out = {
        cell.coordinate
        for row in made["Standings"].iter_rows(min_row=2)
        for cell in row
        if cell.number_format.startswith("(")
    }
    assert left_out == {"G2", "G3"}
    assert rows[-1][0] == "(…) doesn’t count"
    heads, *rows = sheets["Results"]
    assert heads == ("Event", "Date and time", "Place", "Number", "Player", "Points", "Note")
    assert [(row[0], *row[2:]) for row in rows] == [
        ("Prima", 1, 1, "Ada", 10, None),
        ("Prima", 2, 2, "Bea", 7.5, None),
        ("Prima", 3, 3, "Carlo", 6, None),
        ("Seconda", 1, 1, "Ada", 10, "doesn’t count"),
        ("Seconda", 2, 2, "Dora", 7.5, None),
        ("Seconda", 3, 3, "Bea", 6, "doesn’t count"),
    ]
    assert rows[0][1].isoformat() == "2026-10-01T22:00:00"  # by the clock of the venue


def test_the_files_are_in_the_language_of_the_reader(two):
    _made, sheets = book(got(f"/series/{two.slug}/table.xlsx", headers=ITALIAN))
    assert sheets["Classifica"][0][:4] == ("Pos.", "Giocatore", "Club", "Punti")
    assert sheets["Classifica"][-1][0] == "(…) non vale"
    rows = csv_rows(got(f"/series/{two.slug}/table.csv", headers=ITALIAN), ";")
    assert [row["points"] for row in rows] == ["10", "7,5", "7,5", "6"]


def test_the_csv_has_the_names_of_the_api(two):
    rows = csv_rows(got(f"/series/{two.slug}/table.csv"))
    first, second = (event.slug for event in two.events.order_by("starts_at"))
    told = got(f"/api/v1/series/{two.slug}/table/").json()["table"]
    assert len(rows) == len(told) == 4
    for row, sent in zip(rows, told, strict=True):
        for key in ("rank", "person", "name"):
            assert row[key] == str(sent[key])
        assert row["placed_by"] == (sent["placed_by"] or "")
        for key, value in (
            ("points", sent["points"]),
            *((f"results.{slug}", one["points"]) for slug, one in sent["results"].items()),
            *((key, value) for key, value in sent["values"].items() if key != "points"),
        ):
            assert Fraction(row[key]) == Fraction(value), key
        left_out = [slug for slug, one in sent["results"].items() if not one["counts"]]
        assert row["not_counted"].split() == left_out
    assert (rows[2][f"results.{first}"], rows[2][f"results.{second}"]) == ("", "7.5")


def test_the_api_has_the_same_files(two, client_of):
    api = client_of(None)
    sheets = book(got(f"/api/v1/series/{two.slug}/export.xlsx", api))[1]
    assert sheets == book(got(f"/series/{two.slug}/table.xlsx"))[1]
    answer = got(f"/api/v1/series/{two.slug}/table.csv", api)
    assert answer.content == got(f"/series/{two.slug}/table.csv").content
    again = {"if-none-match": answer["ETag"]} | ENGLISH
    assert api.get(f"/api/v1/series/{two.slug}/table.csv", headers=again).status_code == 304


def test_bonuses_of_people_with_too_few_events_stand_in_the_files(by):
    evening = kept_evening(by, ("Ada", "Bea"))
    other = kept_evening(by, ("Ada", "Zoe"))
    ada = evening.entries.get(number=1)
    bonus = {"person": ada.pk, "points": "-3/2", "reason": "In ritardo"}
    rule = {"by_place": [10, 8], "least_events": 2, "adjustments": [bonus]}
    made = series_of(by, evening, other, points=rule)
    heads, *rows = book(got(f"/series/{made.slug}/table.xlsx"))[1]["Standings"]
    at, placed = heads.index("Bonuses and penalties"), heads.index("Placed by")
    assert (rows[0][1], rows[0][3], rows[0][at]) == ("Ada", 18.5, -1.5)
    assert [(row[3], row[at], row[placed]) for row in rows[1:]] == [
        *((8, 0, "Events"), (8, 0, "Random draw")),
    ]
    rows = csv_rows(got(f"/series/{made.slug}/table.csv"))
    assert [(row["short"], row["adjusted"]) for row in rows] == [
        *(("false", "-1.5"), ("true", "0"), ("true", "0")),
    ]


@pytest.fixture
def hostile(by) -> Series:
    """Return a series with names that look like formulas, are long, or written from the right."""
    evening = kept_evening(by, HOSTILE, name="=1+1")
    return series_of(by, evening, name='=cmd|"/c calc" & <i>Lega</i>')


def test_names_are_text_in_every_file(hostile):
    made, sheets = book(got(f"/series/{hostile.slug}/table.xlsx"))
    cells = [cell for sheet in made for row in sheet.iter_rows() for cell in row if cell.value]
    assert len(cells) > 100
    assert not [cell.coordinate for cell in cells if cell.data_type == "f"]
    assert {row[1] for row in sheets["Standings"][1:]} == set(HOSTILE)
    assert sheets["Standings"][0][5] == "=1+1"
    names = [row["name"] for row in csv_rows(got(f"/series/{hostile.slug}/table.csv"))]
    assert {name.removeprefix("'") for name in names} == set(HOSTILE)
    assert not [name for name in names if name.startswith(tuple("=+-@"))]


# --- Feed and calendar ----------------------------------------------------------------------
def test_feed_and_calendar_tell_of_the_public_events_of_the_series_only(two, by):
    secret = make.event(by, name="Bozza")
    make.open_event(by, name="Di altri")
    two.members.create(event=secret)
    for client in (Client(), signed_in(by)):
        answer = got(f"/series/{two.slug}/calendar.ics", client)
        assert answer["Content-Disposition"] == f'inline; filename="{two.slug}.ics"'
        made = Calendar.from_ical(answer.content)
        assert made["x-wr-calname"] == "Lega Pauper"
        assert [str(one["summary"]) for one in made.walk("VEVENT")] == ["Prima", "Seconda"]
        feed = ElementTree.fromstring(got(f"/series/{two.slug}/feed/", client).content)  # noqa: S314
        atom = "{http://www.w3.org/2005/Atom}"
        assert feed.findtext(f"{atom}title") == "Lega Pauper"
        assert feed.find(f"{atom}link").get("href").endswith(f"/series/{two.slug}/")
        titles = {one.findtext(f"{atom}title") for one in feed.iter(f"{atom}entry")}
        assert titles == {"Prima", "Seconda"}


@pytest.mark.parametrize(
    "output",
    ["table.xlsx", "table.csv", "print/", "calendar.ics", "feed/", "picture.png", "text/"],
)
def test_drafts_give_nothing_away(by, output):
    made = series_of(by, make.event(by, name="Bozza"))
    assert Client().get(f"/series/{made.slug}/{output}").status_code == 404
    answer = signed_in(by).get(f"/series/{made.slug}/{output}")
    assert answer.status_code == (200 if output in ("calendar.ics", "feed/") else 404)
    assert "Bozza" not in answer.content.decode("utf-8", "replace")


# --- Picture and text -----------------------------------------------------------------------
def test_a_draft_is_not_in_the_picture_of_its_staff(two, by, monkeypatch):
    two.members.create(event=make.event(by, name="Bozza", venue="Bozza"))
    drawn: list[Any] = []
    name = "tournaments.series.views.outputs.render_picture"
    monkeypatch.setattr(name, lambda content: drawn.append(content) or b"")
    for client in (signed_in(by), Client()):
        got(f"/series/{two.slug}/picture.png?language=en", client)
    assert drawn[0] == drawn[1]
    assert drawn[0]["lines"] == ["Events: 2", "8 October 2026 · Sala grande"]


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "it"])
def test_the_picture_is_drawn_in_both_languages(two, hostile, language):
    for made in (two, hostile):
        png = got(f"/series/{made.slug}/picture.png?language={language}").content
        assert struct.unpack(">II", png[16:24]) == (WIDE, HIGH)
        assert len(png) < 300_000
    assert Client().get(f"/series/{two.slug}/picture.png?language=xx").status_code == 404


def test_the_picture_shows_the_first_five(by, monkeypatch):
    made = series_of(by, kept_evening(by, tuple("ABCDEFG")))
    drawn: list[Any] = []
    name = "tournaments.series.views.outputs.render_picture"
    monkeypatch.setattr(name, lambda content: drawn.append(content) or b"")
    got(f"/series/{made.slug}/picture.png?language=it")
    assert [(row["rank"], row["name"], row["value"]) for row in drawn[0]["rows"]] == [
        *(("1", "A", "10"), ("2", "B", "7½"), ("3", "C", "6"), ("4", "D", "4"), ("5", "E", "2,33")),
    ]
    assert (drawn[0]["title"], drawn[0]["over"]) == ("Lega Pauper", "Classifica")


def test_the_text_for_chats_has_the_first_ten(by, hostile):
    answer = got(f"/series/{hostile.slug}/text/", headers=ITALIAN)
    lines = answer.content.decode().splitlines()
    assert lines[:3] == [hostile.name, "Classifica · Eventi: 1", ""]
    assert lines[3:5] == ['1. =HYPERLINK("http://x","y") · 10', "2. +1+1 · 7½"]
    assert "@SUM" not in answer.content.decode()  # which would call somebody
    assert len(lines) == 3 + 10 + 2
    assert lines[-1] == f"http://testserver/series/{hostile.slug}/"


# --- Paper ----------------------------------------------------------------------------------
@pytest.fixture
def season(by):
    """Return a function that makes a series of 60 people, each in all of some events."""

    def of(events: int) -> Series:
        names = tuple(f"Giocatrice dal nome lungo {number:02}" for number in range(1, 61))
        made = [
            kept_evening(by, names[turn:] + names[:turn], name=f"Tappa numero {turn + 1}")
            for turn in range(events)
        ]
        return series_of(by, *made, points={"by_place": [*range(60, 0, -1)], "best": 10})

    return of


@pytest.mark.deep
@pytest.mark.parametrize(
    ("events", "wide", "sheets", "columns"),
    [(2, False, 2, True), (8, False, 2, True), (20, True, 4, True), (21, False, 2, False)],
)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_sixty_people_fit_on_the_wall(season, events, wide, sheets, columns, paper):
    made = season(events)
    found, texts = pages(got(f"/series/{made.slug}/print/?paper={paper}", headers=ITALIAN))
    assert len(found) == sheets
    assert all((page.mediabox.width > page.mediabox.height) is wide for page in found)
    told = "\n".join(texts)
    for number in range(1, 61):
        assert told.count(f"Giocatrice dal nome lungo {number:02}") == 1
    assert ("Tappa numero 2" in told) is columns
    assert texts[0].count(f"Classifica · Eventi: {events}") == 1
    assert ("(…) non vale" in told) is (columns and events > 10)


def test_a_sheet_in_english_with_hostile_names_cuts_off_who_is_short(by, hostile):
    _found, texts = pages(got(f"/series/{hostile.slug}/print/"))
    for name in ("+1+1", "@SUM(A1)", "<r>Ada</r>", "Anna & <b>Bea</b>"):
        assert name in texts[0]
    assert "Standings · Events: 1" in texts[0]
    assert f"testserver/series/{hostile.slug}" in texts[0]


@pytest.mark.deep
def test_before_the_first_event_is_over_there_is_nothing_to_print(by):
    made = series_of(by, make.open_event(by))
    plain = series_of(by, kept_evening(by, ("Ada",)), points=None)
    for series in (made, plain):
        for output in ("table.xlsx", "table.csv", "print/", "text/"):
            assert Client().get(f"/series/{series.slug}/{output}").status_code == 404
        assert got(f"/series/{series.slug}/picture.png?language=en").content


# --- Pages that lead there ------------------------------------------------------------------
@pytest.mark.deep
@pytest.mark.parametrize("page", ["", "events/"])
def test_a_page_says_what_its_link_shows_and_leads_to_the_files(two, page):
    address = f"/series/{two.slug}/{page}"
    shown = got(address).content.decode()
    assert f'<link rel="canonical" href="http://testserver{address}">' in shown
    assert '<meta property="og:title" content="Lega Pauper">' in shown
    assert '<meta property="og:description" content="Events: 2 · 8 October 2026' in shown
    picture = re.search(r'og:image" content="http://testserver([^"]+)"', shown)
    assert picture
    assert got(html.unescape(picture[1]))["Content-Type"] == "image/png"
    files = ("feed/", "table.xlsx", "table.csv", "print/", "text/")
    others = ("feed/", "calendar.ics")
    for output in others if page else files:
        assert f'href="/series/{two.slug}/{output}"' in shown, output


@pytest.mark.deep
def test_an_event_leads_to_its_series_unless_it_is_a_draft(two, by):
    members = [two.events.first(), make.open_event(by), make.started(by, 4)]
    draft = make.event(by)
    for event in (*members[1:], draft):
        two.members.create(event=event)
    link = f'<a href="/series/{two.slug}/"><bdi>Lega Pauper</bdi></a>'
    make.play_event(members[2], by)
    running = make.playing(by, 4, formula="single-group")
    two.members.create(event=running)
    for event in (*members[1:], running):
        assert link in got(f"/events/{event.slug}/").content.decode(), event.state
    assert link not in got(f"/events/{draft.slug}/", signed_in(by)).content.decode()


def test_points_shared_by_seven_are_rounded_alike_everywhere(by):
    evening = kept_evening(by, tuple("ABCDEFG"))
    kept = FinalRows.objects.get(event=evening)
    kept.rows["rows"] = [[number, 1, 0, 0, 1, False, {}] for number in range(1, 8)]
    kept.save()
    made = series_of(by, evening, points={"by_place": [10], "ties": "share"})
    assert ">1.43<" in got(f"/series/{made.slug}/").content.decode()
    assert got(f"/series/{made.slug}/text/").content.decode().count(" · 1.43\n") == 7
    rows = book(got(f"/series/{made.slug}/table.xlsx"))[1]["Standings"]
    assert rows[1][3] == pytest.approx(10 / 7)
    assert csv_rows(got(f"/series/{made.slug}/table.csv"))[0]["points"] == "1.4286"
