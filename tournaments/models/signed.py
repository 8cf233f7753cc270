"""Rows that say who made them."""

from typing import Any


class Signed:
    """A row made by an account of this site, or by somebody whom an archive only names.

    ``by_name`` is empty unless the row came with an archive.
    """

    by: Any
    by_name: Any

    @property
    def who(self) -> str:
        """Return the name of who made the row; empty where nobody is known."""
        return str(self.by or self.by_name)
