"""Files of cards: what they may hold, and ceilings that hold while they are read."""

import gzip
import json
import tracemalloc
from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile, ZipInfo

import pytest

from decks.cards.files import CARDS, CardFile, read_cards
from decks.cards.published.reading import ReadLimiter, read_catalogue
from decks.files.archives import MOST_OF_DIRECTORY, GzipReader
from decks.files.limits import MEBIBYTE, FileLimits
from decks.files.tables import read_table
from rules.errors import BadInput
from tests.decks.cards.files import WOLVES, as_xlsx
from tests.decks.cards.published_files import duel, magic, pocket


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
        (",Creatura,", "The card name is missing."),
        ("\u200b,Creatura,", "The card name is missing."),
        ("Lupo,Creatura,tre", "Enter a whole number from 0 to 999."),
        ("Lupo,Creatura,-1", "Enter a whole number from 0 to 999."),
        ("Lupo,Creatura,1000", "Enter a whole number from 0 to 999."),
        ("L" * 161 + ",Creatura,", "name: at most 160 characters."),
        ("ﷺ" * 20 + ",Creatura,", "name: at most 200 characters."),
        ("Lupo," + "C" * 81 + ",", "kind: at most 80 characters."),
        ("Vento,Tattica,", "“Vento” is also in row 2."),
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
    assert "Example: legacy" in str(fault.sentence)
    long = read(f"nome,altri nomi\nA,{'x' * 161}\n").faults
    assert "other_names" in str(long[0].sentence)


MANY = 20_000
FACES = [{"name": f"Face {number}"} for number in range(60)]


def sent(cards: Any, *, whole: bool = False) -> bytes:
    listed = ",".join(map(json.dumps, cards))
    return f'{{"data":[{listed}]}}'.encode() if whole else f"[{listed}]".encode()


