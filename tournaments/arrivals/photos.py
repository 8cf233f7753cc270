"""Codes of the door, and photos of them, read by the site where the browser itself can't: on plain
HTTP, and where it has no detector of its own. Nothing of a photo is stored.

A photo is read in a process of its own (``photo_reader``), one at a time for each process of the
server.
"""

import json
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import IO
from urllib.parse import urlsplit

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_POST

from config import systems
from config.api import status_code
from config.clients import exceeds_rate_limit
from config.data_folder import is_frozen
from config.problems import too_many_requests
from config.sizes import MEBIBYTE
from config.web import render_page, rule_error_json, wants_json
from config.wording import error_message
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop as _
from tournaments.models import Entry, Event
from tournaments.pages.access import find_staff_event

LARGEST = 12 * MEBIBYTE
"""Bytes of a photo: what phones make; the page sends a smaller one where it has a script."""
READER = Path(__file__).with_name("photo_reader.py")
PATIENCE = 15
"""Seconds after which a reader is ended: on a busy machine five of the processor take longer."""
SOON = 2
"""Seconds for which a photo waits for the one before, which is read in a fraction of one."""
_reading = Lock()

REFUSED = {
    "no_photo": _("Take a photo (JPEG, PNG or WebP)."),
    "photo_too_large": _("This photo is too large. Use the camera’s default settings."),
}


def qr_codes_in_photo(photo: IO[bytes]) -> list[str]:
    """Return the texts of the QR codes in a photo, read in a separate process.

    Raises BadInput ``no_photo`` for any other file, ``photo_too_large`` for one that has too many
    pixels or takes too much to read, ``no_code_found``; RuleError ``photo_busy``.
    """
    if not _reading.acquire(timeout=SOON):
        raise RuleError("photo_busy", "Another photo is being read. Try again.")
    try:
        texts, refused = _read_in_process(photo.read())
    finally:
        _reading.release()
    if refused:
        raise BadInput(refused, REFUSED[refused])
    if not texts:
        raise BadInput(
            "no_code_found",
            "No QR code found. Move closer and hold the phone still.",
        )
    return texts


def _read_in_process(photo: bytes) -> tuple[list[str], str]:
    """Return the codes found and the code of a refusal; a reader that died counts as one."""
    # A folder's program knows its reader by this name (packaging/double_click.py). Not -I: it would
    # hide packages that were installed for one user alone.
    words = [READER.stem] if is_frozen() else ["-E", "-P", str(READER)]
    command = [sys.executable, *words]
    try:
        done = subprocess.run(  # noqa: S603 - our own file
            command, input=photo, capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return [], "photo_too_large"
    if systems.was_killed(done.returncode):
        return [], "photo_too_large"
    if done.returncode:
        return [], "no_photo"
    found = json.loads(done.stdout)
    return found.get("texts", []), found.get("refused", "")


SALT = "girone.arrival"


def check_in_code(entry: Entry) -> str:
    """Return the signed check-in code of a player; no query, nothing is stored."""
    return signing.Signer(salt=SALT).sign(f"{entry.event_id}-{entry.number}").replace(":", "~")


def entry_by_code(event: Event, code: str) -> Entry | None:
    """Return the event's player with a check-in code, None if wrong; one query."""
    try:
        signed = signing.Signer(salt=SALT).unsign(code.replace("~", ":"))
    except signing.BadSignature:
        return None
    key, _dash, number = signed.partition("-")
    return event.entries.filter(number=number).first() if key == str(event.pk) else None


MOST = 120
SECONDS = 60


@require_POST
def upload_code_photo(request: HttpRequest, slug: str) -> HttpResponse:
    """Read a check-in code from an uploaded photo; redirect to its player's page.

    An error is shown on a page from which to take the next photo, or as JSON if the client accepts
    that.
    """
    event, actor = find_staff_event(request, slug)
    if exceeds_rate_limit("photo", request, most=MOST, seconds=SECONDS):
        return too_many_requests(request)
    try:
        return redirect("tournaments:arrive", slug, _code_in_photo(request, event))
    except RuleError as refused:
        if wants_json(request):
            return rule_error_json(request, refused)
        refusal = {"sentence": error_message(refused), "code": refused.code}
        context = {"event": event, "actor": actor} | refusal
        template = "tournaments/arrivals/photographed.html"
        return render_page(request, template, context, status=status_code(refused))


upload_code_photo.largest_body = LARGEST  # type: ignore[attr-defined]


def _code_in_photo(request: HttpRequest, event: Event) -> str:
    """Return the code in the photo that was sent; raises BadInput without one of this event."""
    photo = request.FILES.get("photo")
    if photo is None or photo.file is None:
        raise BadInput("no_photo", "Take a photo (JPEG, PNG or WebP).")
    for text in qr_codes_in_photo(photo.file):
        code = _code_in_text(text)
        if code and entry_by_code(event, code):
            return code
    raise BadInput(
        "other_code",
        "This code doesn’t belong to any player in this event.",
    )


def _code_in_text(text: str) -> str:
    """Return the code of an arrival's address, whatever the host; else an empty string."""
    try:
        match = resolve(urlsplit(text).path)
    except (Resolver404, ValueError):
        return ""
    return str(match.kwargs["code"]) if match.view_name == "tournaments:arrive" else ""
