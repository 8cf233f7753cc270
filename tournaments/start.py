"""Connect signals and registries once the app's models are loaded."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from accounts.invitations import KINDS
from tournaments.archive.reader import OTHER_ARCHIVES, event_restored
from tournaments.chain.lines import chain_unchained_logs
from tournaments.core.permissions import Actor
from tournaments.core.valid_columns import LOGGED
from tournaments.erasing.services.erase import account_erased, player_erased
from tournaments.joining.services import confirm_at_check_in
from tournaments.models import Entry, Event
from tournaments.models.tables import connect_row_marking
from tournaments.pages.access import CAUSED_BY_TIME, MOMENTS
from tournaments.players.services.departures import drop_leaving_players_if_due
from tournaments.players.services.entries import checked_in
from tournaments.repeats.services import event_repeated
from tournaments.results.selectors import next_confirmation_time
from tournaments.results.services.results import confirm_reports_if_due
from tournaments.rounds.services import DISCARDED, before_discard, round_published
from tournaments.series.archive import restore_if_series
from tournaments.series.erasing import redact_account_in_series, redact_player_in_series
from tournaments.series.finals import add_repetition
from tournaments.snapshots.services import take_snapshot
from tournaments.staff.services import StaffInvitations


def register_features(app: AppConfig) -> None:
    """Connect signals and fill registries once the app's models are loaded.

    After a migration, events without a log chain get one. Reports past their time limit are
    confirmed, and due players dropped, before an event is read (``CAUSED_BY_TIME``).
    """
    connect_row_marking(table.model for table in LOGGED)
    post_migrate.connect(chain_unchained_logs, sender=app)
    KINDS.append(StaffInvitations())
    CAUSED_BY_TIME.extend((confirm_reports_if_due, drop_leaving_players_if_due))
    MOMENTS.append(next_confirmation_time)
    OTHER_ARCHIVES.append(restore_if_series)
    event_restored.connect(_draw_restored_event, dispatch_uid="drawn as everybody sees it")
    round_published.connect(_write_round_sheets, dispatch_uid="written to the folder of sheets")
    before_discard.connect(_take_snapshot_before_discard, dispatch_uid="kept as a snapshot")
    player_erased.connect(redact_player_in_series, dispatch_uid="erased in series")
    account_erased.connect(redact_account_in_series, dispatch_uid="erased in series")
    event_repeated.connect(add_repetition, dispatch_uid="added to series")
    checked_in.connect(_sign_in_who_is_here, dispatch_uid="signed in on their phone")


def _draw_restored_event(*, event: Event, **_more: Any) -> None:
    """Draw a restored event; its pages are imported only then, as URLs are."""
    import_module("tournaments.public.drawn").render_event(event)


def _write_round_sheets(*, event: Event, ordinal: int, by: Actor, **_more: Any) -> None:
    """Write the sheets of a published round; what typesets them is imported only then."""
    import_module("tournaments.paper.services").write_round_pdf_on_commit(event, ordinal, by=by)


def _take_snapshot_before_discard(*, event: Event, by: Actor, **_more: Any) -> None:
    take_snapshot(event, DISCARDED.key, by=by)


def _sign_in_who_is_here(*, event: Event, entry: Entry, by: Actor, **_more: Any) -> None:
    confirm_at_check_in(event, entry, by)
