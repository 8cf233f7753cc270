"""URLs of the app: those of each feature."""

from tournaments.advice.views import urlpatterns as advice
from tournaments.arrivals.views import urlpatterns as arrivals
from tournaments.checks.views import urlpatterns as checks
from tournaments.clock.views import urlpatterns as clock
from tournaments.criteria.views import urlpatterns as criteria
from tournaments.decklists.views.player import urlpatterns as decklists_player
from tournaments.decklists.views.shown import urlpatterns as decklists_shown
from tournaments.decklists.views.staff import urlpatterns as decklists_staff
from tournaments.desk.views.desk import urlpatterns as desk
from tournaments.diagrams.views import urlpatterns as diagrams
from tournaments.erasing.views import urlpatterns as erasing
from tournaments.events.views import urlpatterns as events
from tournaments.exports.views import urlpatterns as exports
from tournaments.floor.views import urlpatterns as floor
from tournaments.formulas.views import urlpatterns as formulas
from tournaments.judging.views import urlpatterns as judging
from tournaments.keeping_apart.views import urlpatterns as keeping_apart
from tournaments.log.views import urlpatterns as log
from tournaments.lots.views import urlpatterns as lots
from tournaments.paper.views import urlpatterns as paper
from tournaments.penalties.views import urlpatterns as penalties
from tournaments.personal.views import urlpatterns as personal
from tournaments.player_pages.views import urlpatterns as player_pages
from tournaments.players.views.access import urlpatterns as players_access
from tournaments.players.views.links import urlpatterns as players_links
from tournaments.players.views.player import urlpatterns as players_player
from tournaments.players.views.players import urlpatterns as players_players
from tournaments.players.views.registration import urlpatterns as players_registration
from tournaments.prospects.views import urlpatterns as prospects
from tournaments.public.views import urlpatterns as public
from tournaments.questions.views import urlpatterns as questions
from tournaments.results.views.correction import urlpatterns as results_correction
from tournaments.results.views.desk import urlpatterns as results_desk
from tournaments.results.views.form import urlpatterns as results_form
from tournaments.results.views.match import urlpatterns as results_match
from tournaments.results.views.player_report import urlpatterns as results_player_report
from tournaments.rounds.views import urlpatterns as rounds
from tournaments.screen.views import urlpatterns as screen
from tournaments.sharing.views import urlpatterns as sharing
from tournaments.snapshots.views import urlpatterns as snapshots
from tournaments.staff.views import urlpatterns as staff
from tournaments.stages.views import urlpatterns as stages
from tournaments.standings.views import urlpatterns as standings
from tournaments.starting.views import urlpatterns as starting
from tournaments.undo.views import urlpatterns as undo

app_name = "tournaments"
urlpatterns = [
    *events,  # first: "events/new/" is no event's page
    # What a hall asks for, as each address is compared with those before it.
    *personal,
    *rounds,
    *standings,
    *public,
    *advice,
    *arrivals,
    *checks,
    *clock,
    *criteria,
    *decklists_shown,
    *decklists_player,
    *decklists_staff,
    *desk,
    *diagrams,
    *erasing,
    *exports,
    *floor,
    *formulas,
    *judging,
    *keeping_apart,
    *log,
    *lots,
    *paper,
    *penalties,
    *player_pages,
    *players_players,
    *players_links,
    *players_player,
    *players_registration,
    *players_access,
    *prospects,
    *questions,
    *results_player_report,
    *results_desk,
    *results_match,
    *results_form,
    *results_correction,
    *screen,
    *sharing,
    *snapshots,
    *staff,
    *stages,
    *starting,
    *undo,
]
