"""Staff: roles given and taken by the organiser."""

from accounts.models import User
from config import transaction
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop as _
from tournaments.models import Event, StaffRole
from tournaments.permissions import Actor, can_manage, require
from tournaments.services.kept import undoable
from tournaments.services.log import locked


@transaction.atomic
def give_role(*, event: Event, email: str, role: str, by: Actor) -> StaffRole:
    """Give a role to the person with this e-mail address; giving it twice changes nothing."""
    event = locked(event)
    require(can_manage(by, event))
    if role not in StaffRole.Role.values:
        raise BadInput("unknown_role", _("There is no such role. Nothing was changed."))
    user = User.objects.filter(email__iexact=email.strip()).first()
    if user is None:
        raise BadInput(
            "unknown_person",
            _("Nobody has an account with %(email)s. Nothing was changed: ask them to sign up."),
            email=email,
        )
    return assign_role(event, user, role, "staff.given", by=by)


@transaction.atomic
def take_role(*, event: Event, role_id: int, by: Actor) -> None:
    """Take a role away; the last organiser keeps theirs."""
    event = locked(event)
    require(can_manage(by, event))
    given = StaffRole.objects.select_related("user").filter(event=event, pk=role_id).first()
    if given is None:
        raise RuleError("role_gone", _("This role was taken away already. Nothing was changed."))
    organisers = event.staff.filter(role=StaffRole.Role.ORGANISER).count()
    if given.role == StaffRole.Role.ORGANISER and organisers == 1:
        raise RuleError(
            "last_organiser",
            _("An event needs an organiser. Nothing was changed: give the role to another first."),
        )
    person, was = str(given.user), {"role": given.role}
    with undoable(event, "staff.taken", (StaffRole,), by=by, subject=person, before=was):
        given.delete()


def assign_role(event: Event, user: User, role: str, action: str, *, by: Actor) -> StaffRole:
    """Give a role in a locked event by this action of the log; none where they have it already."""
    given = event.staff.filter(user=user, role=role).first()
    if given is not None:
        return given
    with undoable(event, action, (StaffRole,), by=by, subject=str(user), after={"role": role}):
        return StaffRole.objects.create(event=event, user=user, role=role)
