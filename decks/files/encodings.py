"""Decode bytes: UTF-8 first, UTF-16 with a byte-order mark, else Windows-1252.

Files of other kinds than text, CSV and workbooks are told by how they begin, and named.
"""

import codecs
import re
from collections.abc import Collection

from decks.files.limits import file_rejected_error
from rules.errors import BadInput

_BINARY = (
    *((0, b"%PDF-", "PDF"), (0, b"\x89PNG", "PNG"), (0, b"\xff\xd8\xff", "JPEG")),
    *((0, b"GIF8", "GIF"), (8, b"WEBPVP8", "WebP"), (0, b"RIFF", "RIFF"), (0, b"{\\rtf", "RTF")),
    *((4, b"ftyphei", "HEIC"), (4, b"ftyp", "MP4"), (0, b"II*\x00", "TIFF")),
    *((0, b"MM\x00*", "TIFF"), (0, b"\x1f\x8b", "gzip"), (0, b"7z\xbc\xaf", "7z")),
    *((0, b"Rar!", "RAR"), (4, b"1AY&SY", "bzip2"), (0, b"\xfd7zXZ", "xz"), (0, b"%!PS", "PS")),
    *((0, b"SQLite format 3", "SQLite"), (0, b"bplist", "plist"), (0, b"\x7fELF", "ELF")),
)
_IN_ARCHIVE = (
    *(("xl/", ""), ("word/", "Word (.docx)"), ("ppt/", "PowerPoint (.pptx)")),
    *(("Index/", "Numbers"), ("Index.zip", "Numbers"), ("content.xml", "OpenDocument (.ods)")),
)
_FIRST_WORDS = (
    *(("begin:vcard", "vCard"), ("begin:vcalendar", "iCalendar"), ("%!ps", "PS")),
    *(("[internetshortcut]", "URL"), ("mime-version:", "MIME"), ("ydke://", "YDKE")),
)
_HTML = ("<!doctype html", "<html", "<head", "<body", "<table", "<div", "<meta", "<span", "<p>")
_TAG = re.compile(r"<[?!/]?[a-z][^<>]{0,200}[<>]")
_TRF = re.compile(r"^001 {1,4}[0-9]{1,4} [ mwf] ?.{40}", re.MULTILINE)
"""A player in a report of the world federation of chess: columns of fixed widths."""
BEGINNING = 2000


def wrong_kind_error(kind: str) -> BadInput:
    """Return the error ``file_rejected`` for a kind of file, such as "PDF"."""
    return file_rejected_error(
        "%(kind)s files can’t be read. Upload text, CSV or .xlsx.", kind=kind
    )


def recognise_binary(content: bytes) -> str:
    """Return the kind of a binary file by its first bytes, such as "PDF", else ""."""
    return next((name for at, sign, name in _BINARY if content.startswith(sign, at)), "")


def recognise_archive(names: Collection[str]) -> str:
    """Return the kind of a zip archive by its members' names; "" for an .xlsx workbook.

    "ZIP" if none is recognised.
    """
    for begin, kind in _IN_ARCHIVE:
        if any(name.startswith(begin) for name in names):
            return kind
    return "ZIP"


def recognise_text(text: str) -> str:
    """Return the kind of a text that is no list or table, such as "HTML", else ""."""
    begin = text.lstrip("\ufeff \t\r\n")[:BEGINNING].lower()
    if begin.startswith("<"):
        if "<tournament" in begin:
            return "TOM (.tdf)"
        if begin.startswith(_HTML) or "<html" in begin:
            return "HTML"
        if _TAG.match(begin):
            return "XML"
    if begin.startswith(("{", "[")) and text.rstrip()[-1] in "}]" and len(text.strip()) > 1:
        return "JSON"
    if found := next((kind for words, kind in _FIRST_WORDS if begin.startswith(words)), ""):
        return found
    return "TRF" if _TRF.search(text[: 50 * BEGINNING]) else ""


WORKBOOK = b"PK"
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def is_zip(content: bytes) -> bool:
    """Return whether bytes begin like a zip archive, such as a workbook."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))


def decode_text(content: bytes) -> str:
    """Return the text of a file, without its byte-order mark.

    Raises BadInput ``file_rejected`` for images, archives, old or encrypted office files and other
    binary content.
    """
    if content.startswith(OLD_OFFICE):
        raise file_rejected_error("The workbook is protected. Save it as .xlsx without a password.")
    if kind := recognise_binary(content):
        raise wrong_kind_error(kind)
    try:
        text = _decoded(content)
    except UnicodeDecodeError:
        raise _not_text_error() from None
    if "\x00" in text:
        raise _not_text_error()
    return text


def _decoded(content: bytes) -> str:
    if content.startswith(_UTF_16):
        return content.decode("utf-16").removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        if content.startswith(codecs.BOM_UTF8):
            raise
    # Windows-1252 decodes all but five bytes: control characters reveal binary content.
    text = content.decode("cp1252")
    if _CONTROLS.search(text):
        raise _not_text_error()
    return text


def _not_text_error() -> Exception:
    return file_rejected_error("The file can’t be read. Upload text, CSV or .xlsx.")
