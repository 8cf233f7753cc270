"""Sheets of paper: what they hold, who gets them, and the packet of a round."""

import io
import logging
import re
from collections import Counter
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from pypdf import PdfReader

from rules.brackets import BracketPart, MatchSource
from rules.stages.base import bracket_matches
from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.event_state import load_facts
from tournaments.core.names import listed_name
from tournaments.models import Event
from tournaments.paper.contents import tables
from tournaments.paper.contents.rounds import slips_by_sheet
from tournaments.paper.services import facts_before, write_round_pdf
from tournaments.paper.typesetting import typeset
from tournaments.paper.views import PUBLIC, STAFF
from tournaments.players.services.entries import make_links
from tournaments.prizes.services import set_prizes
from tournaments.rounds import services as rounds
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db
A4, LETTER = (595, 842), (612, 792)


def sheet(client, event, name, query=""):
    return client.get(f"/events/{event.slug}/print/{name}.pdf{query}")


def pages(answer):
    """Return the text of each page of an answer with a PDF."""
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    return [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]


def placed(page):
    """Return each text of a page with the point at which it begins, from the lower left corner."""
    found = []

    def visit(text, cm, tm, _font, _size):
        x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        if text.strip():
            found.append((text.strip(), float(x), float(y)))

    page.extract_text(visitor_text=visit)
    return found


def beyond(answer):
    """Return the words of a PDF that begin outside of their page."""
    found = []
    for page in PdfReader(io.BytesIO(answer.content)).pages:
        wide, high = page.mediabox.width, page.mediabox.height
        known = placed(page)
        assert len({round(y) for _text, _x, y in known}) > 3  # they are points of the page
        found += [text for text, x, y in known if not (0 < x < wide and 0 < y < high)]
    return found


@pytest.fixture
def organiser(by):
    return signed_in(by)


@pytest.fixture
def large(by):
    """Return a Swiss event of 128 players whose first round is out."""
    return make.playing(by, 128, formula="swiss-cut")


def lines(texts):
    return [line.strip() for text in texts for line in text.splitlines()]


def rows_of(event, name):
    """Return the lines that a sheet of the first round must have, each once."""
    found = []
    for match in event.rounds.get().matches.all():
        if name == "tables":
            found.append(f"{match.table} {match.players[0]} against {match.players[1]}")
        elif name == "pairings":
            found.append(f"{match.players[0]} {match.table} against {match.players[1]}")
            found.append(f"{match.players[1]} {match.table} against {match.players[0]}")
        else:
            found += [str(match.players[0]), f"{match.players[1]} Desk"]
    return found


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "sheets", "paper"),
    [
        ("pairings", 2, "a4"),
        ("pairings", 2, "letter"),
        ("tables", 2, "a4"),
        ("slips", 16, "a4"),
        pytest.param("tables", 2, "letter", marks=pytest.mark.deep),
        pytest.param("slips", 16, "letter", marks=pytest.mark.deep),
    ],
)
def test_a_round_of_128(organiser, large, name, paper, sheets):
    answer = sheet(organiser, large, name, f"?paper={paper}")
    texts = pages(answer)
    assert len(texts) == sheets
    counted = Counter(lines(texts))
    wanted = rows_of(large, name)
    assert len(wanted) == len(set(wanted)) == (64 if name == "tables" else 128)
    assert {row: counted[row] for row in wanted} == dict.fromkeys(wanted, 1)
    assert beyond(answer) == []
    size = PdfReader(io.BytesIO(answer.content)).pages[0].mediabox
    assert (round(size.width), round(size.height)) == (A4 if paper == "a4" else LETTER)


@pytest.mark.deep
def test_64_in_standings_on_two_sheets(organiser, by):
    event = make.playing(by, 64, formula="swiss-cut")
    make.play_round(event.rounds.get(), by)
    answer = sheet(organiser, event, "standings")
    texts = pages(answer)
    assert len(texts) == 2
    ranked = [re.match(r"=?\d+ (.+) [01]–[01]–0 ", line) for line in lines(texts)]
    names = [found[1] for found in ranked if found]
    assert sorted(names) == sorted(entry.name for entry in event.entries.all())
    words = " ".join(texts)
    assert [name for name in names if len(re.findall(rf"\b{name}\b(?! \d+ )", words)) > 1] == []
    assert "Points scored" in words  # the criterion alone, not whom it separates
    assert beyond(answer) == []


