"""The user, invitations, privacy notices, the use of API tokens, and the outbox."""

from typing import Any, ClassVar
from uuid import uuid4

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

SECOND_FACTORS = ("totp", "webauthn")
"""Authenticators that count as a second factor; recovery codes only replace one of these."""


class UserManager(BaseUserManager["User"]):
    """Manager that creates users by email address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a user; without password signing in is impossible."""
        if not email:
            raise ValueError("A user needs an email address.")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a user with all permissions, the admin site included."""
        fields |= {"is_staff": True, "is_superuser": True}
        return self.create_user(email, password, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user with an email address, ignoring case."""
        return self.get(email__iexact=username)


class User(AbstractUser):
    """An account: a person who signs in. Players need none.

    ``ceiling_factor`` multiplies the limits of ``accounts.ceilings`` (0: no limits); ``person_key``
    is part of the URL of the person's page across events.
    """

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(
        "e-mail address",
        unique=True,
        error_messages={"unique": _("An account with this email address already exists.")},
    )
    name = models.CharField("name", max_length=80, help_text=_("Shown to others."))
    can_create_events = models.BooleanField("may create events", default=True)
    ceiling_factor = models.PositiveSmallIntegerField(
        "times the usual ceilings",
        default=1,
        help_text="How much the account may hold, as a multiple of the usual; 0 for no ceiling.",
    )
    # The address of the person's page across events; without one there is no such page.
    person_key = models.CharField(max_length=12, unique=True, null=True, blank=True, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        verbose_name = "user"
        verbose_name_plural = "users"
        constraints = (
            models.UniqueConstraint(Lower("email"), name="accounts_user_email_whatever_capitals"),
        )

    by_session = False
    """Whether the user signed in on a page; set by ``tournaments.staff.second_factor``."""

    def __str__(self) -> str:
        return self.name or self.email.partition("@")[0]  # never the address, which is private

    def save(self, *args: Any, **fields: Any) -> None:
        """Store the user; if the password changed, delete all API tokens.

        Whoever knew the old password may have created them.
        """
        is_other = getattr(self, "_password", None) is not None and self.pk is not None
        super().save(*args, **fields)
        if is_other:
            AuthToken.objects.filter(user=self).delete()

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)

    @cached_property
    def has_second_factor(self) -> bool:
        """Return whether the user has a second factor; one query, cached on the instance."""
        kept = apps.get_model("mfa", "Authenticator")._default_manager
        return kept.filter(user_id=self.pk, type__in=SECOND_FACTORS).exists()

    @property
    def lacks_second_factor(self) -> bool:
        """Return whether the site requires a second factor that this user lacks on a page.

        Their permissions are suspended until they set one up; API tokens and commands are not
        affected.
        """
        demanded = self.by_session and settings.SECOND_FACTOR == "demanded"
        return demanded and not self.has_second_factor


class SignUpInvitation(models.Model):
    """An invitation to create one account; deleted when used.

    Only the SHA-256 of the token is stored, so that the database reveals no link. ``first`` marks
    the invitation of a laptop's first organiser (``accounts.first_organiser``).
    """

    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    first = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = "invitation"
        verbose_name_plural = "invitations"

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M}"


class PrivacyNotice(models.Model):
    """The operator's own privacy text in one language, replacing the shipped one.

    Plain text: paragraphs are separated by empty lines; a line that begins with "# " is a heading.
    """

    language = models.CharField("language", max_length=2, choices=settings.LANGUAGES, unique=True)
    text = models.TextField(
        "text",
        max_length=50_000,
        help_text="Empty lines part paragraphs; a line that begins with “# ” is a heading.",
    )
    changed_at = models.DateTimeField("changed", auto_now=True)

    class Meta:
        ordering = ("language",)
        verbose_name = "privacy page"
        verbose_name_plural = "privacy pages"

    def __str__(self) -> str:
        return self.get_language_display()


class TokenUse(models.Model):
    """When an API token was last used; written at most every ten minutes."""

    token = models.OneToOneField(AuthToken, models.CASCADE, related_name="use")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.token_id} {self.at:%Y-%m-%d %H:%M}"


def new_key() -> str:
    """Return a random delivery key: 32 hexadecimal digits."""
    return uuid4().hex


class Outgoing(models.Model):
    """A queued delivery to one receiver, stored in the transaction that causes it.

    ``accounts.outbox`` explains queue and worker. The row holds no text: ``kind`` is a registered
    ``DeliveryKind``, ``subject`` the primary key of the row it is about, ``about`` the few values
    that no other row has. ``key`` stays the same for all tries of a delivery. ``user`` is the
    account addressed, ``event`` the event whose staff see the row.

    Log, archive and snapshots of an event don't hold these rows, and undo keeps them: if undo
    deleted the row that a delivery is about, the delivery is dropped. Erasing deletes the rows to
    an account's addresses and about a player. ``receiver`` is emptied 7 days after the end, the row
    is deleted after 30.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        SENT = "sent", _("Sent")
        FAILED = "failed", _("Failed")

    key = models.CharField(max_length=32, unique=True, default=new_key)
    kind = models.CharField(max_length=60)
    receiver = models.CharField(max_length=500, blank=True)
    language = models.CharField(max_length=5)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="outgoing"
    )
    event = models.PositiveBigIntegerField(null=True, blank=True)
    subject = models.PositiveBigIntegerField(null=True, blank=True)
    about = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=200, blank=True)
    queued_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-queued_at", "-id")
        indexes = (
            models.Index(
                fields=["due_at"], condition=models.Q(state="waiting"), name="outgoing_waiting"
            ),
            models.Index(fields=["event", "-queued_at"], name="outgoing_of_event"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"  # never the address, which is private
