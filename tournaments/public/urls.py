"""URLs of public."""

from django.urls import URLPattern, path, re_path

from tournaments.public import calendars, views

urlpatterns: list[URLPattern] = [
    path("", views.event_list, name="event-list"),
    re_path(r"^e/(?P<short>[A-Za-z]{4,8})/?$", views.short_address, name="short-address"),
    path("events.ics", calendars.calendar, name="calendar"),
    path("feed/", calendars.feed, name="feed"),
    path("events/<slug:slug>.ics", calendars.event_calendar, name="event-calendar"),
    path("events/<slug:slug>/", views.event, name="event"),
    path("events/<slug:slug>/rules/", views.rules, name="rules"),
    path("events/<slug:slug>/players/", views.players, name="players"),
]
