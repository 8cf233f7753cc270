"""The workbook of the standings, read back and compared with what the API tells."""

from io import BytesIO
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from openpyxl import load_workbook

from rules.wording import Sentence
from tests import factories as make
from tests.told.handed_out import HEADS, rows_of_result
from tournaments.core.event_state import load_facts
from tournaments.core.labels import format_record
from tournaments.core.permissions import Actor
from tournaments.exports.handout.contents import exit_labels
from tournaments.exports.handout.file import joined_sheet_title, stages_by_sheet, standings_workbook
from tournaments.exports.handout.grid import Grid
from tournaments.exports.handout.result_sheet import podium_columns
from tournaments.exports.loading import two_name_columns
from tournaments.models import Event, Stage
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.rounds import services as rounds
from tournaments.standings.selectors.ranking import ranking_page, records_by_player

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def book(event, *, staff=False, language="en"):
    event = Event.objects.get(pk=event.pk)
    with translation.override(language):
        return load_workbook(BytesIO(standings_workbook(event, staff=staff)))


def texts(found):
    return {cell.value for sheet in found for row in sheet.iter_rows() for cell in row}


@pytest.mark.deep
def test_it_begins_with_one_page_and_has_a_sheet_a_stage(by):
    found = book(make.played(by, 12))
    names = ["Result", "Groups", "Second groups", "Repechage", "Last three", "Matches"]
    assert found.sheetnames == names
    for sheet in found:
        assert (sheet.print_area, sheet.print_title_rows, sheet.freeze_panes) != ("", None, None)
        assert sheet.auto_filter.ref
        assert sheet.page_setup.paperSize == 9
    page = found["Result"]
    assert page.page_setup.orientation == "portrait"
    assert page.sheet_properties.pageSetUpPr.fitToPage
    assert (page.page_setup.fitToWidth or 1, page.page_setup.fitToHeight or 1) == (1, 1)
    assert page.auto_filter.ref.startswith(f"A{HEADS}:")
    assert page.print_title_rows == f"${HEADS}:${HEADS}"
    assert {"Trofeo di prova", "Group A", "Last three · Final", "goes to"} <= texts([page])


@pytest.mark.deep
def test_who_wins_and_where_the_others_went_out(by):
    event = make.played(by, 12)
    told = list(rows_of_result(book(event)["Result"]))
    names = [
        load_facts(event).entries[one].name for level in load_facts(event).ranking for one in level
    ]
    assert [row["Player"] for row in told] == names
    assert [row["Out"] for row in told[:3]] == [
        *("Final · 1st · 2–0", "Final · 2nd · 0–2", "last three, 3rd"),
    ]
    assert told[-1]["Out"].startswith("group ")
    assert all(isinstance(row["Pts"], int) for row in told)


@pytest.mark.deep
def test_records_count_the_whole_event_and_the_podium_has_both_thirds(by, in_english):
    event = make.played(
        by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4, "third_place": False}
    )
    sheet = book(event)["Result"]
    facts = load_facts(event)
    made = {facts.entries[player].name: one for player, one in records_by_player(facts).items()}
    told = {row["Player"]: row["W–L–D"] for row in rows_of_result(sheet)}
    assert told == {name: format_record(one) for name, one in made.items()}
    assert max(one.won + one.drawn + one.lost for one in made.values()) == 5
    said = texts([sheet])
    assert any("W–L–D (wins – losses – draws): whole event." in str(words) for words in said)
    podium = [row.entry.name for row in ranking_page(facts).podium]
    assert len(podium) == 4
    assert {*podium} <= {cell.value for row in sheet.iter_rows(max_row=5) for cell in row}


