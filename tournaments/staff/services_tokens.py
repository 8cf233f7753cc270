"""API tokens for one event: made and revoked by its organisers."""

from django.core.exceptions import PermissionDenied

from accounts.tokens import new_token
from config import transaction
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, can_manage, require
from tournaments.log.services import locked, record
from tournaments.models import Event, TokenScope


@transaction.atomic
def make_token(*, event: Event, level: str, days: int = 0, by: Actor) -> str:
    """Make a token that reaches this event alone; return it, this once: its hash is kept.

    It ends after some days, with 0 when it is revoked or its maker's password changes.
    """
    event = locked(event)
    require(can_manage(by, event))
    if level not in TokenScope.Level.values:
        raise BadInput("unknown_level", _("There is no such right. Nothing was stored."))
    if by.user is None:
        raise PermissionDenied
    token, secret = new_token(by.user, days)
    TokenScope.objects.create(token=token, event=event, level=level)
    record(event, "token.made", by=by, subject=token.token_key[:8], after={"rights": level})
    return secret


@transaction.atomic
def revoke_token(*, event: Event, scope_id: int, by: Actor) -> None:
    """Revoke a token of this event: from now on it opens nothing."""
    event = locked(event)
    require(can_manage(by, event))
    scope = TokenScope.objects.select_related("token").filter(event=event, pk=scope_id).first()
    if scope is None:
        raise RuleError("token_gone", _("This token was revoked already. Nothing was changed."))
    start = scope.token.token_key[:8]
    scope.token.delete()
    record(event, "token.revoked", by=by, subject=start, before={"rights": scope.level})
