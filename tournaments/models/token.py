"""Scopes of API tokens, and stored answers for repeated requests."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from tournaments.models.event import Event
from tournaments.models.tables import BY_HAND, CODE, Column, Table


class TokenScope(models.Model):
    """Scope of a token: one event or all, and its level.

    A token without a scope has all rights of its user.
    """

    class Level(models.TextChoices):
        READ = "read", _("Read only")
        RESULTS = "results", _("Read, and enter results")
        MANAGE = "manage", _("Everything that its user may do")

    token = models.OneToOneField(AuthToken, models.CASCADE, related_name="scope")
    event = models.ForeignKey(
        Event, models.CASCADE, null=True, blank=True, related_name="token_scopes"
    )
    level = models.CharField(_("what it may do"), max_length=7, choices=Level)

    declared = Table(
        {},
        plain="token event level",
        beside="how far a token of an account reaches",
    )

    def __str__(self) -> str:
        return f"{self.token_id} {self.level}"


class GivenAnswer(models.Model):
    """The stored answer to a request with an Idempotency-Key.

    Written in the transaction of the effect itself: there is never one without the other.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="given_answers")
    key = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(default=None, null=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    declared = Table(
        {"key": Column(words="a program's"), "request_hash": CODE, "body": BY_HAND},
        plain="user status at",
        beside="what the API answered an account",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.key}"
