"""Staff roles, invitations to the staff, and API tokens of an event."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMultiAlternatives
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.invitations import invitation_expiry
from accounts.mail import build_mail
from accounts.models import Outgoing, User
from accounts.outbox.mail import MailChannel
from accounts.outbox.queue import DeliveryKind, queue_deliveries, register_kind
from accounts.tokens import create_api_token as new_api_token
from config import transaction
from config.addresses import site_address
from config.shown_once import derive_token, new_token, token_hash
from rules.errors import BadInput, RuleError
from tournaments.core.acts import Act, CacheEffect, NoUndo, RowUndo, UndoTiming
from tournaments.core.permissions import Actor, can_manage, require_permission
from tournaments.log.services import begin_act, lock_event, record
from tournaments.models import Event, LogLine, StaffInvitation, StaffRole, TokenScope
from tournaments.undo.services import undoable

act = partial(Act, may=can_manage, undo=RowUndo(), order=UndoTiming.BESIDE, shows=CacheEffect.ADDS)
STAFF_GIVEN = act(key="staff.given", words=_("Role given"))
STAFF_TAKEN = act(key="staff.taken", words=_("Role removed"))
STAFF_INVITED = act(key="staff.invited", words=_("Staff member invited"))
STAFF_ACCEPTED = act(key="staff.accepted", words=_("Invitation accepted"), may=None)
STAFF_REVOKED = act(
    key="staff.revoked",
    words=_("Invitation revoked"),
    undo=NoUndo(),
)
TOKEN_MADE = act(
    key="token.made",
    words=_("API token created"),
    undo=NoUndo(),
)
TOKEN_REVOKED = act(
    key="token.revoked",
    words=_("API token revoked"),
    undo=NoUndo(),
)


@transaction.atomic
def give_role(*, event: Event, email: str, role: str, by: Actor) -> StaffRole:
    """Give a staff role to the account with an email address; return the role.

    No effect if they have it. role: of ``StaffRole.Role``. Raises BadInput ``unknown_role``,
    ``unknown_person``.
    """
    event = begin_act(event, STAFF_GIVEN, by=by)
    if role not in StaffRole.Role.values:
        raise BadInput("unknown_role", "Choose one of the options.")
    user = User.objects.filter(email__iexact=email.strip()).first()
    if user is None:
        raise BadInput(
            "unknown_person",
            "There is no account %(email)s.",
            email=email,
        )
    return assign_role(event, user, role, STAFF_GIVEN, by=by)


@transaction.atomic
def remove_role(*, event: Event, role_id: int, by: Actor) -> None:
    """Remove a staff role by primary key.

    Raises RuleError ``role_gone``, ``last_organiser``.
    """
    event = begin_act(event, STAFF_TAKEN, by=by)
    given = StaffRole.objects.select_related("user").filter(event=event, pk=role_id).first()
    if given is None:
        raise RuleError("role_gone")
    organisers = event.staff.filter(role=StaffRole.Role.ORGANISER).count()
    if given.role == StaffRole.Role.ORGANISER and organisers == 1:
        raise RuleError(
            "last_organiser",
            "An event needs an organiser. Give the role to somebody else first.",
        )
    person, was = str(given.user), {"role": given.role}
    with undoable(event, STAFF_TAKEN, (StaffRole,), by=by, subject=person, before=was):
        given.delete()


def assign_role(event: Event, user: User, role: str, act: Act, *, by: Actor) -> StaffRole:
    """Give a user a role in a locked event; return the role.

    act: the log entry's type. Nothing is logged if they have the role.
    """
    given = event.staff.filter(user=user, role=role).first()
    if given is not None:
        return given
    with undoable(event, act, (StaffRole,), by=by, subject=str(user), after={"role": role}):
        return StaffRole.objects.create(event=event, user=user, role=role)


OPEN_AT_ONCE = 40
AN_HOUR = 30
"""Most open invitations of an event, and most invitations that a user sends in an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleOffer:
    """The result of offering a role: the ``given`` role, or the ``token`` of an invitation.

    Both are empty if the invitation was mailed.
    """

    token: str = ""
    given: StaffRole | None = None


