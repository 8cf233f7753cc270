"""Permissions in an event: services enforce them, pages ask them.

Each is a predicate of (actor, object).
"""

from dataclasses import dataclass, field

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.models import Entry, Event, Match, StaffRole
from tournaments.models.entry import annotate_sign_in_requests

Role = StaffRole.Role
STAFF = frozenset(Role.values)


@dataclass(eq=False)
class Actor:
    """The person who acts: user, player, both or anonymous.

    ``entry``: the player, by personal link.
    """

    user: User | None = None
    entry: Entry | None = None
    _roles: dict[int, frozenset[str]] = field(default_factory=dict, repr=False)

    def roles(self, event: Event) -> frozenset[str]:
        """Return the actor's staff roles in an event; one query, cached by event."""
        if self.user is None or not self.user.is_active or self.user.lacks_second_factor:
            return frozenset()
        if self.user.is_superuser:
            return STAFF
        if event.pk not in self._roles:
            found = StaffRole.objects.filter(event=event, user=self.user)
            self._roles[event.pk] = frozenset(found.values_list("role", flat=True))
        return self._roles[event.pk]

    def is_entry(self, entry: Entry | None) -> bool:
        """Return whether the actor plays as this entry, by link or by account."""
        if entry is None:
            return False
        by_link = self.entry is not None and self.entry.pk == entry.pk
        by_account = self.user is not None and entry.user_id == self.user.pk
        return by_link or by_account

    def entry_in(self, event: Event) -> Entry | None:
        """Return the entry that the actor plays as, by link or by account; at most one query."""
        if self.entry is not None and self.entry.event_id == event.pk:
            return self.entry
        if self.user is None or not self.user.is_active:
            return None
        return annotate_sign_in_requests(event.entries.filter(user=self.user)).first()


def can_create_events(actor: Actor) -> bool:
    """Return whether the actor may create events; no query."""
    user = actor.user
    if user is None or not user.is_active or user.lacks_second_factor:
        return False
    return user.can_create_events


def can_view(actor: Actor, event: Event) -> bool:
    """Return whether the actor may see the event; drafts are for their staff only."""
    return event.state != Event.State.DRAFT or bool(actor.roles(event))


def is_staff(actor: Actor, event: Event) -> bool:
    """Return whether the actor has any role in the event."""
    return bool(actor.roles(event))


def can_manage(actor: Actor, event: Event) -> bool:
    """Return whether the actor may change settings and staff: organisers."""
    return Role.ORGANISER in actor.roles(event)


def can_rule(actor: Actor, event: Event) -> bool:
    """Return whether the actor may make final rulings on results.

    That is organisers and the head judge.
    """
    return bool(actor.roles(event) & {Role.ORGANISER, Role.HEAD_JUDGE})


def can_enter_results(actor: Actor, event: Event) -> bool:
    """Return whether the actor may enter results without confirmation: all staff."""
    return is_staff(actor, event)


def can_run_rounds(actor: Actor, event: Event) -> bool:
    """Return whether the actor may draft and publish rounds.

    Organisers, head judge and scorekeepers.
    """
    return bool(actor.roles(event) & {Role.ORGANISER, Role.HEAD_JUDGE, Role.SCOREKEEPER})


def can_see_decks(actor: Actor, event: Event) -> bool:
    """Return whether the actor may read all decklists at any time.

    That is organisers and judges. For a single decklist ask ``tournaments.core.visibility``.
    """
    return bool(actor.roles(event) & {Role.ORGANISER, Role.HEAD_JUDGE, Role.JUDGE})


def can_judge(actor: Actor, event: Event) -> bool:
    """Return whether the actor may check decks, penalise, extend time.

    That is organisers and judges.
    """
    return bool(actor.roles(event) & {Role.ORGANISER, Role.HEAD_JUDGE, Role.JUDGE})


def can_keep_time(actor: Actor, event: Event) -> bool:
    """Return whether the actor may start and stop the round timer.

    That is the staff who may run rounds, and all judges.
    """
    return can_run_rounds(actor, event) or can_judge(actor, event)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRights:
    """What the actor may do at the desk.

    ``run``: draft and publish rounds; ``rule``: settle results; ``manage``: change settings.
    """

    run: bool
    rule: bool
    manage: bool


def desk_rights(actor: Actor, event: Event) -> DeskRights:
    """Return what the actor may do at the desk."""
    return DeskRights(
        run=can_run_rounds(actor, event),
        rule=can_rule(actor, event),
        manage=can_manage(actor, event),
    )


def can_report(actor: Actor, match: Match) -> bool:
    """Return whether the actor plays in the match, and may report its result."""
    return any(map(actor.is_entry, match.players))


def require_permission(allowed: bool) -> None:
    """Raise PermissionDenied (403) unless ``allowed``."""
    if not allowed:
        raise PermissionDenied(_("You don’t have permission to do this. Ask the organiser."))


def count_unstarted_events(user: User) -> int:
    """Return how many events created by a user have not started; one query."""
    return Event.objects.filter(created_by=user, plan__isnull=True).count()