@pytest.mark.deep
def test_33_players_take_one_sheet_of_each_list(organiser, by):
    event = make.halfway(by, 33, formula="swiss-cut", decklists=Event.Decklists.OPTIONAL)
    for name in ("standings", "checks", "seats", "pairings", "tables"):
        for paper in ("a4", "letter"):
            answer = sheet(organiser, event, name, f"?paper={paper}")
            assert len(pages(answer)) == 1, (name, paper)
            assert beyond(answer) == []


@pytest.mark.deep
def test_standings_say_up_to_where_results_go(organiser, by):
    event = make.halfway(by, 8, rounds=1, formula="swiss-cut")
    second = make.next_round(event, by)
    (text,) = pages(sheet(organiser, event, "standings"))
    assert "after round 1" in text
    match = second.matches.first()
    make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    (text,) = pages(sheet(organiser, event, "standings"))
    assert "round 2 under way" in text
    assert "Opp: Opponents’ points" in text


@pytest.mark.deep
def test_five_small_groups_share_a_sheet(organiser, by):
    event = make.halfway(by, 33, formula="groups-knockout")
    for paper in ("a4", "letter"):
        answer = sheet(organiser, event, "standings", f"?paper={paper}")
        first = pages(answer)[0]
        assert [letter for letter in "ABCDE" if f"Group {letter}\n" not in first] == []
        assert beyond(answer) == []


@pytest.mark.deep
@pytest.mark.parametrize(
    ("players", "formula"), [(33, "single-elimination"), (16, "double-elimination")]
)
def test_matches_of_a_bracket_do_not_overlap(by, players, formula):
    event = make.halfway(by, players, formula=formula)
    facts = load_facts(event, for_staff=False)
    content = tables.bracket_sheet(facts, tables.bracket_stage(facts), timezone.now())
    for paper in ("a4", "letter"):
        (page,) = PdfReader(io.BytesIO(typeset("bracket", content, paper))).pages
        known = placed(page)
        boxes = [each for each in content["matches"] if each["at"] == 0]
        first = {side["name"] for box in boxes for side in box["sides"] if side["name"]}
        left = min(x for text, x, _y in known if text in first)
        at = sorted(y for text, x, y in known if text in first and x < left + 1)
        assert len(at) >= len(first) / 2
        assert min(b - a for a, b in pairwise(at)) > 5, paper


@pytest.mark.parametrize("players", [8, 11, 13, 21])
def test_lines_lead_from_each_match_to_the_one_of_its_winner(by, players):
    event = make.playing(by, players, formula="double-elimination")
    facts = load_facts(event, for_staff=False)
    stage = tables.bracket_stage(facts)
    matches = tables.bracket_sheet(facts, stage, timezone.now())["matches"]
    at = {(each["at"], each["middle"]): each["number"] for each in matches}
    drawn = {each["number"]: {at[feed] for feed in each["feeds"]} for each in matches}
    assert len(at) == len(matches) == len(drawn)
    for match in bracket_matches(stage.plan):
        before = {one.match for one in match.sources if isinstance(one, MatchSource) and one.winner}
        if match.number in drawn and match.part is not BracketPart.AGAIN:
            assert drawn[match.number] == before & drawn.keys()


@pytest.mark.deep
def test_the_match_for_third_place_stands_below_the_final(by):
    event = make.halfway(by, 8, rounds=1, formula="single-elimination")
    facts = load_facts(event, for_staff=False)
    content = tables.bracket_sheet(facts, tables.bracket_stage(facts), timezone.now())
    final, third = [each for each in content["matches"] if each["at"] == 2]
    assert third["top"] > final["top"]
    assert (len(final["feeds"]), third["feeds"]) == (2, ())


@pytest.mark.deep
def test_nothing_of_a_card_stands_on_the_next_one(by):
    event = make.open_event(by, name="Coppa d’Autunno di tutta la provincia")
    players = make.players(event, 12, by)
    links = {entry: f"https://girone.example/p/{entry.number:032}/" for entry in players}
    for language, paper in (("it", "a4"), ("it", "letter"), ("en", "letter")):
        with override(language):
            content = tables.links_sheet(event, links, timezone.now())
        names = [each["sorted"] for each in content["players"]]
        assert names == sorted(names)
        (page,) = PdfReader(io.BytesIO(typeset("links", content, paper))).pages
        card = float(page.mediabox.height) / 4
        near = [text for text, _x, y in placed(page) if not 6 < y % card < card - 12]
        assert near == []


def test_cut_piles_are_in_the_order_of_tables():
    slips = [{"table": table} for table in range(1, 15)]
    sheets = slips_by_sheet(slips)
    assert [one and one["table"] for one in sheets[0]] == [1, 5, 9, 13]
    piles = [sheet[place] for place in range(4) for sheet in sheets]
    assert [one["table"] for one in piles if one] == list(range(1, 15))
    assert slips_by_sheet([]) == []


