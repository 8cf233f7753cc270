"""Template filter: may a reader see the prospects of an event?"""

from django import template

from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.prospects.selectors.prospects import may_see_prospects

register = template.Library()


@register.filter
def foreseen_by(event: Event, actor: Actor) -> bool:
    """Say whether the reader may open the page of prospects; at most one query."""
    return may_see_prospects(actor, event)
