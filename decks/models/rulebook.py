"""Rules loaded or created here: newer card lists, and house formats."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class CardListQuerySet(models.QuerySet["CardListVersion"]):
    """Versions of card lists by origin."""

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

    format = models.CharField(_("format"), max_length=60, db_index=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="card_lists"
    )
    dated = models.DateField(_("valid from"))
    rows = models.JSONField(default=list)
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    archived = models.BooleanField(_("came with an archive"), default=False)
    loaded_at = models.DateTimeField(_("loaded"), auto_now_add=True)
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = CardListQuerySet.as_manager()

    class Meta:
        ordering = ["format", "-dated", "-pk"]
        verbose_name = _("card lists")
        verbose_name_plural = _("card lists")

    def __str__(self) -> str:
        return f"{self.format} {self.dated:%Y-%m-%d}"


class HouseFormatQuerySet(models.QuerySet["HouseFormat"]):
    """House formats by origin."""

    def made_here(self) -> "HouseFormatQuerySet":
        """Return the house formats not imported with an archive: only they are listed."""
        return self.filter(archived_as="")


class HouseFormat(models.Model):
    """A format derived from another by an organiser: other sizes, limits, kinds, lists.

    ``base`` and ``slug`` never change. ``version`` is incremented by each change; once an event
    has started with it (``locked_at``) it can't be changed any more. One imported with an archive
    applies to that event alone and has in ``archived_as`` the slug used in archives; without
    owner it is the site's.
    """

    slug = models.SlugField(max_length=50, unique=True)
    base = models.CharField(_("made from"), max_length=60)
    name = models.CharField(_("name"), max_length=80)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="house_formats",
    )
    archived_as = models.SlugField(max_length=50, blank=True, default="", db_index=False)
    changes = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    locked_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = HouseFormatQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("house format")
        verbose_name_plural = _("house formats")

    def __str__(self) -> str:
        return self.name
