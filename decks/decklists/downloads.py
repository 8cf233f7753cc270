"""Downloads of stored decklists: in a chosen file type, or the original upload."""

import re

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from decks.decklists.mapping import deck_of
from decks.decklists.services import clean_file_name
from decks.models import Decklist
from decks.rulebook import base_format
from decks.writers.kinds import WRITERS, WrittenFile, write_deck

AS_SENT = "upload"
"""The kind that returns the original upload."""

_UNSAFE = re.compile(r'[<>:"|?*%;]+')


def download_of(decklist: Decklist, kind: str) -> HttpResponse:
    """Return a stored decklist as an attachment; no query.

    ``kind`` is a key of WRITERS, or AS_SENT. Raises Http404 for any other kind, and for
    AS_SENT if the list was not uploaded as a file.
    """
    if kind == AS_SENT and decklist.upload is not None:
        # An upload is untrusted: its content type must not be one that a browser renders.
        name = safe_name(decklist.upload_name) or f"{decklist.format}.bin"
        return attachment(WrittenFile(bytes(decklist.upload), "application/octet-stream", name))
    if kind not in WRITERS:
        raise Http404
    written = write_deck(deck_of(decklist), base_format(decklist.format), kind)
    called = safe_name(decklist.name)
    ending = WRITERS.get(kind).ending
    return attachment(written._replace(name=f"{called}{ending}") if called else written)


def attachment(file: WrittenFile) -> HttpResponse:
    """Return a response that makes a browser save the file and never render it."""
    headers = {
        "Content-Disposition": content_disposition_header(True, file.name) or "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)


def safe_name(name: str) -> str:
    """Return a file name without path separators, wildcards and device names."""
    return _UNSAFE.sub("", clean_file_name(name)).strip(". ")
