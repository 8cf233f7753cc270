"""How organisers reach players: in no record, no copy of rows and no archive."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.tables import Column, Table


class Contact(models.Model):
    """The e-mail address and the membership numbers of a player, read by organisers alone.

    ``memberships`` are numbers by key of the membership (``rules.people.contacts``). The row is
    deleted with the player, with an erasure, and some days after the event (``manage.py tidy``).
    """

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="contact")
    email = models.EmailField(_("email address"), max_length=254, blank=True, default="")
    memberships = models.JSONField(default=dict, blank=True)

    declared = Table(
        {"email memberships": Column(words="it goes with its row")},
        plain="entry",
        unlogged="what organisers alone read; no digest is to hold it",
        deleted_with="entry",
        forgotten=True,
    )

    def __str__(self) -> str:
        return str(self.entry)
