"""Photos of QR codes, read by the site where the browser itself can't: on plain HTTP, and where
it has no detector of its own. Nothing of a photo is stored.
"""

import warnings
from typing import IO

import zxingcpp
from PIL import Image

from config.sizes import MEBIBYTE
from rules.errors import BadInput
from rules.wording import gettext_noop as _

LARGEST = 12 * MEBIBYTE
"""Bytes of a photo: what phones make; the page sends a smaller one where it has a script."""
ENOUGH = 1_600
"""Pixels of the longer side by which a code that fills a tenth of the photo can be read."""
QR_CODES = zxingcpp.barcode_formats_from_str("QRCode")
KINDS = ("JPEG", "PNG", "WEBP")


def codes_in(photo: IO[bytes]) -> tuple[str, ...]:
    """Return the texts of the QR codes in a photo.

    Raises BadInput ``no_photo`` for any other file, ``photo_too_large``, ``no_code_found``.
    """
    shown = _opened(photo)
    found = zxingcpp.read_barcodes(shown, formats=QR_CODES, text_mode=zxingcpp.TextMode.Plain)
    texts = tuple(code.text for code in found if code.valid)
    if not texts:
        raise BadInput(
            "no_code_found",
            _("There is no QR code to be read in this photo: go nearer, and hold still."),
        )
    return texts


def _opened(photo: IO[bytes]) -> Image.Image:
    """Return the photo in grey, made small; the size is looked at before anything is unpacked."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            shown = Image.open(photo, formats=KINDS)
            shown.draft("L", (ENOUGH, ENOUGH))  # a JPEG is unpacked in a smaller size
            grey = shown.convert("L")
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as bomb:
        raise BadInput(
            "photo_too_large",
            _("This photo has too many pixels. Take it with the phone’s usual settings."),
        ) from bomb
    except (OSError, SyntaxError, ValueError) as broken:
        raise BadInput(
            "no_photo", _("This file is no photo that can be opened (JPEG, PNG or WebP).")
        ) from broken
    grey.thumbnail((ENOUGH, ENOUGH))
    return grey
