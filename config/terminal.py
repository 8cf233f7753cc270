"""What the program prints is in the language of the terminal, also before Django is set up."""

import gettext as catalogues
import os
import re
from pathlib import Path

import django
from django.utils import translation

from config import systems

CATALOGUES = Path(__file__).resolve().parent.parent / "locale"


def terminal_language() -> str:
    """Return the code of the terminal's language if the site is translated to it, else "en"."""
    code = re.split("[^a-z]", systems.system_language().lower())[0]
    return code if code and (CATALOGUES / code).is_dir() else "en"


def gettext(message: str) -> str:
    """Return a message in the terminal's language; works before Django is set up."""
    found = catalogues.translation("django", CATALOGUES, [terminal_language()], fallback=True)
    return found.gettext(message)


def set_up_django() -> None:
    """Set up Django, and activate the terminal's language in this thread."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    translation.activate(terminal_language())
