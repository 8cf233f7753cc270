"""What the pages of formats, card lists and catalogues share."""

from django.http import Http404, HttpRequest

from accounts.models import User
from decks.rulebook import DeckRules, rules_of
from rules.errors import BadInput


def signed_in(request: HttpRequest) -> User | None:
    """Return the signed-in user, else None."""
    return request.user if isinstance(request.user, User) else None


def rules_or_404(slug: str) -> DeckRules:
    """Return the rules of a format in effect today, or raise Http404."""
    try:
        return rules_of(slug)
    except BadInput:
        raise Http404 from None
