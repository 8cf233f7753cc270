"""The judge's table: deck checks, sheets, penalties, extra time."""

from django.urls import URLPattern, path

from tournaments.checks import views as checks
from tournaments.checks import views as exchange
from tournaments.clock import views as clock
from tournaments.decklists.views import shown as sheets
from tournaments.penalties import views as penalties

EVENT = "events/<slug:slug>/"
CHECKS = f"{EVENT}checks/"
CHECK = f"{CHECKS}<int:check_id>/"
PENALTIES = f"{EVENT}penalties/"

urlpatterns: list[URLPattern] = [
    path(CHECKS, checks.checks, name="checks"),
    path(f"{CHECKS}pick/", checks.checks_pick, name="checks-pick"),
    path(f"{CHECKS}start/", checks.checks_start, name="checks-start"),
    path(CHECK, checks.check, name="check"),
    path(f"{CHECK}exchange/", exchange.check_exchange, name="check-exchange"),
    path(f"{EVENT}sheets/", sheets.deck_sheets, name="deck-sheets"),
    path(f"{EVENT}sheets/<int:number>/", sheets.deck_sheet, name="deck-sheet"),
    path(f"{EVENT}me/deck/sheet/", sheets.my_sheet, name="my-sheet"),
    path(PENALTIES, penalties.penalties, name="penalties"),
    path(
        f"{PENALTIES}<int:penalty_id>/take-back/",
        penalties.penalty_take_back,
        name="penalty-take-back",
    ),
    path(f"{EVENT}matches/<int:match_id>/extend/", clock.match_extend, name="match-extend"),
    path(
        f"{EVENT}extra-time/<int:extension_id>/take-back/",
        clock.extension_take_back,
        name="extension-take-back",
    ),
]