@transaction.atomic
def offer_role(
    *, event: Event, email: str, role: str, mailed: bool = False, by: Actor
) -> RoleOffer:
    """Invite a person to a staff role by link.

    The result has the link's token, unless ``mailed``: then a mail is queued. Staff of this event
    get the role at once. Other accounts are not looked up, so that nobody learns whether one
    exists. Raises BadInput ``unknown_role``, RuleError ``too_many_invitations``.
    """
    event = begin_act(event, STAFF_INVITED, by=by)
    if role not in StaffRole.Role.values:
        raise BadInput("unknown_role", "Choose one of the options.")
    if event.staff.filter(user__email__iexact=email.strip()).exists():
        return RoleOffer(given=give_role(event=event, email=email, role=role, by=by))
    event.invitations.filter(expires_at__lte=timezone.now()).delete()
    _check_few(event, by)
    token = new_token()
    with undoable(event, STAFF_INVITED, (StaffInvitation,), by=by, after={"role": role}):
        invitation = StaffInvitation.objects.create(
            event=event,
            role=role,
            email=email.strip(),
            token_hash=token_hash(token),
            expires_at=invitation_expiry(),
        )
    if not mailed:
        return RoleOffer(token=token)
    row = Outgoing(receiver=invitation.email, event=event.pk, subject=invitation.pk)
    queue_deliveries([row], INVITATION)
    return RoleOffer()


def compose_invitation_mail(item: Outgoing) -> EmailMultiAlternatives | None:
    """Return the mail of a queued invitation; None if it is no longer open.

    The mail names neither event nor organiser, as nobody has proved that the address is theirs.
    """
    open_ones = StaffInvitation.objects.filter(pk=item.subject or 0, expires_at__gt=timezone.now())
    invitation = open_ones.first()
    if invitation is None:
        return None
    path = reverse("tournaments:open-invitation", args=[_mailed_token(invitation)])
    context = {"url": f"{site_address()}{path}"}
    text = render_to_string("tournaments/staff/invitation.txt", context).strip()
    subject, button = gettext("Staff invitation"), gettext("Accept")
    return build_mail(subject, text, item.receiver, button=button)


INVITATION = DeliveryKind("invitation", MailChannel, compose_invitation_mail, timedelta(days=2))
register_kind(INVITATION)


def _mailed_token(invitation: StaffInvitation) -> str:
    """Return the token of a mailed invitation, and store its hash.

    It derives from the site's secret key, so every try of the mail has the same one.
    """
    token = derive_token(f"{settings.SECRET_KEY} staff invitation", invitation.pk)
    invitation.token_hash = token_hash(token)
    invitation.save(update_fields=["token_hash"])
    return token


@transaction.atomic
def unsent_invitation_token(*, event: Event, invitation_id: int, by: Actor) -> str:
    """Return the token of an open invitation whose mail could not be sent; not logged.

    Raises RuleError ``invitation_gone``.
    """
    require_permission(can_manage(by, event))
    invitation = event.invitations.filter(pk=invitation_id, expires_at__gt=timezone.now()).first()
    mails = Outgoing.objects.filter(kind=INVITATION.name, subject=invitation_id)
    if invitation is None or not mails.filter(state=Outgoing.State.FAILED).exists():
        raise _invitation_gone_error()
    return _mailed_token(invitation)


@transaction.atomic
def accept_invitation(*, invitation: StaffInvitation, by: Actor) -> StaffRole:
    """Accept an invitation for the user ``by``; return the role.

    Of concurrent requests one succeeds. Raises RuleError ``invitation_gone`` if it was used,
    revoked or has expired.
    """
    event, person = lock_event(invitation.event), by.user
    if person is None or not person.is_active:
        raise PermissionDenied
    open_ones = event.invitations.filter(pk=invitation.pk, expires_at__gt=timezone.now())
    if not open_ones.delete()[0]:
        raise _invitation_gone_error()
    return assign_role(event, person, invitation.role, STAFF_ACCEPTED, by=by)


@transaction.atomic
def revoke_invitation(*, event: Event, invitation_id: int, by: Actor) -> None:
    """Revoke an invitation, so that its link stops working.

    Raises RuleError ``invitation_gone``.
    """
    event = begin_act(event, STAFF_REVOKED, by=by)
    found = event.invitations.filter(pk=invitation_id).first()
    if found is None:
        raise _invitation_gone_error()
    found.delete()
    record(event, STAFF_REVOKED, by=by, before={"role": found.role})


