"""Files that no reader may trip over, made here piece by piece: none is kept in the project."""

import random
import struct
from codecs import BOM_UTF16_LE
from collections.abc import Callable, Iterable
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

from tests.decks.readers.files import CLOSED, OPENED, SHEET, with_parts, with_sheet, workbook

MEBIBYTE = 1024 * 1024
BESIDE = "xl/worksheets/sheet2.xml"
SMALL = workbook([["nome", "copie"], ["Brace", 2]])
ENTITIES = "<!DOCTYPE a [<!ENTITY b 'cccccccccc'>" + "".join(
    f"<!ENTITY b{number} '{f'&b{number - 1 or str()};' * 10}'>" for number in range(1, 9)
)
BOMB = (
    f"{ENTITIES}]><cockatrice_deck><zone name='main'><card name='&b8;'/></zone></cockatrice_deck>"
)


def streamed(name: str, pieces: Iterable[bytes]) -> bytes:
    """Return a workbook one part of which is written piece by piece."""
    out = BytesIO()
    with ZipFile(BytesIO(SMALL)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for kept in old.namelist():
            if kept != name:
                new.writestr(kept, old.read(kept))
        with new.open(name, "w", force_zip64=True) as part:
            for piece in pieces:
                part.write(piece)
    return out.getvalue()


def one_huge_cell() -> bytes:
    cell = '<row><c t="inlineStr"><is><t>'
    pieces = [OPENED.encode(), cell.encode(), *[b"a" * MEBIBYTE] * 300]
    return streamed(SHEET, [*pieces, b"</t></is></c></row>", CLOSED.encode()])


def many_parts() -> bytes:
    return with_parts(SMALL, {f"xl/part{number}.xml": "" for number in range(5000)})


def encrypted() -> bytes:
    """Return a workbook whose directory says that its parts are encrypted."""
    content = bytearray(SMALL)
    at = -1
    while (at := content.find(b"PK\x01\x02", at + 1)) >= 0:
        content[at + 8] |= 1
    return bytes(content)


def lying(size: int) -> bytes:
    """Return a workbook whose directory gives a wrong size for every part."""
    content = bytearray(SMALL)
    at = -1
    while (at := content.find(b"PK\x01\x02", at + 1)) >= 0:
        content[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(content)


def packed_otherwise() -> bytes:
    out = BytesIO()
    with ZipFile(BytesIO(SMALL)) as old, ZipFile(out, "w", ZIP_BZIP2) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return out.getvalue()


def empty_rows() -> bytes:
    return with_sheet("".join(f'<row r="{number}"/>' for number in range(1, 210_001)))


def far_cells() -> str:
    return "".join(
        f'<row r="{number}"><c r="XFD{number}" s="0"/></row>' for number in range(1, 200)
    )


def repeated_text() -> bytes:
    """Return a workbook that shows one long text in a quarter of a million cells."""
    row = "<row>" + '<c t="s"><v>0</v></c>' * 50 + "</row>"
    shared = f"<sst><si><t>{'a' * 30_000}</t></si></sst>"
    sheet = f"{OPENED}{''.join([row] * 800)}{CLOSED}"
    return with_parts(SMALL, {SHEET: sheet, "xl/sharedStrings.xml": shared})


def noise(size: int) -> str:
    return random.Random(size).randbytes(size // 2).hex()


def declared_in(part: str, encoding: str = "utf-8") -> Callable[[], bytes]:
    document = f"<?xml version='1.0' encoding='{encoding}'?>{BOMB}"
    return lambda: with_parts(SMALL, {part: document.encode(encoding)})


def cod(inside: str) -> Callable[[], bytes]:
    return lambda: f"<cockatrice_deck><zone name='main'>{inside}</zone></cockatrice_deck>".encode()


NASTY: dict[str, tuple[str, Callable[[], bytes]]] = {
    # what it is: the name under which it is sent, and how it is made
    "a cell of 300 MiB": ("a.xlsx", one_huge_cell),
    "5,000 parts": ("a.xlsx", many_parts),
    "an encrypted zip": ("a.xlsx", encrypted),
    "an encrypted workbook": ("a.xlsx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(9999)),
    "sizes that are too small": ("a.xlsx", lambda: lying(3)),
    "sizes that are too large": ("a.xlsx", lambda: lying(0xFFFFFF)),
    "sizes of zip64 that are not there": ("a.xlsx", lambda: lying(0xFFFFFFFF)),
    "another packing": ("a.xlsx", packed_otherwise),
    "a part outside": ("a.xlsx", lambda: with_parts(SMALL, {"../../etc/passwd": "a"})),
    "a part at the root": ("a.xlsx", lambda: with_parts(SMALL, {"/etc/passwd": "a"})),
    "a part on a drive": ("a.xlsx", lambda: with_parts(SMALL, {"C:/a": "a"})),
    "a workbook in a workbook": ("a.xlsx", lambda: with_parts(SMALL, {"xl/a.bin": SMALL})),
    "other files": ("a.xlsx", lambda: with_parts(SMALL, {"xl/externalLinks/a.xml": "<a/>"})),
    "entities in the sheet": ("a.xlsx", declared_in(SHEET)),
    "entities in UTF-16": ("a.xlsx", declared_in(SHEET, "utf-16")),
    "entities in the texts": ("a.xlsx", declared_in("xl/sharedStrings.xml")),
    "entities in the styles": ("a.xlsx", declared_in("xl/styles.xml")),
    "entities in the relations": ("a.xlsx", declared_in("xl/_rels/workbook.xml.rels")),
    "endless empty rows": ("a.xlsx", empty_rows),
    "one text in every cell": ("a.xlsx", repeated_text),
    "a row beyond the last": ("a.xlsx", lambda: with_sheet('<row r="9999999"/>')),
    "a column beyond the last": (
        "a.xlsx",
        lambda: with_sheet('<row><c r="XFD1"><v>1</v></c></row>'),
    ),
    "a text that is not there": (
        "a.xlsx",
        lambda: with_sheet('<row><c t="s"><v>7</v></c></row>'),
    ),
    "a text of a wrong number": (
        "a.xlsx",
        lambda: with_sheet(f'<row><c t="s"><v>{"9" * 5000}</v></c></row>'),
    ),
    "empty cells far to the right": ("a.xlsx", lambda: with_sheet(far_cells())),
    "a long sheet beside": (
        "a.xlsx",
        lambda: with_parts(SMALL, {BESIDE: f"<a>{'<b/>' * 200_001}</a>"}),
    ),
    "an attribute without end": ("a.xlsx", lambda: with_sheet(f'<row r="{noise(900_000)}"/>')),
    "deep XML": ("a.xlsx", lambda: with_sheet("<a>" * 10_000)),
    "broken XML": ("a.xlsx", lambda: with_sheet("<row>")),
    "no sheet": ("a.xlsx", lambda: with_parts(SMALL, {"xl/workbook.xml": "<workbook/>"})),
    "no relations": ("a.xlsx", lambda: with_parts(SMALL, {"xl/_rels/workbook.xml.rels": "<a/>"})),
    "a zip of something else": ("a.xlsx", lambda: b"PK\x05\x06" + bytes(18)),
    "half a workbook": ("a.xlsx", lambda: SMALL[: len(SMALL) // 2]),
    "the beginning of a workbook": ("a.xlsx", lambda: SMALL[:40]),
    "a picture": ("a.xlsx", lambda: b"\x89PNG\r\n\x1a\n" + bytes(999)),
    "a picture called a text": ("a.txt", lambda: b"\x89PNG\r\n\x1a\n" + bytes(999)),
    "a photograph called CSV": ("a.csv", lambda: b"\xff\xd8\xff\xe0" + bytes(range(256))),
    "a PDF": ("a.txt", lambda: b"%PDF-1.7\n1 0 obj"),
    "a packed text": ("a.txt", lambda: b"\x1f\x8b\x08\x00Brace"),
    "entities": ("a.cod", BOMB.encode),
    "an entity from outside": (
        "a.cod",
        lambda: b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><cockatrice_deck>&b;</a>",
    ),
    "a document type": ("a.cod", lambda: b"<!DOCTYPE cockatrice_deck><cockatrice_deck/>"),
    "an unknown entity": ("a.cod", cod("<card name='&b;'/>")),
    "a name without end": ("a.cod", cod(f"<card name='{noise(900_000)}'/>")),
    "a comment without end": ("a.cod", cod(f"<!--{noise(900_000)}-->")),
    "very deep XML": ("a.cod", cod("<a>" * 90_000)),
    "endless elements": ("a.cod", cod("<a/>" * 240_000)),
    "other XML": ("a.cod", lambda: b"<?xml version='1.0'?><html/>"),
    "XML in no known encoding": ("a.cod", lambda: b"<?xml version='1.0' encoding='x'?>\x81\x8d"),
    "deep JSON": ("a.json", lambda: b'{"zones":' * 100_000),
    "deep lists": ("a.json", lambda: b'{"zones":' + b"[" * 1_000_000),
    "NaN": ("a.json", lambda: b'{"zones": {"main": [{"name": "a", "count": NaN}]}}'),
    "a key twice": ("a.json", lambda: b'{"text": "a", "text": "b"}'),
    "a number of 5,000 digits": ("a.json", lambda: b'{"text": ' + b"9" * 5000 + b"}"),
    "a list for an object": ("a.json", lambda: b'[{"text": "a"}]'),
    "wrong types": ("a.json", lambda: b'{"zones": {"main": {"name": "a"}}}'),
    "half a JSON object": ("a.json", lambda: b'{"text": "a'),
    "half characters in JSON": ("a.json", lambda: b'{"text": "a\\ud800"}'),
    "NUL in JSON": ("a.json", lambda: b'{"text": "a\\u0000"}'),
    "100,000 entries": ("a.json", lambda: b'{"zones":{"main":[' + b"{}," * 99_999 + b"{}]}}"),
    "spaces called JSON": ("a.json", lambda: b" " * MEBIBYTE),
    "nothing called JSON": ("a.json", lambda: b""),
    "a mebibyte of spaces": ("a.txt", lambda: b" " * MEBIBYTE),
    "a mebibyte of lines": ("a.txt", lambda: b"\n" * MEBIBYTE),
    "more than a mebibyte": ("a.txt", lambda: b" " * (MEBIBYTE + 1)),
    "NUL": ("a.txt", lambda: b"Brace\x00"),
    "half of UTF-16": ("a.txt", lambda: BOM_UTF16_LE + b"a\x00b"),
    "half characters in UTF-16": ("a.txt", lambda: BOM_UTF16_LE + b"\x00\xd8a\x00"),
    "UTF-16 without its mark": ("a.txt", lambda: "Brace".encode("utf-16-le")),
    "broken UTF-8": ("a.txt", lambda: b"\xef\xbb\xbfBrace\xff"),
    "bytes of no encoding": ("a.txt", lambda: b"Brace \x81\x8d\x01"),
    "quotes without end": ("a.csv", lambda: b'nome,copie\n"Brace,2\n' * 100),
    "a cell without end": ("a.csv", lambda: b'nome,copie\n"' + b"a" * 900_000 + b'",2'),
    "10,001 rows": ("a.csv", lambda: b"nome,copie\n" + b"Brace,1\n" * 10_001),
    "500 columns": ("a.csv", lambda: b"nome" + b",a" * 500),
    "columns of one name": ("a.csv", lambda: b"nome,nome\na,b"),
}
