"""Limits of uploaded files, and the errors for files beyond them."""

from dataclasses import dataclass

from rules.errors import BadInput

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Maximum size of a file: bytes sent and unpacked, rows and columns of a table.

    ``of_a_row``: the XML elements of a row of a workbook, on average.
    """

    size: int = MEBIBYTE
    unpacked: int = 20 * MEBIBYTE
    rows: int = 5000
    columns: int = 50
    of_a_row: int = 40

    @property
    def characters(self) -> int:
        """Return the maximum total length of all cells, shared strings counted at every use."""
        return 4 * self.size

    @property
    def elements(self) -> int:
        """Return the maximum number of XML elements in one part of a workbook."""
        return self.of_a_row * self.rows


ONE_LIST = Limits()


def rejected(template: str, **values: object) -> BadInput:
    """Return the error ``file_rejected`` with this message."""
    return BadInput("file_rejected", template, **values)


def require_size(content: bytes, limits: Limits) -> None:
    """Raise BadInput ``file_too_large`` for a file over the limit."""
    if len(content) > limits.size:
        raise BadInput(
            "file_too_large",
            "The file is larger than %(most)s KiB; nothing was stored. Send the list only.",
            most=limits.size // KIBIBYTE,
        )


def too_many_rows(limits: Limits) -> BadInput:
    """Return the error for a table with too many rows."""
    return rejected(
        "The table has more than %(most)s rows; nothing was stored. Send the list only.",
        most=limits.rows,
    )


def too_many_columns(limits: Limits) -> BadInput:
    """Return the error for a table with too many columns."""
    return rejected(
        "The table has more than %(most)s columns; nothing was stored. Delete the others.",
        most=limits.columns,
    )


def too_much_text(limits: Limits) -> BadInput:
    """Return the error for a table whose cells are too long in total."""
    return rejected(
        "The table holds more than %(most)s characters; nothing was stored.", most=limits.characters
    )