@pytest.mark.deep
def test_the_bracket_is_drawn_of_cells_that_lead_on(by):
    event = make.played(by, 9, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    page = book(event)["Result"]
    said = texts([page])
    assert {"Semi-finals", "Final", "Third place"} <= said
    told = list(rows_of_result(page))
    assert f"1  {next(row['Player'] for row in told if row['Swiss'] == 1)}" in said
    assert told[3]["Out"] == "4th · 0–2"
    assert told[-1]["Out"] == "Swiss rounds"
    below = [cell for row in page.iter_rows(min_row=HEADS + 11) for cell in row]
    assert any(cell.border.right.style and cell.value is None for cell in below)


@pytest.mark.deep
def test_who_leaves_is_said_to_leave(by):
    event = make.halfway(by, 9, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    entry = event.entries.get(number=1)
    withdraw(entry=entry, by=by)
    make.play_event(event, by)
    told = {row["Player"]: row["Out"] for row in rows_of_result(book(event)["Result"])}
    assert told[entry.name] == "Dropped · Round 1"


def test_who_leaves_in_the_middle_of_a_match_does_not_leave_before_playing(by, in_english):
    event = make.playing(by, 9, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    match = event.rounds.get().matches.filter(match_seats__number=2).first()
    for entry in (
        match.players[0],
        match.players[1],
    ):  # the second has won by the first's concession
        withdraw(entry=entry, by=Actor(entry=entry))
    out = exit_labels(load_facts(event))
    assert (out[match.players[0].number], out[match.players[1].number]) == (
        "Dropped · Round 1",
        "Dropped · Round 1",
    )


@pytest.mark.deep
def test_no_draft_is_handed_out_and_decks_only_once_they_are_published(by):
    event = make.halfway(by, 12, decklists="required")
    rounds.draft_round(event=event, expected_round=2, by=by)
    staff = book(event, staff=True)
    assert staff["Matches"].max_row == book(event)["Matches"].max_row == 7
    assert "Decklists" not in staff.sheetnames
    Event.objects.filter(pk=event.pk).update(lists_published_at=timezone.now())
    found = book(event)
    assert found.sheetnames[-1] == "Decklists"
    assert len(found.sheetnames) <= 8


@pytest.mark.deep
@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", "Preliminary,Groups,Second groups,Repechage,Last three,Matches,Decklists"),
        ("it", "Preliminare,Gironi,Secondi gironi,Ripescaggio,Ultimi tre,Incontri,Liste del mazzo"),
    ],
)
def test_the_largest_formula_has_eight_sheets_with_whole_names(by, language, names):
    event = make.played(by, 13, decklists="required")
    Event.objects.filter(pk=event.pk).update(lists_published_at=timezone.now())
    assert book(event, language=language).sheetnames[1:] == names.split(",")


@pytest.mark.parametrize("kinds", ["tttttttt", "bbbbbbbb", "tbtbtbtb", "bttttttt", "tbb", ""])
def test_stages_share_sheets_where_there_are_too_many(kinds):
    stages = [
        SimpleNamespace(
            stage=SimpleNamespace(state=Stage.State.OPEN),
            kind=SimpleNamespace(has_table=kind == "t", has_bracket=kind == "b"),
            plan=SimpleNamespace(size=8, label=Sentence(f"Stage {at}")),
        )
        for at, kind in enumerate(kinds)
    ]
    sheets = stages_by_sheet(SimpleNamespace(stages=stages))
    assert len(sheets) == min(len(kinds), 5)
    assert sorted(one.plan.label.template for sheet in sheets for one in sheet) == [
        one.plan.label.template for one in stages
    ]
    assert all(len({one.kind.has_table for one in sheet}) == 1 for sheet in sheets)
    assert all(len(joined_sheet_title(sheet)) <= 31 for sheet in sheets)


@pytest.mark.deep
def test_a_group_too_large_for_a_cross_table_says_where_it_is(by):
    large = book(make.playing(by, 17, formula="single-group"))["Group"]
    said = "Cross tables with more than 16 players are in the archive."
    assert large.cell(20, 1).value == said
    assert large.print_area.endswith("$20")
    assert said not in texts(book(make.playing(by, 5, formula="single-group")))


def test_more_than_two_at_a_table_are_named_by_their_seats():
    assert two_name_columns([]) == ("", "")
    assert two_name_columns(["Ada"]) == ("Ada", "")
    assert two_name_columns(["Ada", "Bea"]) == ("Ada", "Bea")
    assert two_name_columns(["Ada", "Bea", "Carlo"]) == ("Ada", "Bea, Carlo")


@pytest.mark.deep
def test_held_standings_are_in_the_file_of_the_staff_alone(by):
    event = make.halfway(by, 5, formula="single-group", standings_held="last", rounds=4)
    make.play_round(make.next_round(event, by), by)
    shown, held = (list(rows_of_result(book(event, staff=one)["Result"])) for one in (False, True))
    assert sum(row["Pts"] for row in shown) < sum(row["Pts"] for row in held)


@pytest.mark.parametrize("name", ["=1+1", "<r><t>a</t></r>", "x" * 80])
def test_any_name_is_a_text(by, name):
    event = make.playing(by, 4, formula="single-group")
    event.entries.filter(number=1).update(name=name)
    cells = [cell for row in book(event)["Result"].iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value == name} == {"s"}


def test_an_event_that_has_not_started_has_its_players(by):
    event = make.open_event(by)
    make.players(event, 3, by)
    found = book(event, language="it")
    assert found.sheetnames == ["Risultato"]
    assert {"Pos.", "Giocatore", "Ada", "Bea", "Carlo"} <= texts(found)


def test_from_the_finished_event_the_file_is_one_click_away(by, client):
    event = make.played(by, 12)
    address = reverse("tournaments:workbook", args=[event.slug])
    for name in ("event", "standings"):
        page = client.get(reverse(f"tournaments:{name}", args=[event.slug]), headers=ENGLISH)
        assert f'href="{address}"' in page.content.decode()
    client.force_login(by.user)
    page = client.get(reverse("tournaments:desk", args=[event.slug]), headers=ENGLISH)
    assert f'href="{address}"' in page.content.decode()
    sent = client.get(address, headers=ENGLISH)
    assert sent["Content-Disposition"] == f'attachment; filename="{event.slug}-2026-12-05.xlsx"'
    assert load_workbook(BytesIO(sent.content)).sheetnames[0] == "Result"


@pytest.mark.deep
def test_who_waits_for_a_later_stage_is_not_out(by, in_english):
    event = make.started(by, 12)
    for _stage in (1, 2):
        make.play_stage(event, by)
        make.close_stage(event, by)
    facts = load_facts(event)
    out = {player for player, words in exit_labels(facts).items() if words}
    assert out == {player for level in facts.ranking for player in level}
    assert len(out) == 7  # four play on, and the best first waits for them


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("single-group", "Disqualified · Round 1"),
        ("single-elimination", "Semi-finals · Disqualified"),
    ],
)
def test_a_disqualification_is_said_with_its_round(by, in_english, formula, said):
    event = make.playing(by, 4, formula=formula)
    gone = event.rounds.get().matches.first().players[0]
    disqualify(entry=gone, reason="prova", by=by)
    assert exit_labels(load_facts(event))[gone.number] == said


def test_who_leaves_with_a_bye_is_said_to_have_left(by, in_english):
    event = make.playing(by, 3, formula="single-elimination")
    gone = event.rounds.get().matches.exclude(match_seats__number=2).get().players[0]
    withdraw(entry=gone, reason="prova", by=by)
    assert exit_labels(load_facts(event))[gone.number]


@pytest.mark.deep
def test_a_loose_place_reads_as_on_the_page_of_the_ranking(by):
    event = make.halfway(by, 33)
    make.next_round(event, by)
    ranks = [row["Rank"] for row in rows_of_result(book(event)["Result"])]
    assert ranks == [None] * 24 + ["25–33"] * 9


def test_a_rank_on_the_podium_has_room():
    grid = Grid([39, 135, 107, 53, 36, 51, 47, 52, 175], [1, 2, 8])
    at = [grid.edges[edge] for edge in podium_columns(grid, 700)]
    assert min(at[edge + 1] - at[edge] for edge in (0, 2, 4)) > 30
