"""Addresses of events and standings under the API's root."""

from django.urls import path

from tournaments.advice import api as advice
from tournaments.archive import api as archive
from tournaments.clock import api as clock
from tournaments.corrections import api as corrections
from tournaments.decklists import api as decklists
from tournaments.drafts import api as drafts
from tournaments.events import api as events
from tournaments.exports import api as exports
from tournaments.formulas import api as formulas
from tournaments.joining import api as joining
from tournaments.keeping_apart import api as keeping_apart
from tournaments.lots import api as lots
from tournaments.mails import api as mails
from tournaments.own_formats import api as own_formats
from tournaments.plan_changes import api as plan_changes
from tournaments.players import api as players
from tournaments.prizes import api as prizes
from tournaments.prospects import api as prospects
from tournaments.repeats import api as repeats
from tournaments.results import api as matches
from tournaments.results import api as results
from tournaments.rounds import api as rounds
from tournaments.series import api as series
from tournaments.series import api_files as series_files
from tournaments.series import api_finals as finals
from tournaments.series import api_today as day
from tournaments.sharing import api as sharing
from tournaments.site_status import api as site_status
from tournaments.snapshots import api as snapshots
from tournaments.stages import api as stages
from tournaments.standings import api as standings
from tournaments.starting import api as starting
from tournaments.strikes import api as strikes
from tournaments.undo import api as undo

app_name = "tournaments_api"
EVENT = "events/<slug:slug>/"
SERIES = "series/<slug:slug>/"
PLAYER = f"{EVENT}players/<int:number>/"
STAGE = f"{EVENT}stages/<int:number>/"
ROUND = f"{EVENT}rounds/<int:ordinal>/"
MATCH = f"{EVENT}matches/<int:match_id>/"
SNAPSHOT = f"{EVENT}snapshots/<int:snapshot_id>/"

