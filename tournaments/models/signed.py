"""Mixin of rows with an author."""

from typing import Any


class Signed:
    """A row made by an account of this site, or by a person whom an archive only names.

    ``by_name`` is empty unless the row came with an archive.
    """

    by: Any
    by_name: Any

    @property
    def who(self) -> str:
        """Return the name of the author; empty if unknown."""
        return str(self.by or self.by_name)