class StaffInvitations:
    """Invitation kind for sign-up (``InvitationKind``): invitations to a staff role."""

    def is_good(self, token_hash: str) -> bool:
        """Return whether an account can still be created with a token."""
        return self._valid_invitations(token_hash).exists()

    def use(self, token_hash: str) -> bool:
        """Mark the invitation as used for sign-up; return whether this call did so.

        False if it was used before or has expired. Its role can still be accepted.
        """
        return self._valid_invitations(token_hash).update(may_sign_up=False) == 1

    def _valid_invitations(self, token_hash: str) -> QuerySet[StaffInvitation]:
        now = timezone.now()
        known = StaffInvitation.objects.filter(token_hash=token_hash, expires_at__gt=now)
        return known.filter(may_sign_up=True)


def _check_few(event: Event, by: Actor) -> None:
    """Raise RuleError ``too_many_invitations`` above the limits of event and user."""
    hour = timezone.now() - timedelta(hours=1)
    sent = LogLine.objects.filter(by=by.user, action="staff.invited", at__gt=hour).count()
    if sent >= AN_HOUR or event.invitations.count() >= OPEN_AT_ONCE:
        raise RuleError(
            "too_many_invitations",
            "There are too many pending invitations. Revoke some, or wait an hour.",
        )


def _invitation_gone_error() -> RuleError:
    return RuleError(
        "invitation_gone",
        "This invitation has been used or revoked, or has expired.",
    )


@transaction.atomic
def create_event_token(*, event: Event, level: str, days: int = 0, by: Actor) -> str:
    """Create an API token that is limited to this event; return its secret.

    level: of ``TokenScope.Level``. days: lifetime; 0 for none: it ends when revoked or when its
    owner's password changes. Only the hash is stored. Raises BadInput ``unknown_level``.
    """
    event = begin_act(event, TOKEN_MADE, by=by)
    if level not in TokenScope.Level.values:
        raise BadInput("unknown_level", "Choose one of the options.")
    if by.user is None:
        raise PermissionDenied
    token, secret = new_api_token(by.user, days)
    TokenScope.objects.create(token=token, event=event, level=level)
    record(event, TOKEN_MADE, by=by, subject=token.token_key[:8], after={"rights": level})
    return secret


@transaction.atomic
def revoke_event_token(*, event: Event, scope_id: int, by: Actor) -> None:
    """Revoke an API token of this event; raises RuleError ``token_gone``.

    scope_id: primary key of its TokenScope.
    """
    event = begin_act(event, TOKEN_REVOKED, by=by)
    scope = TokenScope.objects.select_related("token").filter(event=event, pk=scope_id).first()
    if scope is None:
        raise RuleError("token_gone")
    start = scope.token.token_key[:8]
    scope.token.delete()
    record(event, TOKEN_REVOKED, by=by, subject=start, before={"rights": scope.level})


def staff_rows(event: Event) -> tuple[dict[str, Any], ...]:
    """Return an event's staff roles as dicts, oldest first; one query.

    ``given`` is the role; ``stays`` is True for the last organiser's, which can't be removed.
    """
    found = list(event.staff.select_related("user").order_by("id"))
    organisers = sum(item.role == StaffRole.Role.ORGANISER for item in found)
    return tuple(
        {"given": item, "stays": item.role == StaffRole.Role.ORGANISER and organisers == 1}
        for item in found
    )


def open_invitations(event: Event) -> list[tuple[StaffInvitation, Outgoing | None]]:
    """Return (invitation, its mail or None) of an event's open invitations, oldest first.

    Two queries.
    """
    mails = Outgoing.objects.filter(kind=INVITATION.name, event=event.pk).order_by("pk")
    by_subject = {mail.subject: mail for mail in mails}
    known = event.invitations.filter(expires_at__gt=timezone.now()).order_by("id")
    return [(invitation, by_subject.get(invitation.pk)) for invitation in known]


def find_open_invitation(token_hash: str) -> StaffInvitation | None:
    """Return the open invitation with this token hash, None if used or expired; one query."""
    return (
        StaffInvitation.objects.select_related("event")
        .filter(token_hash=token_hash, expires_at__gt=timezone.now())
        .first()
    )
