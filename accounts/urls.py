"""URLs of the user's own account; they take precedence over allauth's.

What a view of allauth's stores, and the mail that tells it, is stored in one transaction.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as allauth
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.transaction import atomic
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import path, re_path

from accounts import first_organiser, invitations, views
from accounts.mail import mail_required, site_address_required
from accounts.second_factor import AuthenticatorsPage
from accounts.views import NewPasswordPage

View = Callable[..., HttpResponseBase]


def atomic_post(view: View) -> View:
    """Decorate a view that queues mail: a POST runs in one transaction."""

    @wraps(view)
    def stored(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        with atomic():
            return view(request, *args, **kwargs)

    return stored


PASSKEYS = [
    path(f"second-factor/webauthn/{address}", atomic_post(view), name=f"mfa_{name}_webauthn")
    for address, view, name in (
        ("add/", webauthn.add_webauthn, "add"),
        ("keys/<int:pk>/remove/", webauthn.remove_webauthn, "remove"),
    )
]
urlpatterns = [
    path("session/", views.session, name="session"),
    path("mail/", views.mail_state, name="mail_state"),
    path("me/", views.ProfilePage.as_view(), name="profile"),
    path("me/tokens/", views.make_token, name="make_token"),
    path("me/tokens/<str:start>/revoke/", views.revoke_token, name="revoke_token"),
    path("signup/", atomic_post(site_address_required(allauth.signup)), name="account_signup"),
    path(
        "password/reset/",
        atomic_post(mail_required(allauth.password_reset)),
        name="account_reset_password",
    ),
    path("password/change/", atomic_post(allauth.password_change), name="account_change_password"),
    path("password/set/", atomic_post(allauth.password_set), name="account_set_password"),
    path(
        "password/reset/done/",
        mail_required(allauth.password_reset_done),
        name="account_reset_password_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        NewPasswordPage.as_view(),
        name="account_reset_password_from_key",
    ),
    path("second-factor/", AuthenticatorsPage.as_view(), name="mfa_index"),
    path("first/", first_organiser.FirstOrganiserPage.as_view(), name="first_organiser"),
    path("first/<str:token>/", first_organiser.open_first_invitation, name="open_first_organiser"),
    path("invitation/<str:token>/", invitations.open_invitation, name="open_invitation"),
    path("email/", atomic_post(login_required(mail_required(allauth.email))), name="account_email"),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$",
        atomic_post(allauth.confirm_email),
        name="account_confirm_email",
    ),
    *(
        path(f"second-factor/{address}", atomic_post(view), name=f"mfa_{name}")
        for address, view, name in (
            ("totp/activate/", totp.activate_totp, "activate_totp"),
            ("totp/deactivate/", totp.deactivate_totp, "deactivate_totp"),
            (
                "recovery-codes/generate/",
                recovery_codes.generate_recovery_codes,
                "generate_recovery_codes",
            ),
        )
    ),
    *(PASSKEYS if "webauthn" in settings.MFA_SUPPORTED_TYPES else ()),
    path(
        "confirm-email/",
        mail_required(allauth.email_verification_sent),
        name="account_email_verification_sent",
    ),
]
