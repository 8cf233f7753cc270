"""Who may bring rules: card lists and formats of their own."""

from accounts.models import User
from decks.models import HouseFormat


def can_bring_rules(user: User | None) -> bool:
    """Say whether somebody may load card lists and make formats: whoever may make events."""
    return _may_act(user) and user is not None and user.can_create_events


def can_load_for_site(user: User | None) -> bool:
    """Say whether somebody may load card lists that hold for every event."""
    return _may_act(user) and user is not None and user.is_staff


def can_change_format(user: User | None, house: HouseFormat) -> bool:
    """Say whether somebody may change a house format: its owner."""
    return can_bring_rules(user) and user is not None and house.owner_id == user.pk


def can_load_lists(user: User | None, house: HouseFormat | None) -> bool:
    """Say whether somebody may load lists of a format; of a house format only its owner."""
    return can_bring_rules(user) if house is None else can_change_format(user, house)


def _may_act(user: User | None) -> bool:
    """Say whether somebody is signed in as the site asks for it."""
    return user is not None and user.is_active and not user.lacks_second_factor
