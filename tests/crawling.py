"""Every address of the site, and all that an answer holds."""

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver

CHANGING = re.compile(  # tokens, seconds, the number of the request, the version of the event
    rb'(csrfmiddlewaretoken" value="|nonce=")[^"]*|\d{2}:\d{2}:\d{2}|\b[0-9a-f]{12}\b'
    rb'|W/(&quot;|")[^"&]*|<dcterms:\w+[^>]*>[^<]*|<v>\d{5}\.\d+'  # spreadsheets count days
)
LEFT_OUT = frozenset({"X-Request-ID", "ETag", "Date", "Content-Length"})


def routes(
    resolver: URLResolver | None = None, space: str = "", known: frozenset[str] = frozenset()
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each named address outside the admin site, with the arguments that it takes."""
    for item in (resolver or get_resolver()).url_patterns:
        needed = known | frozenset(item.pattern.converters)
        if isinstance(item, URLPattern) and item.name:
            yield f"{space}{item.name}", needed | frozenset(item.pattern.regex.groupindex)
        elif isinstance(item, URLResolver) and item.namespace != "admin":
            inner = f"{space}{item.namespace}:" if item.namespace else space
            yield from routes(item, inner, needed)


@cache
def refusing(method: str) -> frozenset[str]:
    """Return the names of the addresses that refuse a method (405) before anything is looked at.

    ``test_who_gets_what`` of pages and of the API sends it to each of them.
    """
    known = [(name, methods(view)) for name, view in views()]
    takes = {name for name, taken in known if not taken or method in taken}
    return frozenset(name for name, _taken in known) - takes


def views(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the name and the view of each address outside the admin site."""
    for item in (resolver or get_resolver()).url_patterns:
        if isinstance(item, URLPattern) and item.name:
            yield f"{space}{item.name}", item.callback
        elif isinstance(item, URLResolver) and item.namespace != "admin":
            yield from views(item, f"{space}{item.namespace}:" if item.namespace else space)


def methods(view: Any) -> set[str]:
    """Return the methods that a view's class or ``require_http_methods`` takes, none if unknown."""
    made_of = getattr(view, "cls", None) or getattr(view, "view_class", None)
    if made_of is not None:
        return {name.upper() for name in made_of.http_method_names if hasattr(made_of, name)}
    while view is not None:
        free = view.__code__.co_freevars
        if "request_method_list" in free:
            return set(view.__closure__[free.index("request_method_list")].cell_contents)
        view = getattr(view, "__wrapped__", None)
    return set()


def everything(answer: HttpResponse) -> bytes:
    """Return headers and body, workbooks and archives unpacked."""
    body = answer.getvalue()
    if body.startswith(b"PK"):
        with ZipFile(BytesIO(body)) as book:
            parts = (b"%s %s" % (name.encode(), book.read(name)) for name in book.namelist())
            body = b"\n".join(parts)
    return str(sorted(answer.headers.items())).encode() + body


def still(answer: HttpResponse) -> bytes:
    """Return an answer without what differs from one request to the next."""
    for name in LEFT_OUT & set(answer.headers):
        del answer.headers[name]
    return b"%d " % answer.status_code + CHANGING.sub(b"", everything(answer))
