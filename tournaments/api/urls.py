"""Addresses of events and standings under the API's root."""

from django.urls import path

from tournaments.api.rank import RankView

app_name = "tournaments_api"

urlpatterns = [
    path("rank/", RankView.as_view(), name="rank"),
]
