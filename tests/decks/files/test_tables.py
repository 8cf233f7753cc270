"""Tables out of CSV files and workbooks."""

from datetime import date, datetime, time

import pytest
from openpyxl import Workbook

from decks.files.limits import FileLimits
from decks.files.tables import Row, read_table
from rules.errors import BadInput
from tests.decks.readers.files import CLOSED, OPENED, SHEET, saved, with_parts, with_sheet, workbook

WORDS = {"name": ("name", "nome"), "count": ("count", "quantità")}


@pytest.mark.parametrize(
    "text",
    [
        "nome,q\n\nBrace,2\n",
        "nome;q\r\n\r\nBrace;2\r\n",
        "nome\tq\r\rBrace\t2",
        "\ufeffnome;q\n ; \nBrace;2",
        "sep=;\nnome;q\nBrace;2",
    ],
)
def test_a_row_has_the_number_that_spreadsheets_show(text: str) -> None:
    table = read_table(text.encode())
    assert table.header == ("nome", "q")
    assert table.rows == (Row(3, ("Brace", "2")),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_usual_encoding_is_read(encoding: str) -> None:
    table = read_table("Nome;Quantità\nCittà;2".encode(encoding))
    assert table.header == ("Nome", "Quantità")
    assert table.rows[0].cells == ("Città", "2")


def test_quotes_hold_delimiters_quotes_and_line_breaks() -> None:
    table = read_table(b'nome,q\n"Lupo, ""il\ngrigio""",2\nBrace,1')
    assert table.rows == (Row(2, ('Lupo, "il\ngrigio"', "2")), Row(3, ("Brace", "1")))


def test_an_apostrophe_before_a_formula_sign_is_taken_off() -> None:
    table = read_table("nome,q\n'=1+1,'+39\n'Ndrangheta,''-x\n'＝a,'@".encode())
    assert [row.cells for row in table.rows] == [
        ("=1+1", "+39"),
        ("'Ndrangheta", "'-x"),
        ("＝a", "@"),
    ]


def test_a_workbook_is_read_from_its_first_sheet_whatever_its_name() -> None:
    book = Workbook()
    book.active.append(["Nome", "Quantità", None, "Data"])
    book.active.append([])
    book.active.append(["Città", 2, None, 1.5])
    book.active.append(["Vero", True, "", "=1+1"])
    book.create_sheet("Altro").append(["Falso"])
    table = read_table(saved(book), "lista.csv")
    assert table.header == ("Nome", "Quantità", "", "Data")
    assert table.rows == (
        Row(3, ("Città", "2", "", "1.5")),
        Row(4, ("Vero", "1", "", "=1+1")),
    )


def test_what_a_sheet_leaves_out_is_counted_on() -> None:
    table = read_table(
        with_sheet(
            '<row><c t="inlineStr"><is><t>nome</t></is></c></row>'
            '<row r="7"><c r="B7"><v>12.0</v></c><c><v>1.2E1</v></c></row>'
            '<row><c t="str"><f>A1</f><v>x_xFFFE_</v></c><c/><c t="e"><v>#REF!</v></c></row>'
        )
    )
    assert table.rows == (Row(7, ("", "12", "12")), Row(8, ("x\ufffe", "", "#REF!")))


def test_what_a_sheet_declares_of_itself_need_not_be_so() -> None:
    rows = '<row r="2"><c t="inlineStr"><is><t>nome</t></is></c></row>'
    declared = OPENED.replace("<sheetData>", '<dimension ref="B7:XFD1048576"/><sheetData>')
    content = with_parts(workbook([["nome"]]), {SHEET: f"{declared}{rows}{CLOSED}"})
    assert read_table(content).header == ("nome",)


def test_a_date_is_the_day_and_a_moment_has_its_hour() -> None:
    moments = [date(2026, 11, 25), datetime(2026, 11, 25, 10, 30), time(9, 5)]  # noqa: DTZ001
    table = read_table(workbook([["nome"], moments]))
    assert table.rows[0].cells == ("2026-11-25", "2026-11-25 10:30:00", "09:05:00")


def test_shared_texts_are_read_with_their_runs_and_without_reading_aids() -> None:
    assert read_table(workbook([["nome"], ["Brace"], ["Brace"]])).rows[1].cells == ("Brace",)


def test_columns_are_found_by_any_of_their_words() -> None:
    table = read_table(b"NOTE,QUANTITA',Nome:\n,1,a")
    columns = table.columns(WORDS, "name")
    assert columns == {"count": 1, "name": 2}
    assert table.rows[0].cell(columns["name"]) == "a"
    assert table.rows[0].cell(columns.get("zone")) == ""
    assert table.rows[0].cell(9) == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("carta\nBrace", "column_missing"),
        ("", "column_missing"),
        ("nome,Name\na,b", "column_twice"),
    ],
)
def test_a_header_that_is_none_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_table(text.encode()).columns(WORDS, "name")
    assert refused.value.code == code


def test_the_limits_are_the_callers() -> None:
    rows = "\n".join(["nome", *(f"Carta {number}" for number in range(6000))]).encode()
    assert len(read_table(rows, limits=FileLimits(rows=6000)).rows) == 6000
    with pytest.raises(BadInput) as long:
        read_table(rows)
    assert long.value.code == "file_rejected"
    with pytest.raises(BadInput) as wide:
        read_table(("a," * 51 + "b").encode())
    assert wide.value.code == "file_rejected"
    with pytest.raises(BadInput) as large:
        read_table(b" " * 11, limits=FileLimits(size=10))
    assert large.value.code == "file_too_large"


@pytest.mark.deep
def test_a_long_workbook_is_read_with_higher_limits() -> None:
    content = workbook([["nome"], *([f"Carta {number}"] for number in range(5500))])
    assert len(read_table(content, limits=FileLimits(rows=5500)).rows) == 5500
    with pytest.raises(BadInput):
        read_table(content)
