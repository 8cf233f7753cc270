"""Requests of phones that wait for the staff, and the players whom a phone can ask for."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from config.shown_once import token_hash
from rules.events.joining import needs_code, oldest_valid_request
from tournaments.core.names import (
    attach_name_marks,
    compute_name_marks,
    load_name_marks,
    surname_sort_key,
)
from tournaments.models import Entry, Event, JoinClaim, PersonalLink

State = JoinClaim.State


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRequest:
    """A phone's request that waits for staff.

    ``code`` is "" if it must be typed to confirm. ``held``: somebody is signed in as the player;
    ``linked``: by a personal link; ``several``: several phones ask.
    """

    id: int
    entry: Entry
    code: str
    held: bool
    linked: bool
    several: bool
    since: datetime


def pending_requests(event: Event) -> QuerySet[JoinClaim]:
    """Return the queryset of an event's waiting, unexpired requests."""
    if not event.takes_phones:
        return JoinClaim.objects.none()
    players = Entry.objects.filter(event=event).joinable()
    found = JoinClaim.objects.filter(event=event, state=State.WAITING, entry__in=players)
    return found.filter(asked_at__gt=oldest_valid_request(timezone.now()))


def pending_request_rows(event: Event) -> tuple[PendingRequest, ...]:
    """Return the waiting requests, earliest first; one query, about four if any."""
    claims = list(pending_requests(event).order_by("asked_at", "pk"))
    if not claims:
        return ()
    wanted = {claim.entry_id for claim in claims}
    entries = list(Entry.objects.filter(pk__in=wanted).with_holders())
    attach_name_marks(entries, load_name_marks(event))
    known, count = {entry.pk: entry for entry in entries}, Counter(c.entry_id for c in claims)
    found = []
    for claim in claims:
        entry, several = known[claim.entry_id], count[claim.entry_id] > 1
        typed = needs_code(held=entry.held, waiting=count[claim.entry_id])
        found.append(
            PendingRequest(
                id=claim.pk,
                entry=entry,
                code="" if typed else claim.code,
                held=entry.held,
                linked=entry.linked,
                several=several,
                since=claim.asked_at,
            )
        )
    return tuple(found)


def find_claim(event: Event, secret: str) -> JoinClaim | None:
    """Return the request with this secret, or None; one query.

    It is found by hash, safe against timing.
    """
    found = JoinClaim.objects.filter(event=event, secret_hash=token_hash(secret))
    return found.select_related("entry").first()


def request_state(event: Event, claim: JoinClaim) -> str:
    """Return a request's state: waiting, confirmed, refused or expired.

    A confirmation that was undone counts as refused. At most one query.
    """
    if claim.state == State.WAITING:
        waits = claim.asked_at > oldest_valid_request(timezone.now()) and event.takes_phones
        players = (Entry.Status.WAITING, Entry.Status.REGISTERED, Entry.Status.CHECKED_IN)
        return "waiting" if waits and claim.entry.status in players else "expired"
    if claim.state == State.CONFIRMED and confirmed_link(claim) is None:
        return "refused"
    told = {State.CONFIRMED: "confirmed", State.FETCHED: "confirmed", State.REFUSED: "refused"}
    return told.get(State(claim.state), "expired")


def confirmed_link(claim: JoinClaim) -> PersonalLink | None:
    """Return the valid personal link that confirming a request created, or None.

    One query.
    """
    return PersonalLink.objects.filter(
        entry_id=claim.entry_id, token_hash=claim.token_hash, revoked_at__isnull=True
    ).first()


def joinable_players(event: Event) -> tuple[Entry, ...]:
    """Return the players as whom phones can sign in, by surname; two queries."""
    everybody = tuple(event.entries.order_by("number"))
    attach_name_marks(everybody, compute_name_marks(everybody))
    playing = {*Entry.objects.joinable().filter(event=event).values_list("pk", flat=True)}
    return tuple(
        sorted((entry for entry in everybody if entry.pk in playing), key=surname_sort_key)
    )
