"""The user: known by an e-mail address, called by a name."""

from typing import Any, ClassVar

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

SECOND_FACTORS = ("totp", "webauthn")
"""What of allauth asks for more than the password; recovery codes only stand in for these."""


class UserManager(BaseUserManager["User"]):
    """Makes users by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a user; without password nobody can sign in as them."""
        if not email:
            raise ValueError("A user needs an e-mail address.")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Store a user who may do everything, the admin site included."""
        fields |= {"is_staff": True, "is_superuser": True}
        return self.create_user(email, password, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find a user by e-mail address, whatever its capitals."""
        return self.get(email__iexact=username)


class User(AbstractUser):
    """A person who signs in. Players need no account."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(
        _("e-mail address"),
        unique=True,
        error_messages={"unique": _("There is already an account with this e-mail address.")},
    )
    name = models.CharField(_("name"), max_length=80, help_text=_("As others will read it."))
    can_create_events = models.BooleanField(_("may create events"), default=True)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = (
            models.UniqueConstraint(Lower("email"), name="accounts_user_email_whatever_capitals"),
        )

    by_session = False
    """Whether the person signed in on a page; ``tournaments.staff.second_factor`` sets it."""

    def __str__(self) -> str:
        return self.name or self.email.partition("@")[0]  # the address is nobody's business

    def save(self, *args: Any, **fields: Any) -> None:
        """Store the user; where the password is another one, all tokens of programs end.

        Whoever knew the old password may have made them.
        """
        is_other = getattr(self, "_password", None) is not None and self.pk is not None
        super().save(*args, **fields)
        if is_other:
            AuthToken.objects.filter(user=self).delete()

    def get_full_name(self) -> str:
        """Return the name that others read."""
        return str(self)

    def get_short_name(self) -> str:
        """Return the name that others read."""
        return str(self)

    @cached_property
    def has_second_factor(self) -> bool:
        """Say whether signing in takes more than the password; one query, once a request."""
        kept = apps.get_model("mfa", "Authenticator")._default_manager
        return kept.filter(user_id=self.pk, type__in=SECOND_FACTORS).exists()

    @property
    def lacks_second_factor(self) -> bool:
        """Say whether the site demands a second factor that this person signed in without.

        Their rights on events and on the site rest until they set one up; tokens of the API and
        commands are not asked.
        """
        demanded = self.by_session and settings.SECOND_FACTOR == "demanded"
        return demanded and not self.has_second_factor


class SignUpInvitation(models.Model):
    """An invitation to make one account; using it deletes it.

    Only the SHA-256 of the token is kept, so that the database gives no link away.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M}"


class PrivacyNotice(models.Model):
    """What the site's owner says on the privacy page; without one it says what is shipped.

    Plain text: empty lines part paragraphs, and a line that begins with "# " is a heading.
    """

    language = models.CharField(
        _("language"), max_length=2, choices=settings.LANGUAGES, unique=True
    )
    text = models.TextField(
        _("text"),
        max_length=50_000,
        help_text=_("Empty lines part paragraphs; a line that begins with “# ” is a heading."),
    )
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ("language",)
        verbose_name = _("privacy page")
        verbose_name_plural = _("privacy pages")

    def __str__(self) -> str:
        return self.get_language_display()


class TokenUse(models.Model):
    """When a program's token was used last, to some minutes."""

    token = models.OneToOneField(AuthToken, models.CASCADE, related_name="use")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.token_id} {self.at:%Y-%m-%d %H:%M}"
