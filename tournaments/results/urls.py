"""URLs of results."""

from django.urls import URLPattern, path

from tournaments.results.views import correction, desk, form, match, player_report

EVENT = "events/<slug:slug>/"
DESK = f"{EVENT}desk/"
MATCH = f"{EVENT}matches/<int:match_id>/"

urlpatterns: list[URLPattern] = [
    path(
        "events/<slug:slug>/me/matches/<int:match_id>/report/",
        player_report.Report.as_view(),
        name="my-report",
    ),
    path(f"{DESK}quick/", desk.desk_quick, name="desk-quick"),
    path(f"{DESK}save/<int:match_id>/", desk.desk_save, name="desk-save"),
    path(MATCH, match.match, name="match"),
    path(f"{MATCH}result/", form.desk_result, name="desk-result"),
    path(f"{MATCH}battle-cards/", form.desk_battle, name="desk-battle"),
    path(f"{MATCH}take/", form.match_take, name="match-take"),
    path(f"{MATCH}correct/", correction.match_correct, name="match-correct"),
    path(f"{MATCH}leave/", match.match_leave, name="match-leave"),
]
