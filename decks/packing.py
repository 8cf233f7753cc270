"""A file that a page holds between looking at it and storing it: packed into one form field.

So nothing is kept on the server of a file that nobody confirms, and it does not matter which
process answers next.
"""

import binascii
import zlib
from base64 import b64decode, b64encode

from rules.errors import BadInput
from rules.wording import gettext_noop as _

LONGEST = 4_500_000  # characters; Django reads 5 MiB of fields


def packed(content: bytes) -> str:
    """Return a file as text for a hidden field; raises BadInput ``file_too_large``."""
    text = b64encode(zlib.compress(content, 9)).decode("ascii")
    if len(text) > LONGEST:
        raise BadInput(
            "file_too_large",
            _("The file is too large for this page. Nothing was stored: split it in two."),
        )
    return text


def unpacked(text: str, *, most: int) -> bytes:
    """Return the file of a hidden field; raises BadInput ``file_rejected`` for anything else."""
    try:
        opened = zlib.decompressobj()
        content = opened.decompress(b64decode(text, validate=True), most + 1)
    except (binascii.Error, ValueError, zlib.error):
        content = b""
    if not content or len(content) > most:
        raise BadInput(
            "file_rejected", _("The file got lost on its way. Nothing was stored: choose it again.")
        )
    return content
