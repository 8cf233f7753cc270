"""Who works on an event, scopes of API tokens, and stored answers for repeated requests."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from tournaments.models.event import Event
from tournaments.models.tables import BY_HAND, CODE, Column, Table


class StaffRole(models.Model):
    """A user's role on the staff of an event."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", _("Organiser")
        HEAD_JUDGE = "head_judge", _("Head judge")
        JUDGE = "judge", _("Judge")
        SCOREKEEPER = "scorekeeper", _("Scorekeeper")

    event = models.ForeignKey(Event, models.CASCADE, related_name="staff")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="staff_roles")
    role = models.CharField("role", max_length=12, choices=Role)
    given_at = models.DateTimeField(auto_now_add=True)

    declared = Table(
        {},
        plain="event user role given_at",
        key="staff",
        unlogged="who may do what; the lines that give and take roles tell it",
        here_only=True,
        stays=True,
        deleted_with="user",
    )

    class Meta:
        ordering = ["event", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "user", "role"], name="staff_role_given_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} – {self.get_role_display()}"


class StaffInvitation(models.Model):
    """An invitation to a staff role by link; accepting it gives the role.

    The row is then deleted. Only the SHA-256 of the token is stored. ``email`` is the organiser's
    note to tell invitations apart. ``may_sign_up``: an account can still be created with it.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="invitations")
    role = models.CharField("role", max_length=12, choices=StaffRole.Role)
    email = models.EmailField("e-mail address", blank=True, default="")
    token_hash = models.CharField(max_length=64, unique=True)
    may_sign_up = models.BooleanField(default=True)
    invited_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    declared = Table(
        {
            "token_hash": CODE,
            "email": Column(words=BY_HAND, undone=False),  # stored no longer than the invitation
            "may_sign_up": Column(undone=False),
        },
        plain="event role invited_at expires_at",
        unlogged="an offer; the line of who accepts it tells the role",
    )

    class Meta:
        ordering = ["event", "id"]

    def __str__(self) -> str:
        return f"{self.event} – {self.get_role_display()}"


class TokenScope(models.Model):
    """What an API token may do: in one event or all, at which level.

    A token without scope has all rights of its user.
    """

    class Level(models.TextChoices):
        READ = "read", _("Read only")
        RESULTS = "results", _("Read and enter results")
        MANAGE = "manage", _("Everything its owner can do")

    token = models.OneToOneField(AuthToken, models.CASCADE, related_name="scope")
    event = models.ForeignKey(
        Event, models.CASCADE, null=True, blank=True, related_name="token_scopes"
    )
    level = models.CharField("what it may do", max_length=7, choices=Level)

    declared = Table(
        {},
        plain="token event level",
        beside="how far a token of an account reaches",
    )

    def __str__(self) -> str:
        return f"{self.token_id} {self.level}"


class GivenAnswer(models.Model):
    """A stored API response to a request with an Idempotency-Key.

    It is written in the transaction of what the request does: neither exists without the other.
    ``request_hash`` is the digest of the request.
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
