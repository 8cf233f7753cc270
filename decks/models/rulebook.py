"""Rules that organisers bring: newer card lists, and formats of their own."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class CardListVersion(models.Model):
    """The banned, limited and other lists of a format as of a date; never changed, only added.

    Without owner they are the site's and hold for every event; an organiser's hold for the
    events that this organiser made. ``rows`` are the rows of the file: list, card, expansion,
    aliases.
    """

    format = models.CharField(_("format"), max_length=60, db_index=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="card_lists"
    )
    dated = models.DateField(_("valid from"))
    rows = models.JSONField(default=list)
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    loaded_at = models.DateTimeField(_("loaded"), auto_now_add=True)
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["format", "-dated", "-pk"]
        verbose_name = _("card lists")
        verbose_name_plural = _("card lists")

    def __str__(self) -> str:
        return f"{self.format} {self.dated:%Y-%m-%d}"


class HouseFormat(models.Model):
    """A format made from another by an organiser: other sizes, limits, kinds, lists.

    ``base`` and ``slug`` never change. ``version`` grows with each change; once an event has
    started with it (``locked_at``) it can't be changed any more.
    """

    slug = models.SlugField(max_length=50, unique=True)
    base = models.CharField(_("made from"), max_length=60)
    name = models.CharField(_("name"), max_length=80)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="house_formats"
    )
    changes = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    locked_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("house format")
        verbose_name_plural = _("house formats")

    def __str__(self) -> str:
        return self.name
