"""Who asks, and who may load card lists and catalogues and create house formats."""

from django.http import HttpRequest

from accounts.models import User
from decks.models import HouseFormat


def signed_in(request: HttpRequest) -> User | None:
    """Return the signed-in user, else None."""
    return request.user if isinstance(request.user, User) else None


def can_bring_rules(user: User | None) -> bool:
    """Return whether a user may load card lists and create formats: whoever may create events."""
    return _may_act(user) and user is not None and user.can_create_events


def can_load_for_site(user: User | None) -> bool:
    """Return whether a user may load card lists and cards for the whole site."""
    return _may_act(user) and user is not None and user.is_staff


def can_change_format(user: User | None, house: HouseFormat) -> bool:
    """Return whether a user may change a house format: its owner."""
    return can_bring_rules(user) and user is not None and house.owner_id == user.pk


def can_load_lists(user: User | None, house: HouseFormat | None) -> bool:
    """Return whether a user may load lists of a format; for a house format only its owner."""
    return can_bring_rules(user) if house is None else can_change_format(user, house)


def _may_act(user: User | None) -> bool:
    """Return whether a user is signed in, with a second factor if the site requires one."""
    return user is not None and user.is_active and not user.lacks_second_factor
