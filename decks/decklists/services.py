"""Store decklists, each submission as a new row, legal or not, and give them out as files."""

import re
from hashlib import sha256

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from decks.checking import CheckedDeck, check_decklist_text
from decks.decklists.selectors import deck_to_stored_json, stored_deck, violation_to_stored_json
from decks.models import Decklist
from decks.readers.kinds import read_file
from decks.rulebook import DeckRules
from decks.stored_formats import base_format
from decks.writers import WRITERS, WrittenFile, write_deck
from rules.deckbuilding.render import render_deck, sort_deck
from rules.names import clean_line

LONGEST_NAME = 100
LONGEST_FILE_NAME = 120


def store_decklist(*, rules: DeckRules, text: str, name: str = "") -> Decklist:
    """Store a decklist given as text, with its violations; return the row.

    ``name`` is the list's. An illegal list is stored too. Raises BadInput ``text_too_long``,
    ``text_unstorable``. One query.
    """
    return _create_decklist(check_decklist_text(rules, text=text), raw=text, name=name)


def store_decklist_file(
    *, rules: DeckRules, content: bytes, filename: str, name: str = ""
) -> Decklist:
    """Store the decklist of an uploaded file with its violations and the file.

    Return the row; its ``raw`` is the list as editable text. Raises ``read_file``'s BadInput. One
    query.
    """
    read = read_file(content, filename, rules)
    upload = {"upload": content, "upload_name": clean_file_name(filename)}
    return _create_decklist(read.checked, raw=read.text, name=name, **upload)


def clean_file_name(filename: str) -> str:
    """Return the base name of a file on one line, at most its last 120 characters."""
    last = clean_line(filename.replace("\\", "/").replace("\x00", "").rpartition("/")[2]).lstrip(
        "."
    )
    return last[-LONGEST_FILE_NAME:]


def _create_decklist(found: CheckedDeck, *, raw: str, name: str, **upload: object) -> Decklist:
    sheet = render_deck(sort_deck(found.deck), found.format)
    return Decklist.objects.create(
        format=found.format.key,
        name=name[:LONGEST_NAME],
        raw=raw,
        text=sheet,
        deck=deck_to_stored_json(found.deck),
        counts=found.deck.counts(),
        violations=[violation_to_stored_json(violation) for violation in found.violations],
        legal=found.legal,
        fingerprint=sha256(sheet.encode()).hexdigest(),
        **upload,
    )


AS_SENT = "upload"
"""The kind that returns the original upload."""

_UNSAFE = re.compile(r'[<>:"|?*%;]+')


def download_response(decklist: Decklist, kind: str) -> HttpResponse:
    """Return a stored decklist as a file download; no query.

    kind: a key of WRITERS (csv, json, text, xlsx), or AS_SENT for the uploaded file. Raises Http404
    for any other kind, and for AS_SENT if the list was not uploaded as a file.
    """
    if kind == AS_SENT and decklist.upload is not None:
        # An upload is untrusted: its content type must not be one that a browser renders.
        name = safe_file_name(decklist.upload_name) or f"{decklist.format}.bin"
        return attachment_response(
            WrittenFile(bytes(decklist.upload), "application/octet-stream", name)
        )
    if kind not in WRITERS:
        raise Http404
    written = write_deck(stored_deck(decklist), base_format(decklist.format), kind)
    called = safe_file_name(decklist.name)
    ending = WRITERS.get(kind).ending
    return attachment_response(written._replace(name=f"{called}{ending}") if called else written)


def attachment_response(file: WrittenFile) -> HttpResponse:
    """Return a response that makes a browser save a file and never render it."""
    headers = {
        "Content-Disposition": content_disposition_header(True, file.name) or "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)


def safe_file_name(name: str) -> str:
    """Return a base name without wildcards, reserved characters and leading dots."""
    return _UNSAFE.sub("", clean_file_name(name)).strip(". ")
