"""Create and change copies of formats; versions of organisers' formats and their slugs."""

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.text import slugify

from accounts.ceilings import check_account_limit
from accounts.models import User
from config import transaction
from decks.models import FormatVersion, HouseFormat
from decks.permissions import can_change_format, can_create_formats
from decks.stored_formats import (
    base_format,
    clear_format_cache,
    is_custom_game_format,
    is_organiser_format,
)
from rules.deckbuilding.house import changes_from_json, changes_to_json, house_key
from rules.errors import BadInput, RuleError
from rules.json_reader import name_text, read_document

LONGEST_SLUG = 50
LONGEST_NAME = 80
CONTENT = ("name", "game", "lists", "changes", "rules")
"""The columns of what a version says."""


def count_formats(user: User) -> int:
    """Return the number of formats that a user has created; one query."""
    return HouseFormat.objects.made_here().filter(owner=user).count()


@transaction.atomic
def create_house_format(*, base: str, name: str, changes: object, by: User) -> HouseFormat:
    """Create a house format: an organiser's variant of a format; return its row.

    base: slug of a format, or of another house format with the same base. changes: their JSON.
    Raises BadInput ``unknown_format``, ``bad_format`` (with the path in its value ``field``),
    ``too_many_formats``; PermissionDenied.
    """
    if not can_create_formats(by):
        raise PermissionDenied
    if is_custom_game_format(base):
        raise BadInput("unknown_format")
    shape = base_format(base)
    checked = changes_from_json(changes, shape)
    check_account_limit(by, "formats", count_formats)
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
    """Store the next version of a house format; return its row.

    Events that have started keep their version. changes: the JSON of all changes to its base.
    Raises RuleError ``stale`` if ``version`` is not the stored one; BadInput ``bad_format``;
    PermissionDenied.
    """
    house = HouseFormat.objects.select_for_update().get(slug=slug)
    if not can_change_format(by, house):
        raise PermissionDenied
    require_version(house, version)
    checked = changes_to_json(changes_from_json(changes, base_format(slug)))
    store_next_version(house, name=_name(name), changes=checked)
    return house


def require_version(house: HouseFormat, version: int | None) -> None:
    """Raise RuleError ``stale`` if a format's stored version is another (None: any)."""
    if version is not None and house.version != version:
        raise RuleError("stale")


def store_next_version(house: HouseFormat, **columns: object) -> None:
    """Store the next version of a locked row, unless ``columns`` change nothing.

    ``columns`` are new values by field name. The present version is kept if an event began with it.
    """
    present = {name: getattr(house, name) for name in CONTENT}
    if present | columns == present:
        return
    if house.locked_at is not None:
        FormatVersion.objects.create(
            format=house.slug, version=house.version, dated=house.dated, **present
        )
    for name, value in columns.items():
        setattr(house, name, value)
    house.version, house.dated, house.locked_at = house.version + 1, timezone.now(), None
    house.save()
    clear_format_cache()


def pin_format_version(slug: str) -> int | None:
    """Keep a format's present version for a starting event; return its number.

    None for a format that comes with the program. Must run inside the transaction of the start.
    """
    if not is_organiser_format(slug):
        return None
    house = HouseFormat.objects.select_for_update().get(slug=slug)
    if house.locked_at is None:
        house.locked_at = timezone.now()
        house.save(update_fields=["locked_at"])
    clear_format_cache()
    return house.version


def free_slug(base: str, name: str) -> str:
    """Return an unused slug for a format: its base's slug and its name. One query."""
    words = slugify(name).replace("_", "-").strip("-") or "house"
    room = LONGEST_SLUG - len(house_key(base, "")) - len("-999")
    first = house_key(base, words[:room].strip("-"))
    taken = set(HouseFormat.objects.filter(slug__startswith=first).values_list("slug", flat=True))
    if first not in taken:
        return first
    return next(f"{first}-{n}" for n in range(2, len(taken) + 3) if f"{first}-{n}" not in taken)


def _name(name: str) -> str:
    reader = name_text(LONGEST_NAME)
    return read_document("bad_format", reader, name, at="name", also_as="field")
