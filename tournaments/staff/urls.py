"""URLs of staff."""

from django.urls import URLPattern, path

from tournaments.staff import views

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"

urlpatterns: list[URLPattern] = [
    path(f"{MANAGE}staff/", views.Staff.as_view(), name="manage-staff"),
    path(f"{MANAGE}staff/<int:role_id>/take/", views.staff_take, name="manage-staff-take"),
    path(
        f"{MANAGE}staff/invitations/<int:invitation_id>/revoke/",
        views.invitation_revoke,
        name="manage-invitation-revoke",
    ),
    path(f"{MANAGE}tokens/", views.Tokens.as_view(), name="manage-tokens"),
    path(
        f"{MANAGE}tokens/<int:scope_id>/revoke/",
        views.token_revoke,
        name="manage-token-revoke",
    ),
    path("invitations/<str:token>/", views.open_invitation, name="open-invitation"),
    path("invitations/", views.invitation, name="invitation"),
]
