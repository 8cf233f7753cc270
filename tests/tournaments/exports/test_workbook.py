"""The workbook, read back and compared with what the pages show: what it holds, and for whom."""

from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from time import process_time
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from defusedxml.ElementTree import fromstring
from django.core.management import CommandError, call_command
from django.db.models import Q
from django.urls import reverse
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter as column_letter

from decks.decklists.samples import sample_deck
from rules.criteria import CRITERIA
from rules.matches.match_rules import Claim
from rules.ties.explanations import explain_rank
from tests import factories as make
from tests.tournaments.exports.books import book, rows
from tournaments.core.event_state import load_facts
from tournaments.core.visibility import EVERY_LIST, VisibleDecklists
from tournaments.decklists import services as decklists
from tournaments.exports.sheets import Column, SheetTable, build_workbook, sheet_title
from tournaments.exports.workbook import event_workbook
from tournaments.lots import services as draws
from tournaments.models import Event, Match, StaffRole
from tournaments.players.services import entries
from tournaments.rounds import services as rounds
from tournaments.standings.selectors.proofs import format_value

pytestmark = pytest.mark.django_db


def test_every_sheet_is_there_with_a_frozen_filtered_repeated_header(played):
    found = book(played[0])
    titles = found.sheetnames
    assert titles == [
        "Event",
        "Players",
        *[f"Standings Groups {group}" for group in "ABC"],
        "Standings Groups rank 3",
        *[f"Cross table Groups {group}" for group in "ABC"],
        "Results",
        "Tiebreakers",
        "Random draws",
        "Final standings",
        "Decklists",
        "Schema",
    ]
    beside = {sheet.title: sheet.freeze_panes for sheet in found}
    assert (beside["Event"], beside["Players"]) == ("A2", "C2")
    assert beside["Standings Groups A"] == "D2"
    for sheet in found:
        assert sheet.freeze_panes.endswith("2")
        assert sheet.auto_filter.ref.startswith("A1:")
        assert sheet.print_title_rows == "$1:$1"
    assert found["Results"].page_setup.orientation == "landscape"
    assert found["Players"].page_setup.orientation == "portrait"


def test_standings_are_those_of_the_selectors_as_numbers(played):
    event, _by = played
    facts = load_facts(event)
    sheet = book(event)["Standings Groups A"]
    expected = facts.stages[0].outcome.standings["A"].rows
    for shown, row in zip(rows(sheet), expected, strict=True):
        assert shown[:7] == (
            *(row.rank, row.player, facts.entries[row.player].name),
            *(row.played, row.won, row.drawn, row.lost),
        )
        assert [Fraction(value) for value in shown[7:-2]] == list(row.values.values())
        names = {number: entry.name for number, entry in facts.entries.items()}
        assert shown[-1] == (str(explain_rank(row, names)) if row.proof else None)
    assert all(sheet.cell(row=2, column=column).data_type == "n" for column in (1, 2, 4, 8))


@pytest.mark.deep
@pytest.mark.parametrize("formula", ["mutant-chronicles", "swiss-cut", "single-group"])
def test_points_by_round_end_with_those_of_the_standings(formula, by):
    event = make.started(by, 12, formula=formula)
    make.play_stage(event, by)
    stage = load_facts(event).stages[0]
    found = book(event)
    sheet = next(found[title] for title in found.sheetnames if title.startswith("Points "))
    lines = {row[2]: row[4:] for row in rows(sheet)}
    assert len(next(iter(lines.values()))) == len(stage.state.rounds)
    for standings in stage.outcome.standings.values():
        for row in standings.rows:
            assert lines[row.player][-1] == row.values["points"]
            assert list(lines[row.player]) == sorted(lines[row.player])
    assert [len(chart.series) for chart in sheet._charts] == [
        min(8, len(standings.rows)) for standings in stage.outcome.standings.values()
    ]


def test_rounds_without_a_result_have_no_points(played):
    event, by = played
    rounds.draft_round(event=event, expected_round=2, by=by)
    assert not [title for title in book(event).sheetnames if title.startswith("Points")]


@pytest.mark.deep
def test_shares_are_numbers_shown_in_per_cent(by):
    event = make.started(
        by, 3, format="creatures-of-exo", formula="single-group", criteria=["points", "game_win"]
    )
    make.play_event(event, by, lambda match, index: Claim(games=("a", "b", "a")))
    found = book(event)
    assert found.sheetnames[:3] == ["Final standings", "Event", "Players"]
    sheet = found.worksheets[3]
    cell = sheet["I2"]
    assert isinstance(cell.value, float)
    assert cell.number_format == "0.00%"


