"""Limits of uploaded files, the errors for files beyond them, and strict parsing of JSON."""

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from rules.errors import BadInput
from rules.json_reader import check_depth

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """Limits of a file: bytes sent and unpacked; rows, columns and cells of a table.

    ``elements``: the XML elements of one part of a workbook, two to four per cell. 80,000 take a
    second of the processor, 400,000 five; as CSV as many cells take a tenth of it.
    """

    size: int = MEBIBYTE
    unpacked: int = 20 * MEBIBYTE
    rows: int = 5000
    columns: int = 50
    cells: int = 1_000_000
    elements: int = 80_000

    @property
    def characters(self) -> int:
        """Return the maximum total length of all cells, shared strings counted at every use."""
        return 4 * self.size


ONE_LIST = FileLimits()


def file_rejected_error(template: str, **values: object) -> BadInput:
    """Return the error ``file_rejected`` with a message."""
    return BadInput("file_rejected", template, **values)


def require_size(content: bytes, limits: FileLimits) -> None:
    """Raise BadInput ``file_too_large`` for a file larger than ``limits.size``."""
    if len(content) > limits.size:
        raise BadInput(
            "file_too_large",
            "At most %(most)s KiB.",
            most=limits.size // KIBIBYTE,
        )


def too_many_rows_error(limits: FileLimits) -> BadInput:
    """Return the error ``file_rejected`` for a table with too many rows."""
    return file_rejected_error(
        "At most %(most)s rows.",
        most=limits.rows,
    )


def too_many_columns_error(limits: FileLimits) -> BadInput:
    """Return the error ``file_rejected`` for a table with too many columns."""
    return file_rejected_error(
        "At most %(most)s columns.",
        most=limits.columns,
    )


def too_many_cells_error(limits: FileLimits) -> BadInput:
    """Return the error ``file_rejected`` for a table with too many cells."""
    return file_rejected_error(
        "The file is too large. Upload only the list, without other sheets or pictures."
    )


def too_much_text_error(limits: FileLimits) -> BadInput:
    """Return the error ``file_rejected`` for a table whose cells are too long in total."""
    return file_rejected_error("Write at most %(most)s characters.", most=limits.characters)


def parse_strict_json(text: str) -> object:
    """Parse a JSON text; raise ValueError, TooDeepError.

    ValueError also for NaN, Infinity and duplicate keys; TooDeepError for excessive nesting.
    """
    check_depth(text.encode(errors="replace"))
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_refuse_duplicate_keys)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number.")


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("A key stands twice in an object.")
    return found
