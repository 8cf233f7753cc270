"""Deletion of organisers' formats."""

from django.core.exceptions import PermissionDenied

from accounts.models import User
from config import transaction
from decks.models import FormatVersion, HouseFormat
from decks.permissions import can_change_format
from decks.stored_formats import clear_format_cache
from rules.errors import RuleError
from tournaments.models import Event


@transaction.atomic
def delete_format(*, slug: str, by: User) -> None:
    """Delete a custom deck format that no event uses.

    Raises RuleError ``format_in_use``; PermissionDenied unless the user may change it.
    """
    house = HouseFormat.objects.select_for_update().get(slug=slug)
    if not can_change_format(by, house):
        raise PermissionDenied
    named = tuple(Event.objects.filter(format=slug).values_list("name", flat=True))
    if named:
        raise RuleError(
            "format_in_use",
            "These events use the format: %(events)s.",
            events=named,
        )
    FormatVersion.objects.filter(format=slug).delete()
    house.delete()
    clear_format_cache()
