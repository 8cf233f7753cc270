"""Rules loaded or created here: newer card lists, and formats of organisers."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class CardListQuerySet(models.QuerySet["CardListVersion"]):
    """QuerySet of card list versions, with a filter by origin."""

    def loaded(self) -> "CardListQuerySet":
        """Return the versions loaded here, which apply to more than one event."""
        return self.filter(archived=False)


class CardListVersion(models.Model):
    """The banned, limited and other lists of a format as of a date; append-only.

    Without owner they are the site's and apply to every event; an organiser's apply to the
    events that this organiser created. Those imported with an archive (``archived``) apply only
    to the events that refer to them. ``rows`` are the rows of the file: list, card,
    expansion, aliases.
    """

    format = models.CharField("format", max_length=60, db_index=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="card_lists"
    )
    dated = models.DateField("valid from")
    rows = models.JSONField(default=list)
    fingerprint = models.CharField("fingerprint", max_length=64)
    archived = models.BooleanField("came with an archive", default=False)
    loaded_at = models.DateTimeField("loaded", auto_now_add=True)
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = CardListQuerySet.as_manager()

    class Meta:
        ordering = ["format", "-dated", "-pk"]
        verbose_name = "card lists"
        verbose_name_plural = "card lists"

    def __str__(self) -> str:
        return f"{self.format} {self.dated:%Y-%m-%d}"


class HouseFormatQuerySet(models.QuerySet["HouseFormat"]):
    """QuerySet of organisers' formats, with a filter by origin."""

    def made_here(self) -> "HouseFormatQuerySet":
        """Return the house formats not imported with an archive: only they are listed."""
        return self.filter(archived_as="")


class FormatContent(models.Model):
    """Columns of a version of an organiser's format (abstract model).

    A house format (a variant of a format) has ``changes`` of sizes, limits and kinds. A custom
    game's format has ``rules`` (JSON of ``rules.deckbuilding.data``), names the ``game``, and says
    in ``lists`` whether there are decklists and whether they are checked. ``dated`` is when the
    version was stored, None for old ones.
    """

    class Lists(models.TextChoices):
        OFF = "off", _("No lists")
        COLLECTED = "collected", _("Collected, not checked")
        COUNTED = "counted", _("Checked against rules")

    name = models.CharField("name", max_length=80)
    game = models.CharField("game", max_length=80, blank=True, default="")
    lists = models.CharField(
        "decklists", max_length=10, choices=Lists, default=Lists.COUNTED, blank=True
    )
    changes = models.JSONField(default=dict)
    rules = models.JSONField(null=True, blank=True, default=None)
    version = models.PositiveIntegerField(default=1)
    dated = models.DateTimeField(null=True, blank=True, default=None)

    class Meta:
        abstract = True


class HouseFormat(FormatContent):
    """An organiser's format: a variant of a format, or the format of a custom game.

    ``base`` and ``slug`` never change; the base of a custom game's format is ``own``. Each change
    increments ``version``. Once an event has started with the present one (``locked_at``), it is
    kept as a ``FormatVersion`` when the next one comes. A format imported with an archive applies
    to that event alone and has in ``archived_as`` the slug used in archives; without owner it is
    the site's.
    """

    slug = models.SlugField(max_length=50, unique=True)
    base = models.CharField("made from", max_length=60)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="house_formats",
    )
    archived_as = models.SlugField(max_length=50, blank=True, default="", db_index=False)
    locked_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = HouseFormatQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = "house format"
        verbose_name_plural = "house formats"

    def __str__(self) -> str:
        return self.name


class FormatVersion(FormatContent):
    """A former version of an organiser's format that events began with; never changes."""

    format = models.SlugField(max_length=50)

    class Meta:
        ordering = ["format", "version"]
        constraints = [
            models.UniqueConstraint(fields=["format", "version"], name="one_row_a_format_version")
        ]
        verbose_name = "version of a format"
        verbose_name_plural = "versions of formats"

    def __str__(self) -> str:
        return f"{self.name} {self.version}"
