"""Rows with an author."""

from typing import Any

from django.conf import settings
from django.db import models


def account_column() -> "models.ForeignKey[Any, Any]":
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )


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


class SignedRow(Signed, models.Model):
    """Base of tables whose rows have an author."""

    by = account_column()
    by_name = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        abstract = True
