"""Roles of the staff of an event, and invitations to it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event
from tournaments.models.tables import BY_HAND, CODE, Column, Table


class StaffRole(models.Model):
    """A role of a user on the staff of an event."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", _("Organiser")
        HEAD_JUDGE = "head_judge", _("Head judge")
        JUDGE = "judge", _("Judge")
        SCOREKEEPER = "scorekeeper", _("Scorekeeper")

    event = models.ForeignKey(Event, models.CASCADE, related_name="staff")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="staff_roles")
    role = models.CharField(_("role"), max_length=12, choices=Role)
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
    """An invitation to a role by link; accepting deletes it and gives the role.

    Only the SHA-256 of the token is kept. ``email`` is what the organiser wrote, to tell the
    invitations apart: it names nobody's account. ``may_sign_up`` until an account was made by it.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=12, choices=StaffRole.Role)
    email = models.EmailField(_("e-mail address"), blank=True, default="")
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
