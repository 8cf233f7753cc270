"""Addresses of a person's own account, beside those of allauth."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("me/", views.Profile.as_view(), name="profile"),
    path("me/tokens/", views.make_token, name="make_token"),
    path("me/tokens/<str:start>/revoke/", views.revoke_token, name="revoke_token"),
]
