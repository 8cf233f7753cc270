"""What programs print around the name of a card: each notation of the documentation, and others."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.deckbuilding.around import LONGEST, UnreadableLineError, read_around
from rules.deckbuilding.catalogue import split_number, with_number
from rules.deckbuilding.deck import Entry
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.lines import read_card, read_plain_card
from rules.deckbuilding.render import render, render_entry
from rules.deckbuilding.rows import CardRow, deck_from_rows
from rules.deckbuilding.text import parse
from rules.names import tidy
from tests.rules.deckbuilding.ready import MAGIC

EXO = FORMATS.get("creatures-of-exo")
DOCS = (Path(__file__).parents[3] / "docs" / "decklists.md").read_text(encoding="utf-8")
SECTION = DOCS.partition("## What programs print")[2].partition("\n## ")[0]
CELLS = [
    row.replace(r"\|", "\0").split("|")[1] for row in SECTION.splitlines() if row.startswith("| `")
]
WRITTEN = [each.replace("\0", "|") for cell in CELLS for each in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("line", WRITTEN)
def test_a_notation_of_the_documentation_is_four_lightning_bolts(line: str) -> None:
    (entry,) = parse(line, MAGIC).zone("main")
    assert (entry.count, entry.name) == (4, "Lightning Bolt")


def test_copies_add_up_over_all_notations() -> None:
    assert len(WRITTEN) > 25
    faults = MAGIC.validate(parse("\n".join(["60 Mountain", *WRITTEN]), MAGIC))
    assert [(one.code, one.found) for one in faults] == [("copies.too_many", 4 * len(WRITTEN))]


@pytest.mark.parametrize("line", WRITTEN)
def test_a_name_in_a_table_and_in_json_is_read_as_in_a_line(line: str) -> None:
    (written,) = parse(line, MAGIC).zone("main")
    name = re.sub(r"^(?:\* )?4x? ", "", line)
    row = CardRow(number=2, cells={"count": "4", "name": name}, shown=name)
    (in_table,) = deck_from_rows([row], MAGIC).zone("main")
    (in_json,) = deck_from_json({"main": [{"name": name, "count": 4}]}, MAGIC).zone("main")
    assert written == in_table == in_json


NUMBERS = ["146", "A25-141", "34p", "63★", "280†", "Φ1", "TG12", "SWSH123", "146/249", "JOU-65"]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("of", ["PLST", "2x2", "PR-SV"])
def test_a_number_is_a_text(number: str, of: str) -> None:
    wanted = Entry(name="Lightning Bolt", count=4, expansion=of, number=number)
    for line in (
        f"4 Lightning Bolt ({of}) {number}",
        f"4 Lightning Bolt ({of} {number})",
        f"Lightning Bolt ({of}) {number} x4",
        f"4 Lightning Bolt ({of} #{number})",
    ):
        assert read_card(line).entry == wanted
    given_ = {"name": "Lightning Bolt", "count": 4, "expansion": of, "number": number}
    deck = deck_from_json({"main": [given_]}, MAGIC)
    assert deck.zone("main") == (wanted,)
    assert parse(render(deck, MAGIC), MAGIC).zones == deck.zones
    assert deck_to_json(deck)["main"] == [given_]


@pytest.mark.parametrize(
    ("expansion", "number"),
    [
        *(("Crown Zenith", "GG30"), ("M10", "promo"), ("", "331"), ("", "a b"), ("M10", "")),
        *(("A #1", "2"), ("M10,", "7"), ("Core Set M21", ""), ("foil", ""), ("V1", "12")),
    ],
)
def test_set_and_number_come_back(expansion: str, number: str) -> None:
    for marked in (False, True):
        text = with_number(expansion, number, marked=marked)
        assert not number or split_number(text) == (expansion, number)
    for name in ("Lupo", "Legione 13", *(["Lupo (grigio)"] if expansion else [])):
        entry = Entry(name=name, expansion=expansion, number=number, version="A")
        assert read_card(render_entry(entry)).entry == entry


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("7 Plains (331)", Entry(name="Plains", count=7, number="331")),
        ("7 [UNH] Plains (4)", Entry(name="Plains", count=7, expansion="UNH", number="4")),
        ("1 Plains (331) (0331)", Entry(name="Plains", number="0331")),
        ("1 Plains (33) (34)", Entry(name="Plains (33)", number="34")),
        ("1 Plains (33) <34>", Entry(name="Plains (33)", number="34")),
        ("1 Plains <34> <35>", Entry(name="Plains", number="35")),
        ("1 Lupo (Foil)", Entry(name="Lupo", expansion="Foil")),
        ("1 Lupo (F)", Entry(name="Lupo", expansion="F")),
        ("1 Lupo [A] [SLD] 84", Entry(name="Lupo", version="A", expansion="SLD", number="84")),
        ("1 Lupo [A] 84", Entry(name="Lupo [A] 84")),
        ("1 Lupo (Luce Piena) 7a", Entry(name="Lupo (Luce Piena) 7a")),
        ("1 Lupo (DT) x3", Entry(name="Lupo (DT) x3")),
        ("1 Lupo (DT) 3 (WAR)", Entry(name="Lupo", expansion="WAR")),
        ("1 Lupo (Nero Lupo) 3 (WAR)", Entry(name="Lupo (Nero Lupo) 3", expansion="WAR")),
        ("1 Lupo () 3", Entry(name="Lupo () 3")),
        ("1 Robot #5", Entry(name="Robot #5")),
        (f"1 Lupo (DT) {'1' * 21}", Entry(name=f"Lupo (DT) {'1' * 21}")),
        ("1 # Lupo", Entry(name="# Lupo")),
        ("1 Lupo (di #Selce #Nera", Entry(name="Lupo (di #Selce #Nera")),
        ("1 Lupo *di Selce, Nera*", Entry(name="Lupo *di Selce, Nera*")),
        ("1 Lupo ^^", Entry(name="Lupo ^^")),
        ("1 Lupo|lupi", Entry(name="Lupo|lupi")),
        ("1 Lupo (a|BC", Entry(name="Lupo (a|BC")),
        ("1 |M10", Entry(name="|M10")),
        ("1 Lupo | Nero [A]", Entry(name="Lupo | Nero", version="A")),
        ("1 Lupo | [", Entry(name="Lupo | [")),
        ("1 [44] Lupo", Entry(name="[44] Lupo")),
        ("1 [4x] Lupo", Entry(name="[4x] Lupo")),
        ("1 (DT) Lupo (WAR)", Entry(name="Lupo", expansion="WAR")),
        ("1 (M10) 146 Lupo", Entry(name="Lupo", expansion="M10", number="146")),
        ("1 [M10] #14a Lupo", Entry(name="Lupo", expansion="M10", number="14a")),
        ("1 [M10] 1996 Lupo", Entry(name="1996 Lupo", expansion="M10")),
        ("1 [#12] Lupo", Entry(name="Lupo", number="12")),
        ("1 [OP01-025] Lupo", Entry(name="Lupo", expansion="OP01-025")),
        ("1 Lupo 5,00 € TIX", Entry(name="Lupo")),
        ("1 Lupo (nero) (M10)", Entry(name="Lupo (nero)", expansion="M10")),
    ],
)
def test_what_is_the_name_and_what_is_not(line: str, entry: Entry) -> None:
    assert read_card(line).entry == entry
    assert read_card(render_entry(entry)).entry == entry


@pytest.mark.parametrize(
    "line", ["2 Lupo *F*", "2 Lupo 13 (Foil)", "2 Lupo|M10", "2 Lupo #tag", f"2 {'a' * LONGEST}"]
)
def test_a_line_with_marks_is_no_plain_one(line: str) -> None:
    assert read_plain_card(line) is None


@pytest.mark.parametrize("line", ["2 " + "Lupo" + " *F*" * 30, "2 " + "a" * (LONGEST + 1)])
def test_what_no_program_writes_is_no_card(line: str) -> None:
    with pytest.raises(UnreadableLineError):
        read_card(line)


PIECES = [
    *("Lupo", "di", "x2", "(DT)", "(12)", "(DT 3)", "(Foil)", "(F)", "[A]", "[SLD]", "84", "{K}"),
    *("*F*", "*", "#tag", "#", "# !Side", "^a^", "^", "<b>", "<7>", "|M10", "| Nero", "$5", "3 €"),
    *("[M10:146]", "[#3]", "(V.2)", "//", "/", "-", ",", "(", ")", "[", "]", "★", "A25-141", ":"),
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8), st.booleans(), st.booleans())
@example(["Lupo", "(12)", "(12)"], False, True)
def test_a_name_is_read_once(pieces: list[str], named: bool, numbered: bool) -> None:
    """Reading what was read, in a line as in JSON, finds the same card."""
    given_ = {"kind": "", "version": "", "genus": "", "language": ""}
    given_ |= {"expansion": "WAR" if named else "", "number": "5" if numbered else ""}
    try:
        found = read_around(tidy(" ".join(pieces)), count=2, given=given_)
    except UnreadableLineError:
        return
    entry = found.entry()
    if entry.name.endswith(":"):
        return
    assert read_around(entry.name, count=2, given=found.tags).entry() == entry
    assert read_card(render_entry(entry)).entry == entry
