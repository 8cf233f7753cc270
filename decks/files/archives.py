"""Zip archives: the directory is inspected before any member is read, in chunks."""

import zlib
from collections.abc import Iterator
from io import SEEK_END, BytesIO
from struct import unpack_from
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from decks.files.encodings import WORKBOOK, is_zip
from decks.files.limits import MEBIBYTE, FileLimits, file_rejected_error

PIECE = 64 * 1024  # bytes
MOST_MEMBERS = 500
HIGHEST_RATIO = 200  # maximum compression ratio, for members over a mebibyte

MOST_OF_DIRECTORY = 2 * MEBIBYTE
"""zipfile makes an object for each member, of at least 46 bytes, before it can be asked."""

_ENCRYPTED = 0x1
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")
_END, _END_LENGTH, _LONGEST_COMMENT = b"PK\x05\x06", 22, 65_535
_END_64, _END_64_LENGTH = b"PK\x06\x07", 20
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


def open_zip(file: IO[bytes]) -> ZipFile:
    """Open a zip archive with a directory of at most 2 MiB.

    Raises BadZipFile for a larger one, for archives of 4 GB and more (ZIP64), and for other files.
    """
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - _END_LENGTH - _LONGEST_COMMENT - _END_64_LENGTH))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_LENGTH:
        raise BadZipFile
    (directory,) = unpack_from("<L", tail, at + 12)
    large = tail[max(0, at - _END_64_LENGTH) : at].startswith(_END_64)
    if large or directory > MOST_OF_DIRECTORY:
        raise BadZipFile
    file.seek(0)
    return ZipFile(file)


class GzipReader:
    """Reader of a ``.gz`` file, unpacked as it is read, of at most 500 members.

    ``read`` raises EOFError for a file that is cut off, zlib.error for a damaged one, BadZipFile
    for more members.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._packed, self._members = file, b"", 1
        self._member = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes, none at the end."""
        while size > 0:
            self._packed = self._packed or self._file.read(PIECE)
            if not self._packed:
                if not self._member.eof:
                    raise EOFError
                return b""
            if self._member.eof:
                self._members += 1
                if self._members > MOST_MEMBERS:
                    raise BadZipFile
                self._member = zlib.decompressobj(zlib.MAX_WBITS | 16)
            unpacked = self._member.decompress(self._packed, size)
            self._packed = self._member.unconsumed_tail or self._member.unused_data
            if unpacked:
                return unpacked
        return b""


class Archive:
    """A zip archive in memory within ``FileLimits``; ``names`` are those of its members.

    Raises BadInput ``file_rejected`` for one that is damaged, encrypted, unsafe or too large.
    """

    def __init__(self, content: bytes, limits: FileLimits) -> None:
        """Inspect the directory; raises BadInput ``file_rejected``."""
        if not is_zip(content):
            raise damaged_file_error()
        try:
            self._file = open_zip(BytesIO(content))
        except _BROKEN:
            raise damaged_file_error() from None
        members = self._file.infolist()
        if len(members) > MOST_MEMBERS:
            raise oversized_archive_error()
        for member in members:
            _check_member(member)
        if sum(member.file_size for member in members) > limits.unpacked:
            raise oversized_archive_error()
        self.names = frozenset(member.filename for member in members)
        if len(self.names) < len(members):
            raise damaged_file_error()

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a member in chunks; raises BadInput if it is missing or damaged."""
        try:
            with self._file.open(name) as member:
                while piece := member.read(PIECE):
                    yield piece
        except (KeyError, *_BROKEN):
            raise damaged_file_error() from None

    def require_plain(self) -> None:
        """Raise BadInput if a member declares entities or is itself an archive."""
        for name in self.names:
            before = b""
            for at, piece in enumerate(self.pieces(name)):
                if at == 0 and piece.startswith(WORKBOOK):
                    raise oversized_archive_error()
                # UTF-16 has a zero byte beside each of these letters.
                seen = before + piece.replace(b"\0", b"")
                if any(word in seen for word in _DECLARATIONS):
                    raise damaged_file_error()
                before = seen[-len(_DECLARATIONS[0]) :]


def _check_member(member: ZipInfo) -> None:
    """Raise BadInput for a member that no workbook contains."""
    if member.flag_bits & _ENCRYPTED:
        raise file_rejected_error("The workbook is protected. Save it as .xlsx without a password.")
    parts = member.filename.replace("\\", "/").split("/")
    if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in parts[0]:
        raise damaged_file_error()
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise damaged_file_error()
    ratio = member.file_size / max(member.compress_size, 1)
    if member.file_size > MEBIBYTE and ratio > HIGHEST_RATIO:
        raise oversized_archive_error()


def damaged_file_error() -> Exception:
    """Return the error ``file_rejected`` for a damaged or unknown file."""
    return file_rejected_error("The file can’t be read. Upload text, CSV or .xlsx.")


def oversized_archive_error() -> Exception:
    """Return the error ``file_rejected`` for a file with far more in it than a decklist."""
    return file_rejected_error(
        "The file is too large. Upload only the list, without other sheets or pictures."
    )