urlpatterns = [
    path("rank/", standings.RankView.as_view(), name="rank"),
    path("site/", site_status.SiteStatusView.as_view(), name="site"),
    path("site/test-mail/", site_status.MailTestView.as_view(), name="test-mail"),
    path("tables/", standings.TablesView.as_view(), name="tables"),
    path("formulas/", formulas.FormulaList.as_view(), name="formulas"),
    path("formulas/advice/", advice.FormulaAdvice.as_view(), name="advice"),
    path("formulas/check/", formulas.FormulaCheck.as_view(), name="formula-check"),
    path("formulas/<slug:slug>/", formulas.SavedFormulaDetail.as_view(), name="saved-formula"),
    path("formats/", own_formats.EditableFormatList.as_view(), name="formats"),
    path("formats/<slug:slug>/", own_formats.EditableFormatDetail.as_view(), name="format"),
    path("series/", series.SeriesList.as_view(), name="series-list"),
    path("series/restore/", series_files.RestoreSeries.as_view(), name="series-restore"),
    path(SERIES, series.SeriesDetail.as_view(), name="series"),
    path(f"{SERIES}table/", series.SeriesTableDetail.as_view(), name="series-table"),
    path(f"{SERIES}export.xlsx", series_files.Workbook.as_view(), name="series-export"),
    path(f"{SERIES}table.csv", series_files.TableCsv.as_view(), name="series-csv"),
    path(f"{SERIES}people/", series.SeriesPeopleList.as_view(), name="series-people"),
    path(f"{SERIES}archive/", series_files.SeriesArchive.as_view(), name="series-archive"),
    path(f"{SERIES}close/", series.SeriesClosing.as_view(), name="series-close"),
    path(f"{SERIES}same/", series.PlayersMerge.as_view(), name="series-same"),
    path(f"{SERIES}same/<int:person>/", series.MergedPerson.as_view(), name="series-person"),
    path(f"{SERIES}next/", finals.NextEvent.as_view(), name="series-next"),
    path(f"{SERIES}final/", finals.FinalCreation.as_view(), name="series-final"),
    path(f"{SERIES}final/declined/", finals.FinalistReplacement.as_view(), name="series-declined"),
    path(f"{SERIES}prizes/", finals.SeriesPrizes.as_view(), name="series-prizes"),
    path(f"{SERIES}today/", day.SeriesTodayView.as_view(), name="series-today"),
    path(f"{SERIES}seats/", day.Seats.as_view(), name="series-seats"),
    path("events/", events.EventList.as_view(), name="events"),
    path("events/restore/", archive.RestoreArchive.as_view(), name="restore"),
    path(EVENT, events.EventDetail.as_view(), name="event"),
    path(f"{EVENT}information/", events.EventInformation.as_view(), name="information"),
    path(f"{EVENT}start/", starting.StartEvent.as_view(), name="start"),
    path(f"{EVENT}plan/", plan_changes.PlanDetail.as_view(), name="plan"),
    path(f"{EVENT}finish/", events.FinishEvent.as_view(), name="finish"),
    path(f"{EVENT}join/", joining.JoinList.as_view(), name="join"),
    path(f"{EVENT}join/claim/", joining.JoinClaimView.as_view(), name="join-claim"),
    path(f"{EVENT}join/<int:claim_id>/", joining.JoinDetail.as_view(), name="join-detail"),
    path(
        f"{EVENT}join/<int:claim_id>/confirm/", joining.JoinConfirm.as_view(), name="join-confirm"
    ),
    path(f"{EVENT}repeat/", repeats.RepeatEvent.as_view(), name="repeat"),
    path(f"{EVENT}players/", players.PlayerList.as_view(), name="players"),
    path(PLAYER, players.PlayerDetail.as_view(), name="player"),
    path(f"{PLAYER}enter/", players.LateEntry.as_view(), name="player-enter"),
    path(f"{PLAYER}return/", players.RejoinRequest.as_view(), name="player-return"),
    path(f"{PLAYER}strike/", strikes.StrikePlayer.as_view(), name="player-strike"),
    path(f"{PLAYER}decklist/", decklists.PlayerDecklist.as_view(), name="decklist"),
    path(f"{EVENT}prizes/", prizes.PrizesDetail.as_view(), name="prizes"),
    path(f"{EVENT}texts/", sharing.Texts.as_view(), name="texts"),
    path(f"{EVENT}stages/", stages.StageList.as_view(), name="stages"),
    path(f"{STAGE}close/", stages.CloseStage.as_view(), name="stage-close"),
    path(f"{STAGE}second-leg/", stages.SecondLeg.as_view(), name="stage-second-leg"),
    path(f"{STAGE}lots/", lots.TiebreakingDraw.as_view(), name="stage-lots"),
    path(f"{STAGE}extra-matches/", rounds.ExtraMatches.as_view(), name="stage-extra-matches"),
    path(f"{EVENT}rounds/", rounds.RoundList.as_view(), name="rounds"),
    path(ROUND, rounds.RoundDetail.as_view(), name="round"),
    path(f"{ROUND}publish/", rounds.Publish.as_view(), name="round-publish"),
    path(f"{ROUND}clock/", clock.ClockView.as_view(), name="round-clock"),
    path(f"{ROUND}check/", drafts.DraftCheckView.as_view(), name="round-check"),
    path(f"{ROUND}changes/", drafts.DraftChangesView.as_view(), name="round-changes"),
    path(f"{EVENT}matches/", matches.MatchList.as_view(), name="matches"),
    path(MATCH, matches.MatchDetail.as_view(), name="match"),
    path(f"{MATCH}result/", results.Result.as_view(), name="match-result"),
    path(f"{MATCH}confirm/", results.Confirm.as_view(), name="match-confirm"),
    path(f"{MATCH}contradict/", results.DisputeResult.as_view(), name="match-contradict"),
    path(f"{MATCH}effects/", results.ResultEffects.as_view(), name="match-effects"),
    path(f"{MATCH}correction/", corrections.MatchCorrection.as_view(), name="match-correction"),
    path(f"{MATCH}bye/", corrections.MatchBye.as_view(), name="match-bye"),
    path(
        f"{EVENT}draws/<int:number>/correction/",
        corrections.LotsCorrection.as_view(),
        name="draw-correction",
    ),
    path(
        f"{EVENT}seeds/correction/",
        corrections.SeedsCorrection.as_view(),
        name="seeds-correction",
    ),
    path(
        f"{PLAYER}correction/",
        corrections.PlayerCorrection.as_view(),
        name="player-correction",
    ),
    path(f"{MATCH}extensions/", clock.ExtensionList.as_view(), name="match-extensions"),
    path(
        f"{MATCH}extensions/<int:extension_id>/",
        clock.ExtensionDetail.as_view(),
        name="match-extension",
    ),
    path(f"{EVENT}apart/", keeping_apart.SeparatedPairList.as_view(), name="apart"),
    path(
        f"{EVENT}apart/<int:a>/<int:b>/",
        keeping_apart.SeparatedPairDetail.as_view(),
        name="apart-pair",
    ),
    path(f"{EVENT}mails/", mails.MailList.as_view(), name="mails"),
    path(f"{EVENT}mails/<int:mail_id>/again/", mails.ResendMail.as_view(), name="mail-again"),
    path(f"{EVENT}undo/", undo.UndoView.as_view(), name="undo"),
    path(f"{EVENT}redo/", undo.RedoView.as_view(), name="redo"),
    path(f"{EVENT}standings/", standings.StandingsView.as_view(), name="standings"),
    path(f"{EVENT}standings/release/", standings.Release.as_view(), name="standings-release"),
    path(f"{EVENT}lists/release/", decklists.ListsRelease.as_view(), name="lists-release"),
    path(f"{EVENT}tie-breaks/", standings.TieBreaks.as_view(), name="tie-breaks"),
    path(f"{EVENT}scenarios/", prospects.Scenarios.as_view(), name="scenarios"),
    path(f"{EVENT}ranking/", standings.Ranking.as_view(), name="ranking"),
    path(f"{EVENT}snapshots/", snapshots.SnapshotList.as_view(), name="snapshots"),
    path(SNAPSHOT, snapshots.SnapshotDetail.as_view(), name="snapshot"),
    path(f"{SNAPSHOT}restore/", snapshots.SnapshotRestore.as_view(), name="snapshot-restore"),
    path(f"{EVENT}archive.json", archive.ArchiveView.as_view(), name="archive"),
    path(f"{EVENT}export.xlsx", exports.WorkbookView.as_view(), name="export"),
    path(f"{EVENT}standings.csv", exports.StandingsCsv.as_view(), name="standings-csv"),
    path(f"{EVENT}ranking.csv", exports.RankingCsv.as_view(), name="ranking-csv"),
    path(f"{EVENT}matches.csv", exports.MatchesCsv.as_view(), name="matches-csv"),
    path(f"{EVENT}players.csv", exports.PlayersCsv.as_view(), name="players-csv"),
]
