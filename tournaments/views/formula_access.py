"""Who may make formulas, and whose a formula is."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from accounts.models import User
from tournaments.core.access import actor_of
from tournaments.core.permissions import can_create_events
from tournaments.models import SavedFormula


def maker(request: HttpRequest) -> User:
    """Return the signed-in user, who may make formulas as who may make events (else 403)."""
    actor = actor_of(request)
    if actor.user is None or not can_create_events(actor):
        raise PermissionDenied
    return actor.user


def own_formula(owner: User, slug: str) -> SavedFormula:
    """Return the owner's formula of a slug; 404 for a slug of nobody's, or somebody else's."""
    row = SavedFormula.objects.filter(owner=owner, slug=slug).first()
    if row is None:
        raise Http404
    return row
