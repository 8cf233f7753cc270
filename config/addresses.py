"""Addresses of the site: absolute ones that others can open, and the hosts that it is known by."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import validate_host

PORTS = re.compile(r":(\d+)(?=[\s,]|$)")


def site_address() -> str:
    """Return the site's base URL for links in mails, like ``https://girone.example``, or "".

    ``SITE_ADDRESS``, else the first public name in ``ALLOWED_HOSTS``. Never the host of the
    request: a client could choose it for a mail to somebody else.
    """
    if settings.SITE_ADDRESS:
        return str(settings.SITE_ADDRESS)
    host = _first_public_name(_whole_names())
    return f"{'https' if settings.HTTPS else 'http'}://{host}" if host else ""


def localhost_url(path: str) -> str:
    """Return the URL of a path for a browser on this machine."""
    return f"{'https' if settings.HTTPS else 'http'}://127.0.0.1:{listening_ports()[0]}{path}"


def listening_ports() -> list[str]:
    """Return the ports that the server listens on: those in ``LISTEN``, else ``PORT``."""
    return PORTS.findall(settings.LISTEN) or [str(settings.PORT)]


def absolute_url(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of a path, for QR codes, paper and links to pass on.

    If the request came by ``localhost``, the URL is based on ``SITE_ADDRESS``, so that phones can
    open it.
    """
    host = request.get_host()
    if settings.SITE_ADDRESS and _without_port(host) in settings.THIS_MACHINE:
        return f"{settings.SITE_ADDRESS}{path}"
    return request.build_absolute_uri(path)


def canonical_host(host: str) -> str:
    """Return ``host`` (with port) if it is a configured one, else the default host.

    Configured are the host of ``SITE_ADDRESS`` and the whole names in ``ALLOWED_HOSTS``, each
    without a port and with those of ``LISTEN``. Clients can send any number of other accepted
    hosts, so cached pages are rendered for the default host instead.
    """
    names, ports = _whole_names(), listening_ports()
    known = (host in names) or any(host == f"{name}:{port}" for name in names for port in ports)
    return host if known or host == _host_of_site() else default_host()


def default_host() -> str:
    """Return the host, with its port, for which pages cached for all readers are rendered."""
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
    return elsewhere[0] if elsewhere else f"{names[0]}:{listening_ports()[0]}" if names else ""


def _without_port(host: str) -> str:
    return host if host.endswith("]") else host.rpartition(":")[0] or host
