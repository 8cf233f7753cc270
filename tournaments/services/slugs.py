"""Short names of events in their addresses: free, taken or kept for pages."""

from django.utils.text import slugify

from rules.errors import RuleError
from rules.wording import gettext_noop as _
from tournaments.models import Event

RESERVED = frozenset({"new", "restore"})


def free_slug(name: str) -> str:
    """Return a short name for URLs that no event has yet."""
    base = slugify(name)[:70].strip("-") or "event"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= RESERVED
    if base not in taken:
        return base
    return next(f"{base}-{n}" for n in range(2, len(taken) + 3) if f"{base}-{n}" not in taken)


def check_slug(slug: str) -> None:
    """Raise RuleError ``slug_taken`` where an event has the slug that was asked for."""
    if not slug_is_free(slug):
        raise taken(slug)


def slug_is_free(slug: str) -> bool:
    """Say whether an event may have this slug."""
    return slug not in RESERVED and not Event.objects.filter(slug=slug).exists()


def taken(slug: str) -> RuleError:
    """Return what is said where another event has the slug."""
    return RuleError(
        "slug_taken",
        _("There is an event “%(slug)s” already. Nothing was stored: name another slug."),
        slug=slug,
    )
