"""Zip archives: the directory is inspected before any member is read, in chunks."""

import zlib
from collections.abc import Iterator
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from decks.files.encodings import WORKBOOK, is_zip
from decks.files.limits import MEBIBYTE, Limits, rejected

PIECE = 64 * 1024  # bytes
MOST_MEMBERS = 500
HIGHEST_RATIO = 200  # maximum compression ratio, for members over a mebibyte

_ENCRYPTED = 0x1
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


class Archive:
    """A zip archive whose directory is within the limits."""

    def __init__(self, content: bytes, limits: Limits) -> None:
        """Inspect the directory; raises BadInput ``file_rejected``."""
        if not is_zip(content):
            raise damaged_error()
        try:
            self._file = ZipFile(BytesIO(content))
        except _BROKEN:
            raise damaged_error() from None
        members = self._file.infolist()
        if len(members) > MOST_MEMBERS:
            raise _zip_bomb_error()
        for member in members:
            _check_member(member)
        if sum(member.file_size for member in members) > limits.unpacked:
            raise _zip_bomb_error()
        self.names = frozenset(member.filename for member in members)
        if len(self.names) < len(members):
            raise damaged_error()

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a member in chunks; raises BadInput if it is missing or damaged."""
        try:
            with self._file.open(name) as member:
                while piece := member.read(PIECE):
                    yield piece
        except (KeyError, *_BROKEN):
            raise damaged_error() from None

    def require_plain(self) -> None:
        """Raise BadInput if a member declares entities or is itself an archive."""
        for name in self.names:
            before = b""
            for at, piece in enumerate(self.pieces(name)):
                if at == 0 and piece.startswith(WORKBOOK):
                    raise _zip_bomb_error()
                # UTF-16 has a zero byte beside each of these letters.
                seen = before + piece.replace(b"\0", b"")
                if any(word in seen for word in _DECLARATIONS):
                    raise declarations_error()
                before = seen[-len(_DECLARATIONS[0]) :]


def _check_member(member: ZipInfo) -> None:
    """Raise BadInput for a member that no workbook contains."""
    if member.flag_bits & _ENCRYPTED:
        raise rejected("The workbook is protected. Save it without a password.")
    parts = member.filename.replace("\\", "/").split("/")
    if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in parts[0]:
        raise damaged_error()
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise damaged_error()
    ratio = member.file_size / max(member.compress_size, 1)
    if member.file_size > MEBIBYTE and ratio > HIGHEST_RATIO:
        raise _zip_bomb_error()


def damaged_error() -> Exception:
    """Return the error for a workbook that can't be opened."""
    return rejected(
        "The file is not a workbook that can be opened; nothing was stored. Save it as .xlsx again."
    )


def declarations_error() -> Exception:
    """Return the error for XML with a document type declaration."""
    return rejected("The file declares XML entities, which no list needs; nothing was stored.")


def _zip_bomb_error() -> Exception:
    return rejected(
        "The workbook unpacks to far more than a list. Copy the list alone into a new one."
    )
