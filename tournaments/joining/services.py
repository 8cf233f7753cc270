"""Ask for a player's link on a phone, confirm or refuse such a request, and fetch the link once.

How often a client may ask, guess and type: a venue is one client, whose 300 phones behind one
address join within ten minutes, and each may have tapped a wrong name before.
"""

import secrets
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from config.clients import exceeds_rate_limit
from config.shown_once import derive_token, token_hash
from rules.events.joining import (
    check_code,
    check_event_not_over,
    check_request_limit,
    deletion_cutoff,
    needs_code,
    pick_free_code,
)
from tournaments.core.acts import Act, CacheEffect, Inverse, NoUndo, UndoTiming
from tournaments.core.permissions import Actor, is_staff
from tournaments.joining.selectors import confirmed_link, find_claim, pending_requests
from tournaments.log.services import begin_act, lock_event, record
from tournaments.models import Entry, Event, JoinClaim, LogLine, PersonalLink
from tournaments.players.services.entries import revoke_links

act = partial(
    Act, may=is_staff, state="move_player", order=UndoTiming.BESIDE, shows=CacheEffect.ADDS
)
CONFIRMED = act(
    key="join.confirmed",
    words=_("Signed in on a phone"),
    undo=Inverse("tournaments.joining.services.undo_confirmation"),
)
REFUSED = act(
    key="join.refused",
    words=_("Sign-in on a phone refused"),
    player_may=True,
    undo=NoUndo(),
)
SECRET_BYTES = 16
"""128 random bits."""
MINUTE = 60
TEN_MINUTES = 10 * MINUTE
PER_MINUTE, PER_TEN_MINUTES = 200, 1000
"""Requests of a client for one event."""
WRONG_SECRETS = 20
"""Unknown secrets of a client in ten minutes; one that is known is answered even then."""
TYPED_CODES = 60
"""Codes that a client types for one event in ten minutes: each is the word of a phone at hand."""
State = JoinClaim.State


class NewClaim(NamedTuple):
    """A new request of a phone, and its secret, which is stored only as a hash."""

    claim: JoinClaim
    secret: str


@transaction.atomic
def request_sign_in(*, event: Event, number: int, former: str = "") -> NewClaim:
    """Store a phone's request to sign in as the player with ``number``; return it.

    ``former``: secret of the phone's earlier request, which is withdrawn. Raises Entry.DoesNotExist
    for players that can't be joined; RuleError ``event_finished``, ``ask_at_the_desk`` if too many
    wait.
    """
    event = lock_event(event)
    check_event_not_over(event.state == Event.State.FINISHED)
    players = Entry.objects.filter(event=event).joinable()
    entry = players.get(number=number)
    now = timezone.now()
    JoinClaim.objects.filter(event=event, asked_at__lt=deletion_cutoff(now)).delete()
    if former:
        own = JoinClaim.objects.filter(event=event, secret_hash=token_hash(former))
        own.filter(state=State.WAITING).update(state=State.LEFT)
    waiting = list(pending_requests(event).values_list("entry_id", flat=True))
    check_request_limit(
        for_player=waiting.count(entry.pk), in_event=len(waiting), players=players.count()
    )
    taken = JoinClaim.objects.filter(event=event).values_list("code", flat=True)
    secret = secrets.token_urlsafe(SECRET_BYTES)
    claim = JoinClaim.objects.create(
        event=event,
        entry=entry,
        code=pick_free_code(taken, secrets.randbelow),
        secret_hash=token_hash(secret),
        token_hash=token_hash(_token_of(entry, secret)),
        asked_at=now,
    )
    return NewClaim(claim, secret)


@transaction.atomic
def confirm_request(*, event: Event, claim_id: int, code: str = "", by: Actor) -> Entry:
    """Sign a phone in, revoke the player's earlier links, and return the player.

    ``code``: displayed by the phone; needed if somebody is signed in as the player or several
    phones ask. Raises JoinClaim.DoesNotExist if the request no longer waits; RuleError
    ``code_wrong``, ``event_finished``.
    """
    event = begin_act(event, CONFIRMED, by=by)
    claim = pending_requests(event).get(pk=claim_id)
    entry = event.entries.with_holders().get(pk=claim.entry_id)
    waiting = pending_requests(event).filter(entry=entry).count()
    check_code(code, claim.code, needed=needs_code(held=entry.held, waiting=waiting))
    _sign_in(event, entry, claim, by)
    return entry


