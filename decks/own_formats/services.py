"""Create and change formats of games of one's own."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext

from accounts.ceilings import check_ceiling
from accounts.models import User
from config import transaction
from decks.house_formats.services import check_version, formats_of, free_slug, store_version
from decks.models import HouseFormat
from decks.permissions import can_bring_rules, can_change_format
from decks.stored_formats import OWN
from rules.deckbuilding.data.json import INVALID, NAME, rules_from_json, rules_to_json
from rules.json_reader import Fields, one_of, read_document

Lists = HouseFormat.Lists
UNCHECKED_PARTS = ("match", "standings", "look")
"""The rules of games whose lists are not checked."""


@dataclass(frozen=True, kw_only=True)
class OwnFormat:
    """What a format of a game of one's own says: ``lists`` is off, collected or counted.

    ``rules`` are JSON, None for the usual match and points of a game without checked lists.
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
        given = read_document(INVALID, Fields, {} if self.rules is None else self.rules).values
        one_zone = {"zones": [{"key": "list", "name": gettext("List")}]}
        whole = rules_to_json(rules_from_json({**one_zone, **given}))
        kept = {part: whole[part] for part in UNCHECKED_PARTS}
        return rules_to_json(rules_from_json(one_zone | kept))


def _columns(value: object) -> dict[str, object]:
    given = Fields(value)
    lists = given.read("lists", one_of(Lists.values))
    return {"game": given.read("game", NAME), "name": given.read("name", NAME), "lists": lists}


@transaction.atomic
def make_own_format(content: OwnFormat, *, by: User) -> HouseFormat:
    """Create a format of a game of one's own.

    Raises BadInput ``invalid_rules`` with the ``path``, ``too_many_formats``; PermissionDenied.
    """
    if not can_bring_rules(by):
        raise PermissionDenied
    columns = content.checked()
    check_ceiling(by, "formats", formats_of)
    slug = free_slug(OWN, str(columns["name"]))
    now = timezone.now()
    return HouseFormat.objects.create(slug=slug, base=OWN, owner=by, dated=now, **columns)


@transaction.atomic
def own_format_like(content: OwnFormat, *, by: User) -> HouseFormat:
    """Return the account's format that says the same, else a new one.

    Raises as ``make_own_format``.
    """
    columns = content.checked()
    rules = columns.pop("rules")
    same = HouseFormat.objects.made_here().select_for_update().filter(owner=by, base=OWN, **columns)
    found = (house for house in same.order_by("pk") if house.rules == rules)
    return next(found, None) or make_own_format(content, by=by)


@transaction.atomic
def change_own_format(
    content: OwnFormat, *, slug: str, version: int | None = None, by: User
) -> HouseFormat:
    """Store the next version of a format; events that have started keep theirs.

    Without ``version`` whatever is stored is replaced. Raises RuleError ``stale`` if it is not the
    stored one; BadInput ``invalid_rules`` with the ``path``; PermissionDenied.
    """
    house = HouseFormat.objects.select_for_update().get(slug=slug, base=OWN)
    if not can_change_format(by, house):
        raise PermissionDenied
    check_version(house, version)
    store_version(house, **content.checked())
    return house
