"""What services still do in a finished event, and services that concern no event."""

from collections.abc import Callable
from typing import Any

from django.test import override_settings

from accounts.models import Outgoing, User
from tests import factories as make
from tests.finished.event import Over, player
from tournaments.checks import services as check_ticks
from tournaments.decklists import services as decklists
from tournaments.decklists import services as published_lists
from tournaments.events import services as events
from tournaments.events import services as rooms
from tournaments.events import services as rulings
from tournaments.joining.services import fetch_link
from tournaments.judging import services as notes
from tournaments.models import Entry
from tournaments.player_pages.services import publish_profile, unpublish_profile
from tournaments.players.services import departures, entries, mailing
from tournaments.players.services import entries as links
from tournaments.prizes import services as prizes
from tournaments.screen.services import pin_view
from tournaments.snapshots import services as snapshots
from tournaments.staff import services as staff
from tournaments.undo import services as undo


def played_by(over: Over) -> User:
    """Return the account whose player number 1 is from now on."""
    user = User.objects.filter(entries__event=over.event).first() or make.user()
    Entry.objects.filter(pk=over.entry(1).pk).update(user=user)
    return user


PRIZES = {"by": "place", "rows": [{"from": 1, "to": 9, "prize": "Coppa"}]}


def _given(over: Over) -> Entry:
    prizes.set_prizes(event=over.event, table=PRIZES, by=over.by)
    return over.act(prizes.mark_prize_handed_out, number=1, given=True)


def _mailed(over: Over) -> object:
    played_by(over)
    with override_settings(SENDS_MAIL=True, SITE_ADDRESS="https://girone.example"):
        return over.act(mailing.mail_links)


def _unsent(over: Over) -> str:
    over.act(staff.offer_role, email="nora@example.org", role="judge", mailed=True)
    Outgoing.objects.update(state=Outgoing.State.FAILED)
    found: str = over.act(
        staff.unsent_invitation_token, invitation_id=over.event.invitations.get().pk
    )
    return found


ALLOWED: dict[str, Callable[[Over], Any]] = {
    "judging.end_announcement": lambda over: over.act(
        notes.end_announcement, announcement_id=over.told.pk
    ),
    "screen.pin_view": lambda over: over.act(pin_view, view="standings"),
    "checks.replace_ticks": lambda over: check_ticks.replace_ticks(
        check=over.check, version=0, lines=(), points=(), by=over.by
    ),
    "checks.update_ticks": lambda over: check_ticks.update_ticks(
        check=over.check, lines={0: True}, points={}, by=over.by
    ),
    "checks.finish_check": lambda over: check_ticks.finish_check(
        check=over.check, version=0, lines=(), points=(), outcome="clean", by=over.by
    ),
    "decklists.delete_draft": lambda over: decklists.delete_draft(
        entry=over.entry(1), by=player(over, 1)
    ),
    "decklists.submit_decklist, by the staff": lambda over: over.of(
        1, decklists.submit_decklist, text="1 A", reason="prova"
    ),
    "players.correct_departure": lambda over: over.of(
        3, departures.correct_departure, left="no_show"
    ),
    "players.change_entry": lambda over: over.of(
        1, entries.change_entry, changes={"name": "Adele"}
    ),
    "events.confirm_separate_rooms": lambda over: over.act(rooms.confirm_separate_rooms),
    "events.change_event": lambda over: over.act(events.change_event, changes={"about": "Ecco"}),
    "events.change_event_state": lambda over: over.act(events.change_event_state, action="reopen"),
    "prizes.set_prizes": lambda over: over.act(prizes.set_prizes, table=PRIZES),
    "prizes.mark_prize_handed_out": _given,
    "staff.offer_role": lambda over: over.act(
        staff.offer_role, email="nora@example.org", role="judge"
    ),
    "staff.accept_invitation": lambda over: (
        over.act(staff.offer_role, email="nora@example.org", role="judge"),
        staff.accept_invitation(invitation=over.event.invitations.get(), by=make.organiser()),
    ),
    "staff.revoke_invitation": lambda over: (
        over.act(staff.offer_role, email="nora@example.org", role="judge"),
        over.act(staff.revoke_invitation, invitation_id=over.event.invitations.get().pk),
    ),
    "player_pages.publish_profile": lambda over: publish_profile(user=played_by(over)),
    "player_pages.unpublish_profile": lambda over: (
        publish_profile(user=played_by(over)),
        unpublish_profile(user=played_by(over)),
    ),
    "joining.fetch_link": lambda over: fetch_link(event=over.event, secret=""),
    "players.mail_links": _mailed,
    "staff.unsent_invitation_token": _unsent,
    "players.make_link": lambda over: over.of(1, links.make_link),
    "players.make_links": lambda over: over.act(links.make_links),
    "players.revoke_link": lambda over: over.of(1, links.revoke_link),
    "judging.add_staff_note": lambda over: over.at(notes.add_staff_note, text="Ecco"),
    "judging.add_ruling": lambda over: over.at(notes.add_ruling, text="Ecco"),
    "events.store_rulings": lambda over: over.act(
        rulings.store_rulings, rulings="Ecco", seen=rulings.text_fingerprint("")
    ),
    "decklists.publish_decklists": lambda over: over.act(published_lists.publish_decklists),
    "decklists.hide_decklists": lambda over: (
        over.act(published_lists.publish_decklists),
        over.act(published_lists.hide_decklists),
    ),
    "snapshots.restore_snapshot": lambda over: over.act(
        snapshots.restore_snapshot, snapshot_id=over.snapshot.pk, confirm=over.event.name
    ),
    "staff.give_role": lambda over: over.act(
        staff.give_role, email=make.user().email, role="judge"
    ),
    "staff.remove_role": lambda over: over.act(staff.remove_role, role_id=over.role.pk),
    "staff.create_event_token": lambda over: over.act(staff.create_event_token, level="read"),
    "staff.revoke_event_token": lambda over: (
        over.act(staff.create_event_token, level="read"),
        over.act(staff.revoke_event_token, scope_id=over.event.token_scopes.get().pk),
    ),
    "undo.undo": lambda over: over.act(undo.undo, expected=over.event.version),
    "undo.redo": lambda over: (
        over.act(undo.undo, expected=over.event.version),
        over.act(undo.redo, expected=over.event.log.latest("number").number),
    ),
}
"""What may still be done; each call leaves everything else as it is."""

OF_NO_EVENT = {
    # A person may be erased at any time; tests/tournaments/erasing holds what that does.
    *("erasing.erase_player", "erasing.erase_account", "erasing.apply_erasures"),
    *("erasing.blank_text", "erasing.accept_reviewed_texts"),
    *("events.create_event", "events.create_event_with_format"),
    "repeats.repeat_event",  # makes another
    *("formulas.save_formula", "formulas.delete_formula", "own_formats.delete_format"),
    "players.drop_leaving_players",  # nobody plays
    # A series is no part of its events.
    *("series.create_series", "series.change_series", "series.delete_series", "series.add_event"),
    *("series.give_series_role", "series.remove_series_role", "series.decide_same"),
    *("series.decide_different", "series.split_person"),
    "results.confirm_due_reports",  # every match of a finished event is final
    "results.dispute_result",  # of tables of three and more, which this event has not
}
