"""URLs of the user's own account; they take precedence over allauth's."""

from allauth.account import views as allauth
from django.contrib.auth.decorators import login_required
from django.urls import path, re_path

from accounts import first_organiser, invitations, views
from accounts.mail import needs_address, needs_mail
from accounts.second_factor.views import Index
from accounts.views import NewPassword

urlpatterns = [
    path("session/", views.session, name="session"),
    path("me/", views.Profile.as_view(), name="profile"),
    path("me/tokens/", views.make_token, name="make_token"),
    path("me/tokens/<str:start>/revoke/", views.revoke_token, name="revoke_token"),
    path("signup/", needs_address(allauth.signup), name="account_signup"),
    path("password/reset/", needs_mail(allauth.password_reset), name="account_reset_password"),
    path(
        "password/reset/done/",
        needs_mail(allauth.password_reset_done),
        name="account_reset_password_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        NewPassword.as_view(),
        name="account_reset_password_from_key",
    ),
    path("second-factor/", Index.as_view(), name="mfa_index"),
    path("first/", first_organiser.FirstOrganiser.as_view(), name="first_organiser"),
    path("first/<str:token>/", first_organiser.open_first_invitation, name="open_first_organiser"),
    path("invitation/<str:token>/", invitations.open_invitation, name="open_invitation"),
    path("email/", login_required(needs_mail(allauth.email)), name="account_email"),
    path(
        "confirm-email/",
        needs_mail(allauth.email_verification_sent),
        name="account_email_verification_sent",
    ),
]