@transaction.atomic
def confirm_by_code(*, event: Event, number: int, code: str, by: Actor) -> Entry:
    """Sign in the phone that displays ``code`` for a player; return the player.

    Raises JoinClaim.DoesNotExist if no phone waits; RuleError ``code_wrong``, ``event_finished``.
    """
    event = begin_act(event, CONFIRMED, by=by)
    waiting = list(pending_requests(event).filter(entry__number=number))
    if not waiting:
        raise JoinClaim.DoesNotExist
    claim = next((each for each in waiting if each.code == code.strip()), waiting[0])
    return confirm_request(event=event, claim_id=claim.pk, code=code, by=by)


def confirm_at_check_in(event: Event, entry: Entry, by: Actor) -> None:
    """Confirm a checked-in player's request if it is the only one and needs no code.

    Only if staff check in (``by``); in the transaction of the check-in.
    """
    if not is_staff(by, event):
        return
    waiting = list(pending_requests(event).filter(entry=entry)[:2])
    if len(waiting) == 1:
        entry = event.entries.with_holders().get(pk=entry.pk)
        if not needs_code(held=entry.held, waiting=1):
            _sign_in(event, entry, waiting[0], by)


@transaction.atomic
def refuse_request(*, entry: Entry, claim_id: int | None = None, by: Actor) -> Entry:
    """Refuse a request for a player, or all without ``claim_id``; return the player.

    By the staff or the player. Raises JoinClaim.DoesNotExist if none waits; RuleError
    ``event_finished``.
    """
    event = begin_act(entry.event, REFUSED, by=by, entry=entry)
    waiting = pending_requests(event).filter(entry_id=entry.pk)
    if claim_id is not None:
        waiting = waiting.filter(pk=claim_id)
    keys = list(waiting.values_list("pk", flat=True))
    if not keys:
        raise JoinClaim.DoesNotExist
    JoinClaim.objects.filter(pk__in=keys).update(state=State.REFUSED)
    record(event, REFUSED, by=by, subject=entry.name, after={"number": entry.number})
    return entry


@transaction.atomic
def fetch_link(*, event: Event, secret: str) -> tuple[PersonalLink, str] | None:
    """Return (link, token) of a confirmed request; the first time only, else None."""
    event = lock_event(event)
    claim = find_claim(event, secret)
    if claim is None or claim.state != State.CONFIRMED:
        return None
    link = confirmed_link(claim)
    if link is None:
        return None
    claim.state = State.FETCHED
    claim.save(update_fields=["state"])
    return link, _token_of(claim.entry, secret)


def delete_old_claims(now: datetime) -> None:
    """Delete old requests of all events, so that their codes can be reused."""
    JoinClaim.objects.filter(asked_at__lt=deletion_cutoff(now)).delete()


def _sign_in(event: Event, entry: Entry, claim: JoinClaim, by: Actor) -> None:
    """Make the link of a request, and record it; an account is told who confirmed it."""
    revoke_links(entry)
    told = by.user if entry.user_id else None
    PersonalLink.objects.create(entry=entry, token_hash=claim.token_hash, by=told)
    claim.state = State.CONFIRMED
    claim.save(update_fields=["state"])
    after = {"number": entry.number, "link": link_digest(claim.token_hash)}
    record(event, CONFIRMED, by=by, subject=entry.name, after=after)


def link_digest(token_hash: str) -> str:
    """Return a short digest that identifies a link in log lines."""
    return sha256(token_hash.encode()).hexdigest()[:16]


def _token_of(entry: Entry, secret: str) -> str:
    """Return the token that follows from a phone's secret."""
    return derive_token(secret, entry.event_id, entry.number)


def undo_confirmation(event: Event, line: LogLine, by: Actor) -> None:
    """Delete the link that a confirmation created, unless revoked since.

    Links that the confirmation revoked stay revoked.
    """
    number, mark = line.after["number"], line.after["link"]
    links = PersonalLink.objects.filter(entry__event=event, entry__number=number)
    for link in links.filter(revoked_at__isnull=True):
        if link_digest(link.token_hash) == mark:
            link.delete()


def exceeds_request_limit(request: HttpRequest, event: Event) -> bool:
    """Count a phone's request to sign in; return whether that is too many.

    The client's requests to this event are counted.
    """
    action = f"join:{event.pk}"
    return exceeds_rate_limit(
        action, request, most=PER_MINUTE, seconds=MINUTE
    ) or exceeds_rate_limit(action, request, most=PER_TEN_MINUTES, seconds=TEN_MINUTES)


def exceeds_guess_limit(request: HttpRequest) -> bool:
    """Count an unknown secret; return whether the client sent too many."""
    return exceeds_rate_limit("join-secret", request, most=WRONG_SECRETS, seconds=TEN_MINUTES)


def exceeds_code_limit(request: HttpRequest, event: Event) -> bool:
    """Count a code typed by staff; return whether the client sent too many."""
    action = f"join-code:{event.pk}"
    return exceeds_rate_limit(action, request, most=TYPED_CODES, seconds=TEN_MINUTES)
