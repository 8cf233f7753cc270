"""Decode bytes: UTF-8 first, UTF-16 with a byte-order mark, else Windows-1252."""

import codecs
import re

from decks.files.kinds import kind_of_bytes, of_other_kind
from decks.files.limits import rejected

WORKBOOK = b"PK"
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def is_zip(content: bytes) -> bool:
    """Return whether bytes begin like a zip archive, such as a workbook."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))


def decode(content: bytes) -> str:
    """Return the text of a file, without its byte-order mark.

    Raises BadInput ``file_rejected`` for images, archives, old or encrypted office files and
    other binary content.
    """
    if content.startswith(OLD_OFFICE):
        raise rejected("This is an old or protected workbook. Save it as .xlsx without a password.")
    if kind := kind_of_bytes(content):
        raise of_other_kind(kind)
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
    return rejected("The file holds no text that can be read. Send text, CSV or .xlsx.")
