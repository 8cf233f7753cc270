"""URLs of the app: those of each feature."""

from tournaments.advice.urls import urlpatterns as advice
from tournaments.arrivals.urls import urlpatterns as arrivals
from tournaments.checks.urls import urlpatterns as checks
from tournaments.clock.urls import urlpatterns as clock
from tournaments.criteria.urls import urlpatterns as criteria
from tournaments.decklists.urls import urlpatterns as decklists
from tournaments.desk.urls import urlpatterns as desk
from tournaments.diagrams.urls import urlpatterns as diagrams
from tournaments.erasing.urls import urlpatterns as erasing
from tournaments.events.urls import urlpatterns as events
from tournaments.exports.urls import urlpatterns as exports
from tournaments.floor.urls import urlpatterns as floor
from tournaments.formulas.urls import urlpatterns as formulas
from tournaments.judging.urls import urlpatterns as judging
from tournaments.keeping_apart.urls import urlpatterns as keeping_apart
from tournaments.log.urls import urlpatterns as log
from tournaments.lots.urls import urlpatterns as lots
from tournaments.paper.urls import urlpatterns as paper
from tournaments.penalties.urls import urlpatterns as penalties
from tournaments.personal.urls import urlpatterns as personal
from tournaments.player_pages.urls import urlpatterns as player_pages
from tournaments.players.urls import urlpatterns as players
from tournaments.prospects.urls import urlpatterns as prospects
from tournaments.public.urls import urlpatterns as public
from tournaments.questions.urls import urlpatterns as questions
from tournaments.results.urls import urlpatterns as results
from tournaments.rounds.urls import urlpatterns as rounds
from tournaments.screen.urls import urlpatterns as screen
from tournaments.sharing.urls import urlpatterns as sharing
from tournaments.snapshots.urls import urlpatterns as snapshots
from tournaments.staff.urls import urlpatterns as staff
from tournaments.stages.urls import urlpatterns as stages
from tournaments.standings.urls import urlpatterns as standings
from tournaments.starting.urls import urlpatterns as starting
from tournaments.undo.urls import urlpatterns as undo

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
    *decklists,
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
    *players,
    *prospects,
    *questions,
    *results,
    *screen,
    *sharing,
    *snapshots,
    *staff,
    *stages,
    *starting,
    *undo,
]
