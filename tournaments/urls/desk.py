"""What the staff opens while rounds are played."""

from django.urls import URLPattern, path

from tournaments.clock import views as clock
from tournaments.desk.views import desk
from tournaments.judging import views as judging
from tournaments.lots import views as lots
from tournaments.results.views import correction as desk_correction
from tournaments.results.views import desk as desk_results
from tournaments.results.views import form as desk_result_form
from tournaments.results.views import match as desk_match
from tournaments.rounds import views as desk_round
from tournaments.stages import views as desk_stages

EVENT = "events/<slug:slug>/"
DESK = f"{EVENT}desk/"
ROUND = f"{DESK}rounds/<int:ordinal>/"
MATCH = f"{EVENT}matches/<int:match_id>/"

urlpatterns: list[URLPattern] = [
    path(DESK, desk.desk, name="desk"),
    path(f"{DESK}tables/", desk.desk_tables, name="desk-tables"),
    path(f"{DESK}quick/", desk_results.desk_quick, name="desk-quick"),
    path(f"{DESK}save/<int:match_id>/", desk_results.desk_save, name="desk-save"),
    path(f"{DESK}draft/", desk.desk_draft, name="desk-draft"),
    path(f"{DESK}finish/", desk.desk_finish, name="desk-finish"),
    path(ROUND, desk_round.desk_round, name="desk-round"),
    path(f"{ROUND}change/", desk_round.desk_change, name="desk-change"),
    path(f"{ROUND}publish/", desk_round.desk_publish, name="desk-publish"),
    path(f"{ROUND}discard/", desk_round.desk_discard, name="desk-discard"),
    path(f"{ROUND}undo/", desk.desk_undo_round, name="desk-undo-round"),
    path(f"{ROUND}clock/", clock.desk_clock, name="desk-clock"),
    path(f"{EVENT}calls/<int:call_id>/take/", judging.call_take, name="call-take"),
    path(f"{EVENT}calls/<int:call_id>/close/", judging.call_close, name="call-close"),
    path(f"{EVENT}announcements/", judging.announcement, name="announcement"),
    path(
        f"{EVENT}announcements/<int:announcement_id>/end/",
        judging.announcement_end,
        name="announcement-end",
    ),
    path(f"{EVENT}rulings/", judging.rulings, name="rulings"),
    path(f"{MATCH}note/", judging.match_note, name="match-note"),
    path(f"{MATCH}ruling/", judging.match_ruling, name="match-ruling"),
    path(MATCH, desk_match.match, name="match"),
    path(f"{MATCH}result/", desk_result_form.desk_result, name="desk-result"),
    path(f"{MATCH}battle-cards/", desk_result_form.desk_battle, name="desk-battle"),
    path(f"{MATCH}take/", desk_result_form.match_take, name="match-take"),
    path(f"{MATCH}correct/", desk_correction.match_correct, name="match-correct"),
    path(f"{MATCH}leave/", desk_match.match_leave, name="match-leave"),
    path(f"{EVENT}lots/", lots.lots, name="lots"),
    path(f"{EVENT}lots/draw/", lots.lots_draw, name="lots-draw"),
    path(f"{EVENT}lots/by-hand/", lots.lots_hand, name="lots-hand"),
    path(f"{EVENT}lots/extra-match/", lots.lots_extra, name="lots-extra"),
    path(f"{EVENT}advance/", desk_stages.advance, name="advance"),
    path(f"{EVENT}advance/close/", desk_stages.advance_close, name="advance-close"),
    path(f"{EVENT}advance/undo/", desk_stages.advance_undo, name="advance-undo"),
    path(f"{EVENT}advance/second-leg/", desk_stages.second_leg, name="second-leg"),
]
