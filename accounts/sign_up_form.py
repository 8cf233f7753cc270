"""The form for a new account, which tells nobody who has one where mail is set up."""

from typing import Any

from allauth.account.forms import SignupForm
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import consume
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.invitations import use
from accounts.models import User
from config import transaction
from config.problems import too_many
from config.web import refusal
from rules.errors import RuleError
from rules.wording import gettext_noop as _

TAKEN = "signup_taken"


class SignUp(SignupForm):  # type: ignore[misc]
    """Makes an account where there is none, and does as much work where there is one.

    Where no mail is set up a taken address has to be named; who asks for many of them can't sign
    up from that address of the network for an hour, so that the next answer tells nothing.
    """

    account_already_exists: bool

    def clean_email(self) -> str:
        """Return the address; an error where it is taken and no mail can say so instead."""
        request = context.request
        if not consume(request, action=TAKEN, dry_run=True):
            raise ImmediateHttpResponse(too_many(request))
        try:
            return str(super().clean_email())
        except forms.ValidationError as wrong:
            if getattr(wrong, "code", "") == "email_taken":
                consume(request, action=TAKEN)
            raise

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Store the account, once for each invitation where one is needed.

        Returns the account, or what answers in its place. Two at the same moment with one
        address are the same as one after the other.
        """
        try:
            with transaction.atomic():
                if settings.SIGN_UP == "invitation" and not use(request):
                    gone = render(request, "accounts/invitation_gone.html", status=404)
                    raise ImmediateHttpResponse(gone)
                if not self.account_already_exists:
                    return super().try_save(request)  # type: ignore[no-any-return]
        except IntegrityError:
            if not settings.SENDS_MAIL:
                return None, refusal(request, RuleError("email_taken", TAKEN_MEANWHILE))
            self.account_already_exists = True
        make_password(self.cleaned_data["password1"])  # as long as it takes for a new account
        answer: Any = super().try_save(request)
        return answer  # type: ignore[no-any-return]


TAKEN_MEANWHILE = _("There is already an account with this e-mail address. Nothing was stored.")
