"""Every address of the site, and all that an answer holds."""

import re
from collections.abc import Iterator
from io import BytesIO
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
