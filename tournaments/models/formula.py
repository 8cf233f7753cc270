"""Formulas saved by organisers, and the tables of ``decks`` of which an event names rows, as its
archive brings them.
"""

from django.conf import settings
from django.db import models

from decks.models import CardListVersion, Decklist, FormatVersion, HouseFormat
from tournaments.models.tables import BY_HAND, CODE, OWN, Column, Table

Table(
    {
        "format fingerprint": CODE,
        "rows": Column(words="names of cards"),
        "owner loaded_by archived": Column(archived=False),
    },
    plain="dated loaded_at",
    key="card_lists",
    named=lambda event: CardListVersion.objects.filter(events=event),
).contribute_to_class(CardListVersion)
Table(
    {
        "name game": BY_HAND,
        "slug base": CODE,
        "changes rules": Column(words="sizes, limits and kinds of cards"),
        "archived_as": Column(words=CODE, archived=False),
    },
    plain="owner lists version dated locked_at created_at",
    key="house_formats",
    named=lambda event: HouseFormat.objects.filter(slug=event.format),
).contribute_to_class(HouseFormat)
Table(
    {
        "name game": BY_HAND,
        "format": CODE,
        "changes rules": Column(words="sizes, limits and kinds of cards"),
    },
    plain="lists version dated",
    key="format_versions",
    named=lambda event: FormatVersion.objects.filter(
        format=event.format, version=event.format_version
    ),
).contribute_to_class(FormatVersion)
Table(
    {
        "format fingerprint": CODE,
        "name raw upload_name": OWN,
        "upload": Column(words=OWN, archived=False),
        "text deck counts violations": Column(words="names of cards"),
    },
    plain="legal created_at",
    key="decklists",
    named=lambda event: (
        Decklist.objects.filter(submissions__entry__event=event).distinct().order_by("pk")
    ),
).contribute_to_class(Decklist)


class SavedFormulaQuerySet(models.QuerySet["SavedFormula"]):
    """QuerySet of saved tournament formats, filtered by origin."""

    def made_here(self) -> "SavedFormulaQuerySet":
        """Return the formulas that were not restored from an archive."""
        return self.filter(archived_as="")


class SavedFormula(models.Model):
    """A tournament format that an organiser made; ``definition`` is its JSON.

    Events refer to ``slug``, which never changes. A started event keeps its own plan. A format
    restored with an event's archive belongs to that event alone; ``archived_as`` is its slug in the
    archive. Without ``owner`` it is the site's.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField("name", max_length=80)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="saved_formulas",
    )
    archived_as = models.SlugField(max_length=60, blank=True, default="", db_index=False)
    definition = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = SavedFormulaQuerySet.as_manager()

    declared = Table(
        {
            "name": BY_HAND,
            "slug": CODE,
            "definition": Column(words="stages and places, which its maker named"),
            "archived_as": Column(words=CODE, archived=False),
            "changed_at": Column(archived=False),
        },
        plain="owner version created_at",
        key="formulas",
        named=lambda event: SavedFormula.objects.filter(slug=event.formula),
    )

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = "saved formula"
        verbose_name_plural = "saved formulas"

    def __str__(self) -> str:
        return self.name
