"""Who asks, and who may load card lists and catalogues and create house formats."""

from django.http import HttpRequest

from accounts.models import User
from decks.models import HouseFormat


def signed_in_user(request: HttpRequest) -> User | None:
    """Return the request's signed-in user, else None."""
    return request.user if isinstance(request.user, User) else None


def can_create_formats(user: User | None) -> bool:
    """Return whether a user may create formats and load lists.

    That is an active user who may create events and has no second factor missing.
    """
    return _may_act(user) and user is not None and user.can_create_events


def can_load_for_site(user: User | None) -> bool:
    """Return whether a user may load cards and card lists for the whole site: staff."""
    return _may_act(user) and user is not None and user.is_staff


def can_change_format(user: User | None, house: HouseFormat) -> bool:
    """Return whether a user may change an organiser's format: its owner."""
    return can_create_formats(user) and user is not None and house.owner_id == user.pk


def can_load_lists(user: User | None, house: HouseFormat | None) -> bool:
    """Return whether a user may load card lists of a format.

    house: the row of an organiser's format, whose owner alone may; None for a shipped format.
    """
    return can_create_formats(user) if house is None else can_change_format(user, house)


def _may_act(user: User | None) -> bool:
    """Return whether a user is signed in, with a second factor if the site requires one."""
    return user is not None and user.is_active and not user.lacks_second_factor
