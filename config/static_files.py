"""Storage of static files: hashed names, compressed, cached for a year once collected.

``collectstatic`` writes them with a manifest. Without one, or after a file has changed, pages link
to the original files, which are served from the packages and revalidated every minute.
"""

from functools import cached_property
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from whitenoise.storage import CompressedManifestStaticFilesStorage


class CollectedFiles(CompressedManifestStaticFilesStorage):
    """Manifest storage that uses hashed names only if the collected files are up to date."""

    # url() and @import of style sheets; source maps are not collected
    patterns = (("*.css", CompressedManifestStaticFilesStorage.patterns[0][1][:2]),)

    @cached_property
    def up_to_date(self) -> bool:
        """True if the files were collected after the last change; computed once per process."""
        return bool(self.hashed_files) and is_up_to_date(Path(settings.STATIC_ROOT))

    def stored_name(self, name: str) -> str:
        """Return the hashed name if up to date, else the original one."""
        return str(super().stored_name(name)) if self.up_to_date else name


def is_up_to_date(root: Path) -> bool:
    """Return whether no file has changed since ``collectstatic`` wrote the manifest."""
    manifest = root / CollectedFiles.manifest_name
    if not manifest.exists():
        return False
    collected = manifest.stat().st_mtime
    left_out = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    return all(
        storage.get_modified_time(path).timestamp() <= collected
        for finder in get_finders()
        for path, storage in finder.list(left_out)
    )
