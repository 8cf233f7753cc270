"""Absolute addresses that others can open: in QR codes, on paper, in links to hand on."""

from django.conf import settings
from django.http import HttpRequest


def absolute(request: HttpRequest, path: str) -> str:
    """Return the address of a path.

    Whoever serves a hall from a laptop reads the site there by way of the laptop itself
    (``localhost``); phones find it by ``SITE_ADDRESS``. Anybody else's address is as good as
    theirs.
    """
    host = request.get_host()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if settings.SITE_ADDRESS and name in settings.THIS_MACHINE:
        return f"{settings.SITE_ADDRESS}{path}"
    return request.build_absolute_uri(path)