@pytest.mark.deep
def test_results_hold_tables_scores_and_who_told(played):
    event, by = played
    sheet = book(event)["Results"]
    header = [cell.value for cell in sheet[1]]
    first = dict(zip(header, rows(sheet)[0], strict=True))
    match = event.stages.get(number=1).groups.get(name="A").matches.order_by("round", "number")[0]
    assert (first["Table"], first["Score 1"], first["Score 2"]) == (1, 40, 10)
    assert first["Player 1"] == match.players[0].name == first["Winner"]
    assert first["Confirmed by"] == str(by.user)
    assert first["Entered at"] == match.decision.at.astimezone(event.zone).replace(
        tzinfo=None, microsecond=0
    )
    public = book(event, staff=False)["Results"]
    assert str(by.user) not in {cell for row in rows(public) for cell in row}


@pytest.mark.deep
def test_results_stand_by_round_and_table(by):
    event = make.playing(by, 9, formula="swiss-cut", format="creatures-of-exo")
    for match in event.rounds.get().matches.filter(table__gt=0):
        match.table = 30 - match.table
        match.save(update_fields=["table"])
    sheet = book(event)["Results"]
    table = [cell.value for cell in sheet[1]].index("Table")
    assert [row[table] for row in rows(sheet)] == [26, 27, 28, 29, None]
    drawn = event.rounds.get().matches.get(table=27)
    make.results.decide_result(match=drawn, version=0, claim=Claim(score=(1, 1)), by=by)
    ended = [cell.value for cell in book(event)["Results"][1]].index("How it ended")
    assert rows(book(event)["Results"])[1][ended] is None  # level: nobody said that time was up


def test_times_are_dates_in_the_events_own_zone():
    event = make.event(make.organiser(), time_zone="America/St_Johns")
    cells = dict(rows(book(event)["Event"]))
    assert cells["Date and time"] == datetime(2026, 12, 5, 5, 30)  # noqa: DTZ001 - as the cell has it


@pytest.mark.parametrize(
    "name",
    [
        *("=1+1", "+39 02", "-Luca", "@x", "＝1", "#N/A", "=HYPERLINK(1)", "José “l'Ombra”", "007"),
        *("<r><t>a</t></r>", "<r>&</r>", "<b>a</b> & c", "http://example.org"),
    ],
)
def test_a_hostile_name_is_a_text_as_it_was_typed(name, by):
    event = make.open_event(by)
    entries.add_entry(event=event, name=name, by=by)
    cell = book(event)["Players"]["B2"]
    assert (cell.value, cell.data_type) == (name, "s")
    assert cell.quotePrefix == (name[0] in "=+-@")


def test_signs_that_xml_cannot_hold_are_shown_as_pictures():
    event = make.event(make.organiser(), name="Coppa & C. [finale]")
    Event.objects.filter(pk=event.pk).update(venue="a\x07b\tc")  # stored before it was refused
    event.refresh_from_db()
    cells = dict(rows(book(event)["Event"]))
    assert cells["Venue"] == "a␇b␉c"


@pytest.mark.deep
def test_lots_and_tie_breaks_are_told_and_secret_seeds_are_not(by):
    event = make.started(by, 4, formula="single-group", options={"final": 3})
    # Everybody beats everybody once around: three level players.
    scores = {(1, 2): (40, 0), (2, 3): (40, 0), (3, 1): (40, 0)}

    def claim(match, index):
        pair = (match.players[0].number, match.players[1].number)
        if pair in scores:
            return Claim(score=scores[pair])
        if pair[::-1] in scores:
            return Claim(score=scores[pair[::-1]][::-1])
        return Claim(score=(40, 0) if pair[1] == 4 else (0, 40))

    make.play_stage(event, by, claim)
    level = load_facts(event).open_stage.outcome.lots_needed[0]
    draws.draw_tied_order(event=event, tied=level, seed="lots", by=by)
    found = book(event)
    values = [row for row in rows(found["Tiebreakers"]) if row[3] == "Random draw"]
    assert {row[5] for row in values} == set(level)
    drawn = rows(found["Random draws"])
    assert [row[4] for row in drawn] == ["seed", "lots"]
    secret = event.draws.get(state="announced").seed
    assert secret not in {cell for sheet in found for row in rows(sheet) for cell in row}


