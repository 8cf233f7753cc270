"""The workbook of the standings as it is printed: by LibreOffice, and by the widths of letters."""

import random
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from django.utils import translation
from openpyxl import load_workbook
from PIL import ImageFont
from pypdf import PdfReader
from xlsxwriter import Workbook

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_defaults
from tournaments.exports.handout.file import standings_workbook
from tournaments.exports.handout.grid import OPTIONS
from tournaments.exports.handout.result_sheet import draw_result_sheet
from tournaments.stages import services as stages

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
OFFICE = shutil.which("soffice")
SWISS = {"formula": "swiss-cut", "options": {"rounds": 5, "cut": 8}}
EVENTS = [
    (12, {}),
    (12, {"formula": "swiss-cut", "options": {"rounds": 4, "cut": 4}}),
    (12, {"formula": "groups-knockout"}),
    (12, {"formula": "single-group"}),
    (12, {"formula": "single-elimination"}),
    (8, {"formula": "double-elimination"}),
    (32, {"formula": "swiss-cut", "options": {"rounds": 5, "cut": 16}}),
    (33, {}),
    (33, SWISS),
    (33, {"formula": "single-elimination"}),
    (96, SWISS),
    (128, SWISS),
    (128, {"formula": "single-elimination"}),
    (40, {"formula": "swiss-cut", "options": {"rounds": 6, "cut": 16}}),
    *((players, {"formula": "double-elimination"}) for players in (17, 33, 64, 128)),
    (128, {}),
    (128, {"formula": "groups-knockout"}),
    (24, {"formula": "single-group"}),
]
WIDER = 1.09
"""How much wider columns are where the widest of the usual fonts stands in for Arial."""
FONTS = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"


def known(font):
    try:
        return bool(ImageFont.truetype(font, 9))
    except OSError:
        return False


HAS_FONTS = pytest.mark.skipif(not all(map(known, FONTS)), reason="DejaVu is not installed")


def chance(rng):
    def claim(match, index=0):
        first, second = ("a", "b") if rng.random() < 0.5 else ("b", "a")
        if match.best_of > 1 or match_defaults(match.round.event).score == "games":
            return Claim(games=(first, second, first) if match.best_of > 1 else (first,))
        return Claim(score=(40, rng.randrange(40)) if first == "a" else (rng.randrange(40), 40))

    return claim


def as_pdf(content, folder):
    file = folder / "book.xlsx"
    file.write_bytes(content)
    profile = f"-env:UserInstallation=file://{folder}/office"
    asked = [OFFICE, "--headless", profile, "--convert-to", "pdf", "--outdir", folder, file]
    subprocess.run(asked, check=True, capture_output=True, timeout=120)
    return PdfReader(folder / "book.pdf")


def result_alone(event):
    out = BytesIO()
    book = Workbook(out, OPTIONS)
    draw_result_sheet(book, book.add_worksheet("Result"), load_facts(event, for_staff=False))
    book.close()
    return out.getvalue()


def cut_texts(sheet):
    """Yield the texts that are wider than their cells, with the empty ones behind them."""
    widths = {}
    for letters, column in sheet.column_dimensions.items():
        first = sheet[f"{letters}1"].column
        for at in range(column.min or first, (column.max or first) + 1):
            widths[at] = int(column.width * 7 + 5) * WIDER
    merged = {each.start_cell.coordinate: each for each in sheet.merged_cells.ranges}
    for row in sheet.iter_rows():
        for cell in row:
            if not isinstance(cell.value, str) or cell.alignment.shrink_to_fit:
                continue
            if cell.alignment.wrap_text:
                continue
            last = merged[cell.coordinate].max_col if cell.coordinate in merged else cell.column
            while cell.coordinate not in merged and last < sheet.max_column:
                if row[last].value is not None or row[last].border.left.style:
                    break
                last += 1
            room = sum(widths.get(at, 64) for at in range(cell.column, last + 1))
            font = ImageFont.truetype(FONTS[bool(cell.font.b)], cell.font.sz * 96 / 72)
            if font.getlength(cell.value) > room:
                yield f"{sheet.title} {cell.coordinate} {cell.value}"


def played(by, players, more):
    event = make.started(by, players, **more)
    make.play_event(event, by, chance(random.Random(1)))
    event.refresh_from_db()
    return event


@HAS_FONTS
def test_no_text_is_wider_than_its_cells(by):
    event = make.played(by, 12)
    for language in ("it", "en"):
        with translation.override(language):
            sheet = load_workbook(BytesIO(result_alone(event))).active
        assert list(cut_texts(sheet)) == []


def test_no_page_of_the_result_ends_within_a_bracket(by):
    event = make.stage_played(by, 40, formula="swiss-cut", options={"rounds": 1, "cut": 16})
    stages.close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    with translation.override("en"):
        sheet = load_workbook(BytesIO(result_alone(event))).active
    (end,) = [each.id for each in sheet.row_breaks.brk]
    below = (cell.value for row in sheet.iter_rows(min_row=end + 1) for cell in row)
    assert next(filter(None, below)) == "Knock-out"
    for each in sheet.merged_cells.ranges:
        assert not each.min_row <= end < each.max_row


@HAS_FONTS
@pytest.mark.deep
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize(("players", "more"), EVENTS, ids=str)
def test_it_is_printed_as_it_is_meant(by, tmp_path: Path, players, more):
    event = played(by, players, more)
    names = {entry.name for entry in event.entries.all()}
    for language in ("it", "en"):
        with translation.override(language):
            alone, whole = result_alone(event), standings_workbook(event, staff=True)
        page = as_pdf(alone, tmp_path)
        assert len(page.pages) <= (1 if players <= 33 else 2 if players <= 96 else 3)
        said = " ".join(" ".join(one.extract_text() for one in page.pages).split())
        assert [name for name in names if name not in said] == []
        book = load_workbook(BytesIO(whole))
        assert len(book.sheetnames) <= 8
        assert list(cut_texts(book.worksheets[0])) == []
        printed = as_pdf(whole, tmp_path)
        assert not [each for each in printed.pages if "##" in each.extract_text()]
        assert book.worksheets[0].page_setup.orientation == "portrait"
        heads = [each.extract_text().splitlines()[0] for each in printed.pages]
        told = pages_by_scale(book)
        assert told.pop(book.sheetnames[0], 1) == len(page.pages)
        assert {title: heads.count(f"{event.name} {title}") for title in told} == told


def pages_by_scale(book):
    """Return the pages of sheets that end where they are told to, by title."""
    return {
        sheet.title: len(sheet.row_breaks.brk) + 1
        for sheet in book
        if not sheet.sheet_properties.pageSetUpPr.fitToPage
    }