@pytest.mark.deep
def test_the_head_tells_event_round_page_moment_and_fingerprint(organiser, large):
    large.refresh_from_db()
    first, second = pages(sheet(organiser, large, "pairings"))
    assert large.name in first
    assert "Round 1" in first
    assert ("1 / 2" in first, "2 / 2" in second) == (True, True)
    assert large.head[:16] in second
    assert re.search(r"Girone · \d+\.\d+\.\d{4} \d\d:\d\d", second)


@pytest.mark.deep
def test_everything_that_a_finished_event_prints(organiser, by):
    event = make.played(by, 5, formula="groups-knockout")
    rows = [{"from": 1, "to": 3, "prize": "Coppa", "value": "5"}]
    set_prizes(event=event, table={"by": "place", "rows": rows}, by=by)
    found = {name: sheet(organiser, event, name) for name in (*PUBLIC, *STAFF)}
    assert {name: answer.status_code for name, answer in found.items()} == dict.fromkeys(found, 200)
    assert all(beyond(answer) == [] for answer in found.values())
    assert len(pages(found["bracket"])) == 1
    winner = event.entries.get(number=1)
    assert winner.name in pages(found["standings"])[0]


@pytest.mark.deep
def test_who_gets_which(large, organiser):
    nobody = Client()
    for name in PUBLIC[:2]:
        assert sheet(nobody, large, name).status_code == 200
    assert sheet(nobody, large, "poster").status_code == 200
    assert [sheet(nobody, large, name).status_code for name in STAFF] == [403] * len(STAFF)
    keeper = Client()
    keeper.force_login(make.staff(large, "scorekeeper").user)
    assert sheet(keeper, large, "slips").status_code == 200
    assert sheet(keeper, large, "checks").status_code == 403


def test_what_there_is_not_is_404(organiser, by):
    event = make.open_event(by)
    for name in ("pairings", "tables", "slips", "standings", "bracket"):
        assert sheet(organiser, event, name).status_code == 404, name
    assert len(pages(sheet(organiser, event, "blank"))) == 1
    assert sheet(organiser, event, "orders").status_code == 404
    assert sheet(Client(), make.event(by), "poster").status_code == 404  # a draft


@pytest.mark.parametrize("query", ["?round=2", "?round=x", "?round=²", "?paper=a3"])
def test_rubbish_is_404(organiser, large, query):
    assert sheet(organiser, large, "pairings", query).status_code == 404


def test_a_draft_is_not_printed(organiser, by):
    event = make.started(by, 8, formula="swiss-cut")
    draft = rounds.draft_round(event=event, expected_round=1, by=by)
    assert draft.state == "draft"
    assert sheet(organiser, event, "pairings").status_code == 404


def test_names_are_never_commands(organiser, by):
    event = make.open_event(by)
    hostile = ["#panic() *x* _y_", "$ 1/0 $ @ref", "<b>`raw`\\", "Đorđe Őry àèì"]
    make.players_more(event, hostile, by)
    texts = pages(sheet(organiser, event, "seats"))
    found = {line.rpartition(" ")[0] for line in lines(texts)}
    wanted = [str(listed_name(entry)) for entry in event.entries.all()]
    assert "_y_ #panic() *x*" in wanted
    assert [name for name in wanted if name not in found] == []


def test_the_page_of_sheets_names_what_there_is(organiser, large, by):
    address = f"/events/{large.slug}/print/"
    staff, nobody = organiser.get(address), Client().get(address)
    assert (staff.status_code, nobody.status_code) == (200, 200)
    for name in ("slips", "seats", "blank"):
        assert f"/print/{name}.pdf" in staff.content.decode()
        assert f"/print/{name}.pdf" not in nobody.content.decode()
    assert "/print/pairings.pdf" in nobody.content.decode()
    desk = f'"/events/{large.slug}/desk/"'
    assert [desk in page.content.decode() for page in (staff, nobody)] == [True, False]
    assert [page.content.decode().count("<h1") for page in (staff, nobody)] == [1, 1]
    fresh = make.open_event(by)
    text = organiser.get(f"/events/{fresh.slug}/print/").content.decode()
    assert "/print/pairings.pdf" not in text
    assert "/print/poster.pdf" in text