FILES: dict[str, Callable[[], bytes]] = {
    "Magic": lambda: sent(magic(f"Card {number}") for number in range(MANY)),
    "faces": lambda: sent(
        magic("Card", card_faces=[{"name": f"{number} {face}"} for face in range(50)])
        for number in range(MANY // 50)
    ),
    "legalities": lambda: sent(
        magic("Card", legalities={f"{number} {each}": "legal" for each in range(300)})
        for number in range(MANY // 100)
    ),
    "Yu-Gi-Oh!": lambda: sent((duel(n, f"Card {n}") for n in range(MANY)), whole=True),
    "Pokémon": lambda: sent(pocket(f"set-{n}", f"Card {n}", str(n)) for n in range(MANY)),
}


def refused(content: bytes, meter: ReadLimiter) -> str:
    with pytest.raises(BadInput) as found:
        read_catalogue(BytesIO(content), meter=meter)
    return found.value.code


@pytest.mark.deep
@pytest.mark.parametrize("name", FILES)
def test_cards_and_names_are_counted_while_they_are_read(name: str) -> None:
    content = FILES[name]()
    meter = ReadLimiter(most=len(content), most_kept=400)
    assert refused(content, meter) == "file_too_large"
    assert meter.read < len(content) / 3


def test_what_fits_is_read_to_its_end() -> None:
    content = sent(magic(f"Card {number % 200}", card_faces=FACES[:2]) for number in range(2_000))
    meter = ReadLimiter(most=len(content), most_kept=600)
    assert len(read_catalogue(BytesIO(content), meter=meter).cards) == 200
    assert meter.read == len(content)


def test_seconds_are_counted_while_a_file_is_read() -> None:
    content = FILES["Magic"]()
    meter = ReadLimiter(most=len(content), seconds=0)
    assert refused(content, meter) == "file_too_large"
    assert meter.read < len(content) / 3


@pytest.mark.parametrize(
    "more",
    [
        {"name": "a" * 1_000},
        {"flavor_name": "a" * 1_000},
        {"card_faces": [{"name": "a" * 1_000}, {"name": "b"}]},
        {"lang": "it", "printed_name": "a" * 1_000},
        {"type_line": "a" * 1_000},
        {"legalities": {"a" * 5_000: "legal"}},
    ],
)
def test_a_text_that_no_card_has_is_refused_with_its_card(more: dict[str, Any]) -> None:
    content = sent([magic("Sol Ring"), magic("Card") | more, *(magic("A") for _ in range(5_000))])
    meter = ReadLimiter(most=len(content))
    assert refused(content, meter) == "file_rejected"
    assert meter.read < len(content) / 3


def test_a_packed_file_has_one_member_or_several() -> None:
    half = len(content := sent(magic(f"Card {number}") for number in range(300))) // 2
    for packed in (
        gzip.compress(content),
        gzip.compress(content[:half]) + gzip.compress(b"") + gzip.compress(content[half:]),
    ):
        found: CardFile = read_catalogue(BytesIO(packed), meter=ReadLimiter(most=MEBIBYTE))
        assert len(found.cards) == 300


@pytest.mark.parametrize("size", [1, 7, 1_000, 1 << 20])
def test_what_is_packed_is_read_in_pieces_of_any_size(size: int) -> None:
    content = bytes(number % 251 for number in range(9_000))
    source = GzipReader(BytesIO(gzip.compress(content[:4_000]) + gzip.compress(content[4_000:])))
    pieces = []
    assert source.read(0) == b""
    while piece := source.read(size):
        pieces.append(piece)
    assert max(map(len, pieces)) <= size
    assert b"".join(pieces) == content


FIRST = gzip.compress(b'[{"object":"card","name":"a"},')
NAMED = b"\x1f\x8b\x08\x08" + bytes(6)


@pytest.mark.parametrize(
    "content",
    [
        FIRST + gzip.compress(b"") * 3_000,
        FIRST + bytes(100_000),
        FIRST + NAMED + b"a" * 300_000,
        NAMED + b"a" * 300_000,
        FIRST[:-4],
    ],
    ids=["members", "zeros", "second name", "name", "cut off"],
)
def test_a_packed_file_made_to_take_long_is_damaged(content: bytes) -> None:
    assert refused(content, ReadLimiter(most=MEBIBYTE)) == "file_rejected"


def archive_of(members: int, comment: bytes = b"") -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as made:
        for number in range(members):
            made.writestr(ZipInfo(f"cards/{number}.json"), b"")
        made.comment = comment
    return out.getvalue()


@pytest.mark.deep
@pytest.mark.parametrize("comment", [b"", b"a" * 60_000, b"PK\x05\x06" + bytes(30)])
def test_a_long_directory_is_refused_before_it_is_read(comment: bytes) -> None:
    content = archive_of(MOST_OF_DIRECTORY // 60, comment)
    tracemalloc.start()
    assert refused(content, ReadLimiter(most=MEBIBYTE)) == "file_rejected"
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3 * len(content)


def test_an_archive_without_its_end_is_damaged() -> None:
    for content in (archive_of(3)[:-30], b"PK\x03\x04", b"PK\x05\x06" + bytes(5)):
        assert refused(content, ReadLimiter(most=MEBIBYTE)) == "file_rejected"


def test_cells_are_counted_while_a_table_is_read() -> None:
    table = "\n".join(["name,b,c", *("a,,," for _row in range(50))]).encode()
    assert len(read_table(table, limits=FileLimits(cells=203)).rows) == 50
    with pytest.raises(BadInput) as found:
        read_table(table, limits=FileLimits(cells=202))
    assert found.value.code == "file_rejected"


def test_a_workbook_of_cards_may_have_so_many_elements() -> None:
    rows = [["name", "kind"], *([f"Card {number}", "a"] for number in range(300))]
    limits = FileLimits(rows=CARDS.rows, elements=2_200)
    assert len(read_cards(as_xlsx(rows), limits=limits).cards) == 300
    with pytest.raises(BadInput) as found:
        read_cards(as_xlsx(rows), limits=FileLimits(rows=CARDS.rows, elements=400))
    assert found.value.code == "file_rejected"
