"""Create and change house formats, and lock them when an event starts."""

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.text import slugify

from accounts.ceilings import check_ceiling
from accounts.models import User
from config import transaction
from decks.models import HouseFormat
from decks.permissions import can_bring_rules, can_change_format
from decks.rulebook import base_format
from rules.deckbuilding.house.formats import base_of, house_key
from rules.deckbuilding.house.json import changes_from_json, changes_to_json
from rules.errors import BadInput, RuleError
from rules.names import tidy
from rules.wording import Sentence

LONGEST_SLUG = 50
LONGEST_NAME = 80


def formats_of(user: User) -> int:
    """Return the number of formats that a user has created; one query."""
    return HouseFormat.objects.made_here().filter(owner=user).count()


@transaction.atomic
def make_house_format(*, base: str, name: str, changes: object, by: User) -> HouseFormat:
    """Create a house format from a format, or from the base of another house format.

    Raises BadInput ``unknown_format``, ``bad_format`` (with the path in its value ``field``),
    ``too_many_formats``.
    """
    if not can_bring_rules(by):
        raise PermissionDenied
    shape = base_format(base)
    checked = changes_from_json(changes, shape)
    check_ceiling(by, "formats", formats_of)
    title = _name(name)
    return HouseFormat.objects.create(
        slug=free_slug(shape.key, title),
        base=shape.key,
        name=title,
        owner=by,
        changes=changes_to_json(checked),
    )


@transaction.atomic
def change_house_format(
    *, slug: str, version: int, name: str, changes: object, by: User
) -> HouseFormat:
    """Change the numbers and the name of a house format; its slug stays.

    Raises RuleError ``format_locked`` once an event has started with it, ``stale`` if
    ``version`` is not the stored one; BadInput ``bad_format``.
    """
    house = HouseFormat.objects.select_for_update().get(slug=slug)
    if not can_change_format(by, house):
        raise PermissionDenied
    if house.locked_at is not None:
        raise RuleError(
            "format_locked",
            "An event has started with this format. Nothing was stored: copy it instead.",
        )
    if house.version != version:
        raise RuleError(
            "stale", "The format has changed meanwhile. Nothing was stored: load the page again."
        )
    checked = changes_to_json(changes_from_json(changes, base_format(slug)))
    title = _name(name)
    if (house.name, house.changes) != (title, checked):
        house.name, house.changes, house.version = title, checked, house.version + 1
        house.save()
    return house


def lock_house_format(slug: str) -> None:
    """Lock a house format because an event starts with it; ignore other slugs.

    Must run inside the transaction of the start.
    """
    if base_of(slug) == slug:
        return
    house = HouseFormat.objects.select_for_update().get(slug=slug)
    if house.locked_at is None:
        house.locked_at = timezone.now()
        house.save(update_fields=["locked_at"])


def free_slug(base: str, name: str) -> str:
    """Return an unused slug that begins with the slug of the base."""
    words = slugify(name).replace("_", "-").strip("-") or "house"
    room = LONGEST_SLUG - len(house_key(base, "")) - len("-999")
    first = house_key(base, words[:room].strip("-"))
    taken = set(HouseFormat.objects.filter(slug__startswith=first).values_list("slug", flat=True))
    if first not in taken:
        return first
    return next(f"{first}-{n}" for n in range(2, len(taken) + 3) if f"{first}-{n}" not in taken)


def _name(name: str) -> str:
    title = tidy(name)
    if not any(char.isalnum() for char in title) or len(title) > LONGEST_NAME:
        raise BadInput(
            "bad_format",
            "%(field)s: %(problem)s",
            field="name",
            problem=Sentence("A name has 1 to %(most)s characters.", {"most": LONGEST_NAME}),
        )
    return title
