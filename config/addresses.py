"""Addresses of the site: absolute ones that others can open, and the hosts that it is known by."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import validate_host

PORTS = re.compile(r":(\d+)(?=[\s,]|$)")


def site_address() -> str:
    """Return the base of links in mails, as ``https://girone.example``; "" if it is unknown.

    ``SITE_ADDRESS``, else the usual one of the whole names in ``ALLOWED_HOSTS``: never the host of
    a request, which anybody can choose who has a mail sent to somebody else.
    """
    if settings.SITE_ADDRESS:
        return str(settings.SITE_ADDRESS)
    host = _first_public_name(_whole_names())
    return f"{'https' if settings.HTTPS else 'http'}://{host}" if host else ""


def on_this_machine(path: str) -> str:
    """Return the URL by which a browser on this machine opens a path."""
    return f"{'https' if settings.HTTPS else 'http'}://127.0.0.1:{own_ports()[0]}{path}"


def own_ports() -> list[str]:
    """Return the ports of ``LISTEN``, or ``PORT`` where it names none."""
    return PORTS.findall(settings.LISTEN) or [str(settings.PORT)]


def absolute_url(request: HttpRequest, path: str) -> str:
    """Return the address of a path, for QR codes, paper and links to hand on.

    Whoever serves a hall from a laptop reads the site there by way of the laptop itself
    (``localhost``); phones find it by ``SITE_ADDRESS``. Anybody else's address is as good as
    theirs.
    """
    host = request.get_host()
    if settings.SITE_ADDRESS and _without_port(host) in settings.THIS_MACHINE:
        return f"{settings.SITE_ADDRESS}{path}"
    return request.build_absolute_uri(path)


def known_host(host: str) -> str:
    """Return a host, with its port, by which the site is known: the given one, or the usual one.

    Known are the host of ``SITE_ADDRESS`` and the whole names in ``ALLOWED_HOSTS``, each without a
    port and with those of ``LISTEN``. Others that ``ALLOWED_HOSTS`` lets in (another port, other
    letters, a name that ``*`` stands for) are as many as somebody cares to send: what is kept for
    everybody is made for the usual host alone.
    """
    names, ports = _whole_names(), own_ports()
    known = (host in names) or any(host == f"{name}:{port}" for name in names for port in ports)
    return host if known or host == _host_of_site() else usual_host()


def usual_host() -> str:
    """Return the host, with its port, for which pages shared by all readers are rendered."""
    site = _host_of_site()
    if site and validate_host(_without_port(site), settings.ALLOWED_HOSTS):
        return site
    own = [name.removeprefix(".") for name in settings.ALLOWED_HOSTS if name != "*"]
    return _first_public_name(own or settings.THIS_MACHINE)


def _host_of_site() -> str:
    return urlsplit(settings.SITE_ADDRESS).netloc


def _whole_names() -> list[str]:
    return [name for name in settings.ALLOWED_HOSTS if not name.startswith(("*", "."))]


def _first_public_name(names: Sequence[str]) -> str:
    """Return the first name by which others find the site, else this machine's with its port."""
    elsewhere = [name for name in names if name not in settings.THIS_MACHINE]
    return elsewhere[0] if elsewhere else f"{names[0]}:{own_ports()[0]}" if names else ""


def _without_port(host: str) -> str:
    return host if host.endswith("]") else host.rpartition(":")[0] or host
