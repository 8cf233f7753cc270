"""What everybody may open."""

from django.urls import URLPattern, path

from tournaments.views import (
    advice,
    public,
    public_lists,
    public_play,
    public_prospects,
    public_register,
)

urlpatterns: list[URLPattern] = [
    path("", public.event_list, name="event-list"),
    path("advice/", advice.advice, name="advice"),
    path("events/<slug:slug>/", public.event, name="event"),
    path("events/<slug:slug>/register/", public_register.Register.as_view(), name="register"),
    path("events/<slug:slug>/players/", public.players, name="players"),
    path("events/<slug:slug>/pairings/", public_play.pairings, name="pairings"),
    path("events/<slug:slug>/pairings/<int:ordinal>/", public_play.pairings, name="pairings"),
    path("events/<slug:slug>/clock/", public_play.clock, name="clock"),
    path("events/<slug:slug>/standings/", public_play.standings, name="standings"),
    path("events/<slug:slug>/prospects/", public_prospects.prospects, name="prospects"),
    path("events/<slug:slug>/formula/", public_play.formula, name="formula"),
    path("events/<slug:slug>/ranking/", public_play.ranking, name="ranking"),
    path("events/<slug:slug>/transcript.json", public.transcript, name="transcript"),
    path("events/<slug:slug>/draws/", public_play.draws, name="draws"),
    path("events/<slug:slug>/decklists/", public_lists.decklists, name="decklists"),
    path("events/<slug:slug>/decklists/<int:number>/", public_lists.decklist, name="decklist"),
    path(
        "events/<slug:slug>/decklists/<int:number>/<slug:kind>/",
        public_lists.decklist_file,
        name="decklist-file",
    ),
    path("events/<slug:slug>/played/", public_lists.played, name="played"),
]
