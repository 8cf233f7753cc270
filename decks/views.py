"""What the pages of formats, card lists and catalogues share."""

from django.http import Http404

from decks.rulebook import DeckRules, rules_of
from rules.errors import BadInput


def rules_or_404(slug: str) -> DeckRules:
    """Return the rules of a format in effect today, or raise Http404."""
    try:
        return rules_of(slug)
    except BadInput:
        raise Http404 from None
