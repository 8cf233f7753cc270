"""Print the QR codes of the photo on standard input, as JSON: ``{"texts": […]}``, or
``{"refused": CODE}`` with ``no_photo`` or ``photo_too_large``.

``photos`` starts this file by its path: a process of its own, which imports nothing of the site, is
held to seconds of the processor and to memory, whatever a decoder does with a photo.
"""

import io
import json
import os
import sys
from typing import IO

try:
    import resource
except ImportError:  # Windows has no such limits: the patience of ``photos`` takes their place
    resource = None  # type: ignore[assignment]

import zxingcpp
from PIL import Image

SECONDS = 5
"""Seconds of the processor that a photo may take."""
MEMORY = 768 * 1024 * 1024
"""Bytes of addresses while a photo is unpacked: those of a WebP are 22 a pixel."""
PIXELS, SIDE = 25_000_000, 6_000
"""Pixels of a photo and of a side of it, as its header tells them."""
PIXELS_OF_WEBP = 16_000_000
"""A WebP is unpacked whole, in 16 bytes a pixel: 250 MB."""
ENOUGH = 1_600
"""Pixels of the longer side by which a code that fills a tenth of the photo can be read."""
KINDS = ("JPEG", "PNG", "WEBP", "HEIF")
"""Kinds of photos; one that this Pillow can't open is left out."""
NO_PHOTO, TOO_LARGE = "no_photo", "photo_too_large"
BROKEN = (OSError, SyntaxError, ValueError)
QR_CODES = zxingcpp.barcode_formats_from_str("QRCode")


class PhotoRefusedError(Exception):
    """Error for a file that can't be read as a photo; its message is an error code."""


def open_photo(photo: IO[bytes]) -> Image.Image:
    """Return a photo, of which only the header is read; raises PhotoRefusedError."""
    Image.init()
    Image.MAX_IMAGE_PIXELS = None  # it warns above three times as many as are allowed below
    try:
        shown = Image.open(photo, formats=[kind for kind in KINDS if kind in Image.OPEN])
    except BROKEN:
        raise PhotoRefusedError(NO_PHOTO) from None
    most = PIXELS_OF_WEBP if shown.format == "WEBP" else PIXELS
    if shown.width * shown.height > most or max(shown.size) > SIDE:
        raise PhotoRefusedError(TOO_LARGE)
    if shown.format in ("PNG", "WEBP") and getattr(shown, "is_animated", False):
        raise PhotoRefusedError(NO_PHOTO)
    return shown


def read_qr_codes(shown: Image.Image) -> list[str]:
    """Return the texts of the QR codes in an opened photo. Raises PhotoRefusedError."""
    try:
        shown.draft("L", (ENOUGH, ENOUGH))  # a JPEG is unpacked in a smaller size
        grey = shown.convert("L")
        grey.thumbnail((ENOUGH, ENOUGH))
    except MemoryError:
        raise PhotoRefusedError(TOO_LARGE) from None
    except BROKEN:
        raise PhotoRefusedError(NO_PHOTO) from None
    found = zxingcpp.read_barcodes(grey, formats=QR_CODES, text_mode=zxingcpp.TextMode.Plain)
    return [code.text for code in found if code.valid]


def main() -> dict[str, object]:
    """Return {"texts": of the QR codes} in the photo on standard input.

    Or {"refused": error code} if it can't be read. Limits the process's time and memory.
    """
    if resource is not None:
        os.nice(10)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    try:
        shown = open_photo(io.BytesIO(sys.stdin.buffer.read()))
        if resource is not None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        return {"texts": read_qr_codes(shown)}
    except PhotoRefusedError as refused:
        return {"refused": str(refused)}


if __name__ == "__main__":
    json.dump(main(), sys.stdout)
