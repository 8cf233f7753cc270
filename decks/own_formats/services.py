"""Create and change formats of games of one's own."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext

from accounts.ceilings import check_account_limit
from accounts.models import User
from config import transaction
from decks.house_formats.services import (
    count_formats,
    free_slug,
    require_version,
    store_next_version,
)
from decks.models import HouseFormat
from decks.permissions import can_change_format, can_create_formats
from decks.stored_formats import OWN
from rules.deckbuilding.data.json import INVALID, NAME, rules_from_json, rules_to_json
from rules.json_reader import JsonObjectReader, one_of, read_document

Lists = HouseFormat.Lists
UNCHECKED_PARTS = ("match", "standings", "look")
"""The rules of games whose lists are not checked."""


@dataclass(frozen=True, kw_only=True)
class FormatInput:
    """What an organiser sent as a custom game's format, not validated yet.

    ``lists``: "off", "collected" (not checked) or "counted" (checked by ``rules``). ``rules``:
    JSON; unless lists are counted, None stands for default match rules and points.
    """

    game: object
    name: object
    lists: object
    rules: object = None

    def checked(self) -> dict[str, object]:
        """Return the columns of a version. Raises BadInput ``invalid_rules`` with the ``path``."""
        columns = read_document(INVALID, _columns, vars(self))
        return columns | {"rules": self._rules(counted=columns["lists"] == Lists.COUNTED)}

    def _rules(self, *, counted: bool) -> dict[str, object]:
        if counted:
            return rules_to_json(rules_from_json(self.rules))
        given = read_document(
            INVALID, JsonObjectReader, {} if self.rules is None else self.rules
        ).values
        one_zone = {"zones": [{"key": "list", "name": gettext("Decklist")}]}
        whole = rules_to_json(rules_from_json({**one_zone, **given}))
        kept = {part: whole[part] for part in UNCHECKED_PARTS}
        return rules_to_json(rules_from_json(one_zone | kept))


def _columns(value: object) -> dict[str, object]:
    given = JsonObjectReader(value)
    lists = given.read("lists", one_of(Lists.values))
    return {"game": given.read("game", NAME), "name": given.read("name", NAME), "lists": lists}


@transaction.atomic
def create_custom_format(content: FormatInput, *, by: User) -> HouseFormat:
    """Create the format of a custom game; return its row.

    Raises BadInput ``invalid_rules`` with the ``path``, ``too_many_formats``; PermissionDenied.
    """
    if not can_create_formats(by):
        raise PermissionDenied
    columns = content.checked()
    check_account_limit(by, "formats", count_formats)
    slug = free_slug(OWN, str(columns["name"]))
    now = timezone.now()
    return HouseFormat.objects.create(slug=slug, base=OWN, owner=by, dated=now, **columns)


@transaction.atomic
def get_or_create_custom_format(content: FormatInput, *, by: User) -> HouseFormat:
    """Return a user's format with the same content, created if there is none.

    Raises BadInput ``invalid_rules`` with the ``path``, ``too_many_formats``; PermissionDenied.
    """
    columns = content.checked()
    rules = columns.pop("rules")
    same = HouseFormat.objects.made_here().select_for_update().filter(owner=by, base=OWN, **columns)
    found = (house for house in same.order_by("pk") if house.rules == rules)
    return next(found, None) or create_custom_format(content, by=by)


@transaction.atomic
def change_custom_format(
    content: FormatInput, *, slug: str, version: int | None = None, by: User
) -> HouseFormat:
    """Store the next version of a custom game's format; return its row.

    Events that have started keep their version. version: the one to replace, None for any. Raises
    RuleError ``stale`` if another is stored, BadInput ``invalid_rules`` with the ``path``,
    PermissionDenied.
    """
    house = HouseFormat.objects.select_for_update().get(slug=slug, base=OWN)
    if not can_change_format(by, house):
        raise PermissionDenied
    require_version(house, version)
    store_next_version(house, **content.checked())
    return house
