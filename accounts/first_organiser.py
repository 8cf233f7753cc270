"""The organiser of a laptop: an account made by the link that the first start prints or opens.

While that link waits nobody else signs up, so that no phone of a hall is first.
"""

from http import HTTPStatus
from io import StringIO
from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.devices import remember_device
from accounts.forms import NameForm
from accounts.invitations import invitation_expiry
from accounts.models import SignUpInvitation, User
from accounts.sign_in import autofocus_first_field
from config import transaction
from config.shown_once import new_token, token_hash
from config.web import RuleFormView
from rules.errors import RuleError

ADDRESS = "organiser@girone.local"
"""What the organiser signs in with who gives no address; no mail goes there."""
SESSION_KEY = "first_organiser"
BACKEND = "django.contrib.auth.backends.ModelBackend"


def has_account_with_password() -> bool:
    """Return whether an active account with a password exists; one query."""
    active = User.objects.filter(is_active=True)
    return active.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX).exists()


def awaits_first_organiser() -> bool:
    """Return whether sign-up waits for the first organiser's account.

    True if they are invited and no account with a password exists; two queries.
    """
    return SignUpInvitation.objects.filter(first=True).exists() and not has_account_with_password()


@transaction.atomic
def invite_first_organiser() -> str:
    """Create an invitation for the first organiser and return its token; delete earlier ones.

    Return "" if an account with a password exists. Only the token's hash is stored.
    """
    SignUpInvitation.objects.filter(first=True).delete()
    if has_account_with_password():
        return ""
    token = new_token()
    SignUpInvitation.objects.create(
        token_hash=token_hash(token), expires_at=invitation_expiry(), first=True
    )
    return token


def is_valid_invitation(token_hash: str) -> bool:
    """Return whether a first organiser's invitation has this token hash and is unused.

    Two queries.
    """
    kept = SignUpInvitation.objects.filter(token_hash=token_hash, first=True)
    return kept.exists() and not has_account_with_password()


@transaction.atomic
def create_first_organiser(*, token_hash: str, name: str, email: str, password: str) -> User:
    """Create the first organiser's account, a superuser, and consume the invitation.

    Raises RuleError ``invitation_gone`` if it was used or an account with a password exists.
    """
    used = SignUpInvitation.objects.filter(token_hash=token_hash, first=True).delete()[0]
    if not used or has_account_with_password():
        raise RuleError("invitation_gone", "This link no longer works. Ask for a new one.")
    person = User.objects.create_superuser(email, password, name=name)
    # Nobody has proved an address of their own: with mail that is asked for at the next sign-in.
    proved = email == ADDRESS
    EmailAddress.objects.create(user=person, email=email, primary=True, verified=proved)
    return person


class FirstOrganiserForm(NameForm):
    """Form of the first organiser's account: name, password, optional email address.

    If only this machine can reach the site, also whether to add demo events.
    """

    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=gettext_lazy("Use at least 8 characters, and not only digits."),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        initial=ADDRESS,
        required=False,
        help_text=gettext_lazy("Used to sign in on other devices. You can leave it unchanged."),
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )

    demo = forms.BooleanField(label=gettext_lazy("Add demo events"), required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if not settings.ONLY_HERE:  # in a hall their known passwords would let anybody in
            del self.fields["demo"]
        autofocus_first_field(self)

    def clean_email(self) -> str:
        """Return the address in small letters, or the usual one; refuse one that is taken."""
        email = User.objects.normalize_email(self.cleaned_data["email"] or ADDRESS).lower()
        if User.objects.filter(email__iexact=email).exists():
            raise ValidationError(_("An account with this email address already exists."))
        return email

    def clean(self) -> None:
        """Check the password by the rules that hold for every account."""
        data = self.cleaned_data
        if "password" in data:
            person = User(name=data.get("name", ""), email=data.get("email", ""))
            try:
                validate_password(data["password"], person)
            except ValidationError as refused:
                self.add_error("password", refused)


@require_safe
@never_cache
def open_first_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Keep the invitation's token hash in the session; redirect to the form, without the token.

    404 if the invitation is not valid.
    """
    if not is_valid_invitation(token_hash(token)):
        return render(request, "accounts/invitation_gone.html", status=HTTPStatus.NOT_FOUND)
    request.session.cycle_key()
    request.session[SESSION_KEY] = token_hash(token)
    return redirect("first_organiser")


@method_decorator(never_cache, name="dispatch")
class FirstOrganiserPage(RuleFormView):
    """Page that creates the first organiser's account and signs them in."""

    template_name, form_class = "accounts/first_organiser.html", FirstOrganiserForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Show the form only to who opened a link that still works."""
        self.token_hash = str(request.session.get(SESSION_KEY, ""))
        if not is_valid_invitation(self.token_hash):
            return render(request, "accounts/invitation_gone.html", status=HTTPStatus.NOT_FOUND)
        return super().dispatch(request, *args, **kwargs)

    def act(self, form: FirstOrganiserForm) -> HttpResponse:
        """Store the organiser and sign them in."""
        demo = form.cleaned_data.pop("demo", False)
        person = create_first_organiser(token_hash=self.token_hash, **form.cleaned_data)
        if demo:
            call_command("demo", site=True, stdout=StringIO())
        login(self.request, person, BACKEND)
        response = redirect(settings.LOGIN_REDIRECT_URL if demo else "tournaments:event-new")
        return remember_device(self.request, response, person.email)