@pytest.mark.deep
def test_the_final_ranking_is_that_of_the_page(by):
    event = make.played(by, 12)
    found = rows(book(event)["Final standings"])
    facts = load_facts(event)
    expected = [number for level in facts.ranking for number in level]
    assert [row[1] for row in found] == expected
    winner = next(row for row in found if row[0] == 1)
    entry = event.entries.get(number=winner[1])
    won = Match.objects.filter(round__event=event, decision__isnull=False).filter(
        Q(match_seats__number=1, decision__winner="a")
        | Q(match_seats__number=2, decision__winner="b"),
        match_seats__entry=entry,
    )
    assert (winner[4], winner[5]) == (entry.club or None, won.count())
    assert sum(row[5] for row in found) >= sum(row[7] for row in found) > 0


def test_programs_find_their_keys_in_a_hidden_sheet(played):
    found = book(played[0])
    assert [sheet.title for sheet in found if sheet.sheet_state == "hidden"] == ["Schema"]
    assert ("Players", "players", "Number", "number") in rows(found["Schema"])


def test_long_texts_wrap_and_what_is_for_the_archive_is_not_printed(played):
    found = book(played[0])
    why = found["Standings Groups A"]
    assert all(cell.alignment.wrap_text for cell in why[2] if isinstance(cell.value, str))
    results = found["Results"]
    header = [cell.value for cell in results[1]]
    assert f"${column_letter(header.index('State') + 1)}$" in results.print_area
    assert header.index("State") + 1 == len(header) - 3
    assert max(each.width for each in results.column_dimensions.values()) <= 48


def test_decklists_have_one_card_a_line(by):
    event = make.open_event(by, decklists="required", format="creatures-of-exo")
    entry = make.players(event, 2, by)[0]
    decklists.submit_decklist(entry=entry, text=sample_deck(event.format, 3), by=by)
    found = book(event)
    cards = rows(found["Decklists"])
    entry.refresh_from_db()
    assert sum(row[3] for row in cards) == sum(entry.submission.decklist.counts.values())
    assert [row[-1] for row in rows(found["Players"])] == ["legal", "missing"]


@pytest.mark.deep
@pytest.mark.parametrize("how_many", [12, 40])
def test_the_number_of_queries_does_not_grow(how_many, django_assert_num_queries, by):
    event = make.started(by, how_many, formula="groups-knockout", format="creatures-of-exo")
    make.play_round(make.next_round(event, by), by)
    event = Event.objects.get(pk=event.pk)
    with django_assert_num_queries(10):
        event_workbook(event, staff=True, sight=EVERY_LIST)


@pytest.mark.deep
def test_a_thousand_players_fit(by):
    event = make.started(by, 1000)
    make.next_round(event, by)
    began = process_time()
    found = book(event, sight=VisibleDecklists())
    assert len(rows(found["Players"])) == 1000
    assert len(rows(found["Results"])) == event.rounds.get().matches.count()
    # Far from a second each; a slip to the square of players shows.
    assert process_time() - began < 20


@pytest.mark.deep
def test_a_long_stage_name_leaves_the_group_readable(by):
    titles = book(make.played(by, 12), language="it").sheetnames
    ends = {title.rsplit(" ", 1)[-1] for title in titles if "Secondi" in title}
    assert ends >= {"I", "II", "1", "3"}
    assert not [title for title in titles if title.endswith(")")]


@pytest.mark.deep
def test_drafts_and_decklists_are_only_for_those_who_may_see_them(played, client):
    event, by = played
    rounds.draft_round(event=event, expected_round=2, by=by)
    assert len(rows(book(event, staff=True)["Results"])) == 12
    assert len(rows(book(event, staff=False)["Results"])) == 6
    address = reverse("tournaments:workbook", args=[event.slug]) + "?whole=1"
    anonymous = load_workbook(BytesIO(client.get(address).content))
    client.force_login(by.user)
    response = client.get(address, headers={"Accept-Language": "en"})
    assert len(anonymous.sheetnames) == len(load_workbook(BytesIO(response.content)).sheetnames) - 1
    assert response["Content-Disposition"] == (
        f'attachment; filename="{event.slug}-2026-12-05-archive.xlsx"'
    )
    assert response["Cache-Control"] == "no-store"


def test_a_draft_event_has_no_workbook_for_others(client):
    event = make.event(make.organiser())
    address = reverse("tournaments:workbook", args=[event.slug]) + "?whole=1"
    assert client.get(address).status_code == 404


def test_a_scorekeeper_gets_no_decklists(played, client):
    event, _by = played
    client.force_login(make.staff(event, StaffRole.Role.SCOREKEEPER).user)
    response = client.get(
        reverse("tournaments:workbook", args=[event.slug]) + "?whole=1",
        headers={"Accept-Language": "en"},
    )
    assert "Decklists" not in load_workbook(BytesIO(response.content)).sheetnames


