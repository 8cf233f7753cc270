"""What the program prints is in the language of the terminal, also before Django is set up."""

import gettext as catalogues
import re
from pathlib import Path

from django.utils import translation

from config import systems

CATALOGUES = Path(__file__).resolve().parent.parent / "locale"


def language() -> str:
    """Return the code of the terminal's language if there is a catalogue for it, else "en"."""
    code = re.split("[^a-z]", systems.language().lower())[0]
    return code if code and (CATALOGUES / code).is_dir() else "en"


def gettext(message: str) -> str:
    """Return a message in the terminal's language; no settings are needed."""
    found = catalogues.translation("django", CATALOGUES, [language()], fallback=True)
    return found.gettext(message)


def activate() -> None:
    """Let Django use the terminal's language in this thread. Django must be set up."""
    translation.activate(language())
