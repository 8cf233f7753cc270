"""Who asks: the first lines of the pages that bring rules."""

from django.http import HttpRequest

from accounts.models import User


def signed_in(request: HttpRequest) -> User | None:
    """Return the user who asks; None for anybody who is not signed in."""
    return request.user if isinstance(request.user, User) else None