@pytest.fixture
def printing(by, settings, tmp_path):
    """Return an event before its first round that writes its rounds to a folder."""
    settings.PAPER_FOLDER, settings.SITE_ADDRESS = str(tmp_path), "https://girone.example"
    event = make.started(by, 8, formula="swiss-cut")
    Event.objects.filter(pk=event.pk).update(prints_rounds=True)
    event.refresh_from_db()
    return event


@pytest.mark.deep
def test_the_packet_holds_every_sheet_of_the_round(organiser, by):
    event = make.playing(by, 64, formula="swiss-cut")
    make.play_round(event.rounds.get(), by)
    make.next_round(event, by)
    for size in ("a4", "letter"):
        answer = sheet(organiser, event, "round", f"?paper={size}")
        texts = pages(answer)
        titles = [next(t for t in text.splitlines() if t.strip()) for text in texts]
        assert len(texts) == 1 + 1 + 2 + 8 + 2  # by name, by table, standings, slips, by hand
        assert titles[:2] == ["Round 2 · Pairings by name", "Round 2 · Pairings by table"]
        assert beyond(answer) == []
    assert sheet(Client(), event, "round").status_code == 403
    assert sheet(organiser, make.open_event(by), "round").status_code == 404


def test_the_standings_are_those_before_the_round(by):
    event = make.halfway(by, 8, rounds=2, formula="swiss-cut")
    facts = load_facts(event, for_staff=False)
    assert facts_before(facts, 1) is None
    before = facts_before(facts, 2)
    played = {row.won + row.drawn + row.lost for row in stage_standings(before)[0].tables[0].rows}
    assert played == {1}
    now = {row.won + row.drawn + row.lost for row in stage_standings(facts)[0].tables[0].rows}
    assert now == {2}


def test_a_published_round_is_written_when_it_is_stored(
    printing, by, tmp_path, django_capture_on_commit_callbacks
):
    make_links(event=printing, by=by)
    file = tmp_path / printing.slug / "round-1.pdf"
    with django_capture_on_commit_callbacks() as later:
        make.next_round(printing, by)
    assert not file.exists()  # not before it is stored
    for write in later:
        write()
    texts = [page.extract_text() for page in PdfReader(io.BytesIO(file.read_bytes())).pages]
    assert sum("girone.example/e/" in text for text in texts) == 1  # the slips
    assert not any("/p/" in text for text in texts)  # no personal link
    assert [each.name for each in file.parent.iterdir()] == ["round-1.pdf"]


def test_nothing_is_written_unless_it_was_switched_on(
    by, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.PAPER_FOLDER = str(tmp_path)
    event = make.started(by, 4)
    with django_capture_on_commit_callbacks(execute=True):
        make.next_round(event, by)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.deep
def test_a_failure_blocks_nothing_and_is_told(
    printing, by, organiser, settings, tmp_path, caplog, django_capture_on_commit_callbacks
):
    (tmp_path / "full").write_text("no folder")
    settings.PAPER_FOLDER = str(tmp_path / "full")
    with caplog.at_level(logging.ERROR), django_capture_on_commit_callbacks(execute=True):
        make.next_round(printing, by)
    assert printing.rounds.get().published_at is not None
    line = printing.log.get(action="paper.failed")
    assert (line.subject, line.reason) == ("1", "Not a directory")
    assert "The sheets of round 1" in caplog.text
    text = organiser.get(f"/events/{printing.slug}/desk/").content.decode()
    assert "The sheets of round 1 were not saved to the folder" in text


def test_a_round_that_was_taken_back_meanwhile_is_not_written(printing, by, tmp_path):
    write_round_pdf(printing.pk, 1, language="en", by=by)
    assert list(tmp_path.iterdir()) == []
    assert not printing.log.filter(action="paper.failed").exists()


@pytest.mark.deep
def test_the_organiser_switches_it_on_where_the_site_has_a_folder(
    by, organiser, settings, tmp_path
):
    event = make.started(by, 4)
    address = f"/events/{event.slug}/print/folder/"
    settings.PAPER_FOLDER = ""
    assert (
        "Save each round’s printouts"
        not in organiser.get(f"/events/{event.slug}/print/").content.decode()
    )
    settings.PAPER_FOLDER = str(tmp_path)
    assert (
        "Save each round’s printouts"
        in organiser.get(f"/events/{event.slug}/print/").content.decode()
    )
    assert organiser.post(address, {"on": "1"}).status_code == 302
    event.refresh_from_db()
    assert event.prints_rounds
    organiser.post(address, {"on": "0"})
    event.refresh_from_db()
    assert not event.prints_rounds
    assert Client().post(address, {"on": "1"}).status_code == 403
