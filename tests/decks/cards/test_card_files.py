"""What a file of cards may hold, and what is said of rows that hold none."""

import pytest

from decks.cards.files import CARDS, CardFile, read_cards
from rules.errors import BadInput
from tests.decks.cards.files import WOLVES, as_xlsx


def read(text: str) -> CardFile:
    return read_cards(text.encode())


def test_italian_and_english_headers_and_further_columns() -> None:
    wolf = read(WOLVES).cards[0]
    assert (wolf.key, wolf.key_en) == ("lupo di selce", "flint wolf")
    assert (wolf.kind, wolf.expansion, wolf.number, wolf.max_copies) == (
        "Creatura",
        "DT",
        "12",
        None,
    )
    assert wolf.attributes == {"testo": "Morde."}
    english = read(
        "name,name_en,kind,expansion,number,max_copies,testo\n"
        "Lupo di Selce,Flint Wolf,Creatura,DT,12,,Morde.\n"
    )
    assert english.cards == (wolf,)


def test_a_workbook_is_the_same() -> None:
    rows = [line.split(";") for line in WOLVES.splitlines()]
    numbers = [[int(cell) if cell.isdigit() else cell for cell in row] for row in rows]
    assert read_cards(as_xlsx(numbers), "x.xlsx") == read(WOLVES)


def test_a_card_may_have_an_english_name_only() -> None:
    (card,) = read("name_en,kind\nFlint Wolf,Creature\n").cards
    assert (card.name, card.name_en, card.key) == ("Flint Wolf", "Flint Wolf", "flint wolf")


def test_ids_of_simulators_are_kept_under_one_name() -> None:
    for header in ("id", "ID", "Passcode"):
        (card,) = read(f"name,{header}\nDrago,089631139\n").cards
        assert card.attributes == {"id": "089631139"}


def test_equal_rows_count_once_and_printings_stay_apart() -> None:
    file = read("nome,espansione\nLupo,DT\nLUPO,INQ\nLupo,DT\n")
    assert ([card.expansion for card in file.cards], file.faults) == (["DT", "INQ"], ())


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (",Creatura,", "There is no card name."),
        ("\u200b,Creatura,", "There is no card name."),
        ("Lupo,Creatura,tre", "“tre” is not a number of copies."),
        ("Lupo,Creatura,-1", "“-1” is not a number of copies."),
        ("Lupo,Creatura,1000", "“1000” is not a number of copies."),
        ("L" * 161 + ",Creatura,", "The column name may have 160 characters at most."),
        ("ﷺ" * 20 + ",Creatura,", "The column name may have 200 characters at most."),
        ("Lupo," + "C" * 81 + ",", "The column kind may have 80 characters at most."),
        ("Vento,Tattica,", "“Vento” stands in row 2 too, with other data."),
    ],
)
def test_each_bad_row_is_told_with_its_number(row: str, words: str) -> None:
    file = read(f"nome,tipo,copie massime\nVento,Creatura,\n\n{row}\nBrace,Leader,2.0\n")
    (fault,) = file.faults
    assert fault.row == 4
    assert str(fault.sentence).startswith(words)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "column_missing"),
        ("tipo,espansione\nLeader,DT\n", "column_missing"),
        ("nome\n", "no_cards"),
        ("nome,name\nA,B\n", "column_twice"),
        ("nome,testo,testo\nA,B,C\n", "column_twice"),
        ("nome," + ",".join(f"c{at}" for at in range(60)) + "\nA\n", "file_rejected"),
    ],
)
def test_a_file_without_cards_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read(text)
    assert refused.value.code == code


def test_endless_files_are_refused() -> None:
    with pytest.raises(BadInput):
        read_cards(b"nome\n" + b"a\n" * (CARDS.rows + 1))
    with pytest.raises(BadInput):
        read_cards(b" " * (CARDS.size + 1))


def test_rows_say_other_names_and_where_a_card_is_legal() -> None:
    (card,) = read(
        'nome,altri nomi,legale in\nFuoco,Ghiaccio | Brina|,"Pauper, Vintage: 1"\n'
    ).cards
    assert (card.other_names, card.legal_in) == ("Ghiaccio|Brina", "pauper, vintage: 1")
    assert [one.legal_in for one in read("nome,legale in\nA,-\nB,\n").cards] == ["-", ""]
    (fault,) = read("nome,legale in\nA,vintage: tre\n").faults
    assert "does not say where the card is legal" in str(fault.sentence)
    long = read(f"nome,altri nomi\nA,{'x' * 161}\n").faults
    assert "other_names" in str(long[0].sentence)
