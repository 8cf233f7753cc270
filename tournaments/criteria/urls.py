"""URLs of the criteria."""

from django.urls import URLPattern, path

from tournaments.criteria import views

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"

urlpatterns: list[URLPattern] = [
    path(f"{MANAGE}criteria/", views.Criteria.as_view(), name="manage-criteria"),
]
