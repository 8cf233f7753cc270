"""Card catalogues, their cards, and the versions of them that events began with."""

from django.conf import settings
from django.db import models


class CatalogueQuerySet(models.QuerySet["Catalogue"]):
    """QuerySet of catalogues, with filters by owner and state."""

    def open_to(self, user: object) -> "CatalogueQuerySet":
        """Return the site's catalogues and those of the user."""
        return self.filter(models.Q(owner__isnull=True) | models.Q(owner=user))

    def loaded(self) -> "CatalogueQuerySet":
        """Return the catalogues that hold cards today."""
        return self.filter(version__gt=0, dropped=False)


class Catalogue(models.Model):
    """The cards of one game: the site's, or an organiser's own.

    ``version`` is incremented by each load that changes something. One that its owner has
    ``dropped`` (deleted) holds only cards that events began with, until it is loaded again.
    """

    game = models.CharField("game", max_length=60)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="catalogues"
    )
    version = models.PositiveIntegerField(default=0)
    loaded_at = models.DateTimeField("loaded", auto_now=True)
    dropped = models.BooleanField(default=False)

    objects = CatalogueQuerySet.as_manager()

    class Meta:
        ordering = ["game", "pk"]
        verbose_name = "card catalogue"
        verbose_name_plural = "card catalogues"
        constraints = [
            models.UniqueConstraint(fields=["game", "owner"], name="catalogue_once_an_owner"),
            models.UniqueConstraint(
                fields=["game"],
                condition=models.Q(owner__isnull=True),
                name="one_catalogue_of_the_site",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.version}"


class CatalogueVersion(models.Model):
    """A version of a catalogue that events began with; catalogue None: they had none.

    ``loaded_at`` is when the version was loaded.
    """

    catalogue = models.ForeignKey(
        Catalogue, models.CASCADE, null=True, blank=True, related_name="versions"
    )
    version = models.PositiveIntegerField(default=0)
    loaded_at = models.DateTimeField("loaded", null=True, blank=True)

    class Meta:
        ordering = ["catalogue", "version"]
        verbose_name = "version of a card catalogue"
        verbose_name_plural = "versions of card catalogues"
        constraints = [
            models.UniqueConstraint(
                fields=["catalogue", "version"], name="one_row_a_catalogue_version"
            ),
            models.UniqueConstraint(
                fields=["version"],
                condition=models.Q(catalogue__isnull=True),
                name="one_row_without_catalogue",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalogue_id} {self.version}"


PRESENT = 0
"""``Card.until`` of the cards that a catalogue holds today."""


class CardQuerySet(models.QuerySet["Card"]):
    """QuerySet of cards, with filters by version of their catalogue."""

    def present(self) -> "CardQuerySet":
        """Return the cards of today."""
        return self.filter(until=PRESENT)

    def at(self, version: int) -> "CardQuerySet":
        """Return the cards of a version, kept as a ``CatalogueVersion`` or the present one."""
        still = models.Q(until=PRESENT) | models.Q(until__gt=version)
        return self.filter(still, since__lte=version)


class Card(models.Model):
    """One printing of a card; ``key`` and ``key_en`` are its names, normalised.

    ``other_names`` are those of its faces, separated by ``|``. ``legal_in`` says where it may be
    played, as ``rules.deckbuilding.catalogue`` writes it; empty if that is not known. The row
    applies from version ``since`` of its catalogue to the one before ``until`` (0: until now). A
    former row is kept only if events began with it.
    """

    catalogue = models.ForeignKey(Catalogue, models.CASCADE, related_name="cards")
    key = models.CharField(max_length=200, db_index=True)
    key_en = models.CharField(max_length=200, blank=True, db_index=True)
    name = models.CharField("name", max_length=160)
    name_en = models.CharField("English name", max_length=160, blank=True)
    kind = models.CharField("kind", max_length=80, blank=True)
    genus = models.CharField("genus", max_length=80, blank=True)
    expansion = models.CharField("expansion", max_length=80, blank=True)
    number = models.CharField("number", max_length=20, blank=True)
    max_copies = models.PositiveSmallIntegerField("most copies", null=True, blank=True)
    other_names = models.TextField("other names", blank=True, default="")
    legal_in = models.TextField("legal in", blank=True, default="")
    attributes = models.JSONField("attributes", default=dict)
    since = models.PositiveIntegerField(default=1)
    until = models.PositiveIntegerField(default=PRESENT)

    objects = CardQuerySet.as_manager()

    class Meta:
        ordering = ["key", "expansion", "number"]
        verbose_name = "card"
        verbose_name_plural = "cards"
        constraints = [
            models.UniqueConstraint(
                fields=["catalogue", "key", "expansion", "number", "until"],
                name="card_printing_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name
