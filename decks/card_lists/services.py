"""Load newer card lists; a stored version never changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.core.exceptions import PermissionDenied

from accounts.models import User
from config import transaction
from decks.card_lists.selectors import rows_fingerprint
from decks.models import CardListVersion
from decks.permissions import can_load_for_site, can_load_lists
from decks.stored_formats import load_format_and_row
from rules.deckbuilding.card_lists import Row
from rules.errors import RuleError


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedCardLists:
    """A stored version of card lists; ``is_new`` is False if it was stored before."""

    version: CardListVersion
    is_new: bool


@transaction.atomic
def load_lists(
    *, slug: str, rows: Sequence[Row], dated: date, for_site: bool, by: User | None
) -> LoadedCardLists:
    """Store valid rows as a format's card lists as of a date; return the version.

    for_site: they apply to the whole site, else to the events of ``by``, the user who loads them;
    None: the command line, which may do anything. The same lists of the same date are stored once.
    Raises BadInput ``unknown_format``, RuleError ``lists_of_that_date`` (others are stored for that
    date), PermissionDenied.
    """
    shape, house = load_format_and_row(slug)
    if by is not None and not (
        can_load_for_site(by) and house is None if for_site else can_load_lists(by, house)
    ):
        raise PermissionDenied
    owner = None if for_site else by
    same_date = CardListVersion.objects.loaded().filter(format=shape.key, owner=owner, dated=dated)
    there = same_date.select_for_update().first()
    print_ = rows_fingerprint(rows)
    if there is None:
        version = CardListVersion.objects.create(
            format=shape.key,
            owner=owner,
            dated=dated,
            rows=[dict(row) for row in rows],
            fingerprint=print_,
            loaded_by=by,
        )
        return LoadedCardLists(version=version, is_new=True)
    if there.fingerprint != print_:
        raise RuleError(
            "lists_of_that_date",
            "Other card lists already have the date %(date)s. Choose another.",
            date=dated.isoformat(),
        )
    return LoadedCardLists(version=there, is_new=False)
