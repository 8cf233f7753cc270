"""Slugs of events: which are free."""

from django.utils.text import slugify

from rules.errors import RuleError
from tournaments.models import Event

RESERVED = frozenset({"new", "restore"})


def free_slug(name: str) -> str:
    """Return a slug that no event has yet."""
    base = slugify(name)[:70].strip("-") or "event"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= RESERVED
    if base not in taken:
        return base
    return next(f"{base}-{n}" for n in range(2, len(taken) + 3) if f"{base}-{n}" not in taken)


def check_slug(slug: str) -> None:
    """Raise RuleError ``slug_taken`` if another event has the slug."""
    if slug in RESERVED or Event.objects.filter(slug=slug).exists():
        raise slug_taken_error(slug)


def slug_taken_error(slug: str) -> RuleError:
    """Return the RuleError ``slug_taken``."""
    return RuleError(
        "slug_taken",
        "There is an event “%(slug)s” already. Nothing was stored: name another slug.",
        slug=slug,
    )
