"""Stored lists as downloads: a file of the type asked for, or the one that was sent."""

import re

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from decks.decklists.mapping import deck_of
from decks.decklists.services import clean_file_name
from decks.formats.rulebook import base_format
from decks.models import Decklist
from decks.writers.kinds import WRITERS, WrittenFile, write_deck

AS_SENT = "upload"
"""The kind that gives the file as it was sent."""

_UNSAFE = re.compile(r'[<>:"|?*%;]+')


def download_of(decklist: Decklist, kind: str) -> HttpResponse:
    """Return a stored list as an attachment; no query beyond the rules of a house format.

    ``kind`` is a key of WRITERS or AS_SENT. Raises Http404 for any other, and for the file of
    a list that came without one.
    """
    if kind == AS_SENT and decklist.upload is not None:
        # Whatever a stranger sent is given back as bytes, under no type that a browser opens.
        name = safe_name(decklist.upload_name) or f"{decklist.format}.bin"
        return attachment(WrittenFile(bytes(decklist.upload), "application/octet-stream", name))
    if kind not in WRITERS:
        raise Http404
    written = write_deck(deck_of(decklist), base_format(decklist.format), kind)
    called = safe_name(decklist.name)
    ending = WRITERS.get(kind).ending
    return attachment(written._replace(name=f"{called}{ending}") if called else written)


def attachment(file: WrittenFile) -> HttpResponse:
    """Return a file that a browser saves and never shows."""
    headers = {
        "Content-Disposition": content_disposition_header(True, file.name) or "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)


def safe_name(name: str) -> str:
    """Return a file name that no system takes for a path, a wildcard or a device."""
    return _UNSAFE.sub("", clean_file_name(name)).strip(". ")
