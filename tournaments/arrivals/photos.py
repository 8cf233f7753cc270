"""Photos of QR codes, read by the site where the browser itself can't: on plain HTTP, and where
it has no detector of its own. Nothing of a photo is stored.

A photo is read in a process of its own (``photo_reader``), one at a time for each process of the
server.
"""

import json
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import IO

from config.sizes import MEBIBYTE
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop as _

LARGEST = 12 * MEBIBYTE
"""Bytes of a photo: what phones make; the page sends a smaller one where it has a script."""
READER = Path(__file__).with_name("photo_reader.py")
PATIENCE = 15
"""Seconds after which a reader is ended: on a busy machine five of the processor take longer."""
SOON = 2
"""Seconds for which a photo waits for the one before, which is read in a fraction of one."""
_reading = Lock()

REFUSED = {
    "no_photo": _("This file is no photo that can be opened (JPEG, PNG or WebP)."),
    "photo_too_large": _(
        "This photo is too large to be read: at most 25 megapixels (WebP 16), and 6,000 pixels "
        "a side. Nothing was stored: take it with the phone’s usual settings."
    ),
}


def codes_in(photo: IO[bytes]) -> list[str]:
    """Return the texts of the QR codes in a photo.

    Raises BadInput ``no_photo`` for any other file, ``photo_too_large`` for one that has too many
    pixels or takes too much to read, ``no_code_found``; RuleError ``photo_busy``.
    """
    if not _reading.acquire(timeout=SOON):
        raise RuleError(
            "photo_busy", "Another photo is being read. Nothing was stored: send yours once more."
        )
    try:
        texts, refused = _read_in_process(photo.read())
    finally:
        _reading.release()
    if refused:
        raise BadInput(refused, REFUSED[refused])
    if not texts:
        raise BadInput(
            "no_code_found",
            "There is no QR code to be read in this photo: go nearer, and hold still.",
        )
    return texts


def _read_in_process(photo: bytes) -> tuple[list[str], str]:
    """Return the codes found and the code of a refusal; a reader that died counts as one."""
    command = [sys.executable, "-I", str(READER)]
    try:
        done = subprocess.run(  # noqa: S603 - our own file
            command, input=photo, capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return [], "photo_too_large"
    if done.returncode < 0:  # ended by a signal
        return [], "photo_too_large"
    if done.returncode:
        return [], "no_photo"
    found = json.loads(done.stdout)
    return found.get("texts", []), found.get("refused", "")