@pytest.mark.parametrize(
    ("language", "shown"), [("it", "dd/mm/yyyy hh:mm"), ("en", "d mmm yyyy hh:mm")]
)
def test_dates_are_written_as_the_reader_writes_them(language, shown):
    sheet = book(make.event(make.organiser()), language=language).worksheets[0]
    starts = next(row[1] for row in sheet.iter_rows() if isinstance(row[1].value, datetime))
    assert starts.number_format == shown


def test_it_speaks_the_readers_language(played):
    titles = book(played[0], language="it").sheetnames
    assert "Torneo" in titles
    assert "Event" not in titles


def test_it_writes_the_file(tmp_path, capsys):
    event = make.started(make.organiser(), 5)
    file = tmp_path / "event.xlsx"
    call_command("export", event.slug, str(file))
    assert load_workbook(file).sheetnames
    assert str(file) in capsys.readouterr().out


@pytest.mark.parametrize("slug", ["no-such-event", None])
def test_it_leaves_with_2_where_it_cannot(tmp_path, slug):
    event = make.event(make.organiser())
    target = tmp_path / "event.xlsx" if slug else tmp_path / "nowhere" / "event.xlsx"
    with pytest.raises(CommandError) as caught:
        call_command("export", slug or event.slug, str(target))
    assert caught.value.returncode == 2
    assert not target.exists()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "name",
    [
        "Dungeons&Goblins",
        "&[Picture] & &A",
        "R&&G",
        "A" + "&" * 119,
        "&G" * 59,
        "A" + "\U0001f98a" * 118,
    ],
)
def test_any_name_is_printed_on_every_page(name):
    event = make.event(make.organiser(), name=name)
    with ZipFile(BytesIO(event_workbook(event, staff=True, sight=EVERY_LIST))) as parts:
        sheet = fromstring(parts.read("xl/worksheets/sheet1.xml"))
    header = sheet.findtext(".//{*}oddHeader")
    left = header.removeprefix("&L").removesuffix("&R&A").replace('&"-,Regular"', "")
    shown = left.replace("&&", "&")
    assert shown == name if name != "&G" * 59 else name.startswith(shown) and len(shown) >= 30
    assert len(header.encode("utf-16-le")) / 2 <= 255


def test_titles_are_short_legal_and_unique():
    taken = set()
    assert sheet_title("Standings [A]: 1/2*?", taken) == "Standings A 1 2"
    assert sheet_title("STANDINGS A 1 2", taken) == "STANDINGS A 1 2 (2)"
    long = [sheet_title("x" * 40, taken) for _ in range(12)]
    assert len(set(long)) == 12
    assert max(map(len, long)) == 31


@pytest.mark.parametrize(
    ("text", "kept"), [("x" * 40_000, 32_767), ("\U0001f98a" * 20_000, 16_383)]
)
def test_a_text_is_cut_to_what_a_cell_holds(text, kept):
    table = SheetTable(
        key="", title="A", columns=(Column(key="k", label="K"),), rows=[(text,), (text[:9],)]
    )
    made = build_workbook([table], heading="", footing="", zone=ZoneInfo("UTC"))
    cells = [
        row[0] for row in load_workbook(BytesIO(made))["A"].iter_rows(min_row=2, values_only=True)
    ]
    assert cells == [text[:kept], text[:9]]


@pytest.mark.parametrize(
    "wish", ["\U0001f98a" * 31, "x" * 30 + "'s group", "'", " ' '", "a" * 27 + "'" * 5]
)
def test_every_title_is_one_that_a_workbook_takes(wish):
    taken: set[str] = set()
    columns = (Column(key="k", label="K"),)
    tables = [SheetTable(key="", title=sheet_title(wish, taken), columns=columns) for _ in range(3)]
    made = build_workbook(tables, heading="", footing="", zone=ZoneInfo("UTC"))
    assert load_workbook(BytesIO(made)).sheetnames == [table.title for table in tables]
    assert max(len(table.title.encode("utf-16-le")) // 2 for table in tables) <= 31


@pytest.mark.deep
def test_any_criterion_can_say_that_its_values_are_percentages(monkeypatch, in_english, by):
    event = make.halfway(by, 12)
    (key, *_others) = event.criteria
    monkeypatch.setitem(CRITERIA._items, key, replace(CRITERIA.get(key), percentage=True))
    found = load_workbook(BytesIO(event_workbook(event, staff=True, sight=EVERY_LIST)))
    standings = next(sheet for sheet in found.worksheets if "Standings" in sheet.title)
    assert standings["H2"].number_format == "0.00%"
    assert format_value(Fraction(1, 2), key) == "50.0\u00a0%"
    assert format_value(Fraction(2, 3), key) == "66.7\u00a0%", "rounded, as in the workbook"
