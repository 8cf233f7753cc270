"""The release of the code: pages rendered by another release are discarded."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings

from config.version import VERSION

FOLDERS = ("accounts", "config", "decks", "locale", "rules", "templates", "tournaments")
ENDINGS = frozenset({".py", ".html", ".txt", ".mo"})


@cache
def release() -> str:
    """Return a digest of the program's files and settings that pages depend on; once a process."""
    base, digest = Path(settings.BASE_DIR), hashlib.sha256()
    files = sorted(
        path for name in FOLDERS for path in (base / name).rglob("*") if path.suffix in ENDINGS
    )
    for path in (*files, Path(settings.STATIC_ROOT) / "staticfiles.json"):
        if path.is_file():
            digest.update(f"{path.name}\0".encode() + path.read_bytes())
    digest.update(repr((VERSION, settings.EXTENSIONS)).encode())
    return digest.hexdigest()
