"""Forms to sign in, and to sign up without revealing an account where the site sends mail."""

from typing import Any

from allauth.account.forms import LoginForm, SignupForm
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import consume
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from accounts.invitations import consume_invitation
from accounts.mail import can_reserve_mail, may_request_mail, too_many_mails_page
from accounts.models import User
from config import transaction
from config.problems import too_many_requests
from config.web import rule_error_response
from rules.errors import RuleError
from rules.wording import gettext_noop as _


def autofocus_first_field(form: forms.Form) -> None:
    """Set autofocus on a form's first field, unless the form was submitted.

    A refused form focuses its summary of errors instead.
    """
    if not form.is_bound:
        next(iter(form.fields.values())).widget.attrs["autofocus"] = True


class SignInForm(LoginForm):  # type: ignore[misc]
    """Sign-in form; ``forgotten`` is the link to reset the password, shown below the button."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        autofocus_first_field(self)
        password = self.fields["password"]
        self.forgotten, password.help_text = password.help_text, ""


TAKEN = "signup_taken"


class SignUpForm(SignupForm):  # type: ignore[misc]
    """Sign-up form that doesn't reveal whether an address already has an account.

    It takes the same time either way. If the site sends no mail it must say that an address is
    taken; a client that tries many taken addresses is then blocked for ten minutes.
    """

    account_already_exists: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Focus the first field; shorten the help on passwords, to keep the button in view."""
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = gettext_lazy(
            "Use at least 8 characters, and not only digits."
        )
        autofocus_first_field(self)

    def clean_email(self) -> str:
        """Return the address; raises ValidationError if it is taken and the site sends no mail."""
        request = context.request
        if not consume(request, action=TAKEN, dry_run=True):
            raise ImmediateHttpResponse(too_many_requests(request))
        try:
            return str(super().clean_email())
        except forms.ValidationError as wrong:
            if getattr(wrong, "code", "") == "email_taken":
                consume(request, action=TAKEN)
            raise

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Store the account, once per invitation if one is required.

        Return the account, or the response in its place. Concurrent submissions with one address
        behave like consecutive ones.
        """
        if settings.SENDS_MAIL and not _gets_mail(request, self.cleaned_data["email"]):
            raise ImmediateHttpResponse(too_many_mails_page(request))
        try:
            with transaction.atomic():
                if settings.SIGN_UP == "invitation" and not consume_invitation(request):
                    gone = render(request, "accounts/invitation_gone.html", status=404)
                    raise ImmediateHttpResponse(gone)
                if not self.account_already_exists:
                    return super().try_save(request)  # type: ignore[no-any-return]
        except IntegrityError:
            if not settings.SENDS_MAIL:
                return None, rule_error_response(request, RuleError("email_taken", TAKEN_MEANWHILE))
            self.account_already_exists = True
        make_password(self.cleaned_data["password1"])  # the same time as for a new account
        answer: Any = super().try_save(request)
        return answer  # type: ignore[no-any-return]


def _gets_mail(request: HttpRequest, email: str) -> bool:
    """Return whether the mail of this sign-up would be sent: no account is made without it."""
    template = "account/email/email_confirmation_signup"
    return can_reserve_mail(template, email) and may_request_mail(request, template, email)


TAKEN_MEANWHILE = _("An account with this email address already exists.")
