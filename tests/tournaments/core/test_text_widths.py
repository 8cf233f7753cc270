"""What a text is told to be wide, beside what fonts say, and that wide letters fit everywhere."""

from io import BytesIO
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook
from PIL import ImageFont

from tournaments.core.names import (
    SIGN,
    em_width,
    shorten_to_width,
    shortened_name,
    width_in_characters,
)
from tournaments.diagrams.selectors.brackets import DiagramBox, DiagramColumn, DiagramLine
from tournaments.diagrams.selectors.formula_layout import WIDE, formula_diagram
from tournaments.exports import sheets
from tournaments.exports.handout.grid import text_width
from tournaments.rounds.selectors.desk_rows import _short

LATIN = [
    "Marco Rossi",
    "Wilhelm Mühlemann",
    "Giulia D’Amico (12)",
    "Ákos Őri",
    "Đorđe Ørsted-Łuków",
    "illi Lilli",
    "MARIA GRAZIA WOMMO",
    "Swiss, 5 rounds · 42–40 — 128",
]
OTHERS = ["Жанна Щукина", "Георгий Шишкин", "Γιώργος Παπαδόπουλος"]
SQUARE = ["王小明", "さくら田", "김철수", "ＡＢＣ"]
PICTURES = ["🎲🃏", "🦊", "❤\ufe0f", "🇮🇹"]
ROOM = 500
"""Signs of a text that no place has room for."""


@pytest.mark.parametrize("text", LATIN + OTHERS)
def test_widths_are_those_of_the_widest_of_the_usual_fonts(text):
    try:
        font = ImageFont.truetype("DejaVuSans.ttf", 1000)
    except OSError:
        pytest.skip("DejaVu is not installed")
    true = font.getlength(text) / 1000
    assert 0.97 * true <= em_width(text) <= true * (1.05 if text in LATIN else 1.25)


@pytest.mark.parametrize("text", SQUARE)
def test_a_square_letter_is_as_wide_as_high(text):
    assert em_width(text) >= len(text)


@pytest.mark.parametrize("text", PICTURES)
def test_a_picture_is_wider_than_high(text):
    assert em_width(text) >= 1.37


def test_what_stands_on_a_letter_takes_no_room():
    assert em_width("cafe\u0301") == em_width("café") == em_width("cafe")
    assert em_width("\u200b\u2066x\u2069") == em_width("x")


def test_a_beginning_is_cut_by_its_width():
    assert shorten_to_width("Marco Rossi", 99) == "Marco Rossi"
    assert shorten_to_width("Marco Rossi", 6) == "Marco"
    assert shorten_to_width("e\u0301e\u0301e\u0301", 2) == "e\u0301"
    assert shorten_to_width("王小明", 4) == "王小"
    assert shorten_to_width("王小明", 1) == shorten_to_width("", 5) == ""


def test_of_several_lines_the_longest_counts():
    assert width_in_characters("x\nxxxx\nxx") == width_in_characters("xxxx")
    assert width_in_characters("") == 0


@pytest.mark.parametrize("letter", ["王", "🎲", "W", "i"])
def test_letters_of_any_width_fit_everywhere(letter):
    long, name = letter * ROOM, letter * 12
    entry = SimpleNamespace(
        display_name=f"{long} (7)", name=long, mark="7", number=7, club="", surname=""
    )
    assert width_in_characters(shortened_name(entry, 19)) <= 19
    assert shortened_name(entry, 19).endswith("… (7)")

    column = DiagramColumn(
        stage="S",
        heading="H",
        state="",
        first=True,
        boxes=(
            DiagramBox(
                heading="A",
                lines=(DiagramLine(place=long), DiagramLine(place="", entry=entry, code="A1")),
            ),
        ),
    )
    (box,) = formula_diagram((column,))["boxes"]
    for line in box.lines:
        assert (46 if line["place"] else 10) + 13 * em_width(line["text"]) <= WIDE

    table = sheets.SheetTable(
        key="", title="A", columns=(sheets.Column(key="k", label="K"),), rows=[(name,)]
    )
    content = sheets.build_workbook([table], heading="", footing="", zone=ZoneInfo("UTC"))
    (sheet,) = load_workbook(BytesIO(content))
    digit = 0.636  # ems, in the same font: a column is so many digits wide
    assert min(em_width(name), sheets.WIDEST * digit) <= sheet.column_dimensions["A"].width * digit

    assert text_width(name, 9) == pytest.approx(12 * em_width(name))


def test_a_seat_shows_the_initial_where_wide_letters_have_no_room():
    def shown(name):
        surname = name.split()[1]
        entry = SimpleNamespace(
            name=name, display_name=name, surname=surname, mark="", number=1, club=""
        )
        return _short(name, entry)

    assert shown("Anna Bianchi") == "Anna Bianchi"
    assert shown("Guglielmo Rossi") == "G. Rossi"
    assert shown("小明明明明明 王") == "小. 王"


def test_a_sign_is_a_usual_one():
    for text in LATIN[:3]:
        assert abs(em_width(text) / SIGN - len(text)) <= 0.1 * len(text)
