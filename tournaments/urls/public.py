"""What everybody may open."""

from django.urls import URLPattern, path

from tournaments.advice import views as advice
from tournaments.clock import views as clock
from tournaments.decklists.views import shown as public_lists
from tournaments.diagrams import views as formula_page
from tournaments.exports import views as downloads
from tournaments.lots import views as draws
from tournaments.players.views import registration as public_register
from tournaments.prospects import views as public_prospects
from tournaments.public import views as public
from tournaments.rounds import views as pairings
from tournaments.standings import views as standings

urlpatterns: list[URLPattern] = [
    path("", public.event_list, name="event-list"),
    path("advice/", advice.advice, name="advice"),
    path("events/<slug:slug>/", public.event, name="event"),
    path("events/<slug:slug>/register/", public_register.Register.as_view(), name="register"),
    path("events/<slug:slug>/players/", public.players, name="players"),
    path("events/<slug:slug>/pairings/", pairings.pairings, name="pairings"),
    path("events/<slug:slug>/pairings/<int:ordinal>/", pairings.pairings, name="pairings"),
    path("events/<slug:slug>/clock/", clock.clock, name="clock"),
    path("events/<slug:slug>/standings/", standings.standings, name="standings"),
    path("events/<slug:slug>/prospects/", public_prospects.prospects, name="prospects"),
    path("events/<slug:slug>/formula/", formula_page.formula, name="formula"),
    path("events/<slug:slug>/ranking/", standings.ranking, name="ranking"),
    path("events/<slug:slug>/transcript.json", downloads.transcript, name="transcript"),
    path("events/<slug:slug>/draws/", draws.draws, name="draws"),
    path("events/<slug:slug>/decklists/", public_lists.decklists, name="decklists"),
    path("events/<slug:slug>/decklists/<int:number>/", public_lists.decklist, name="decklist"),
    path(
        "events/<slug:slug>/decklists/<int:number>/<slug:kind>/",
        public_lists.decklist_file,
        name="decklist-file",
    ),
    path("events/<slug:slug>/played/", public_lists.played, name="played"),
]
