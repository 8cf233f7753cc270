"""Static files with hashed names, compressed, kept by browsers for a year, once collected.

``collectstatic`` writes them with a manifest. Without one, or after a file has changed, pages name
the files as they are: served from the packages, and asked for again every minute.
"""

from functools import cached_property
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from whitenoise.storage import CompressedManifestStaticFilesStorage


class CollectedFiles(CompressedManifestStaticFilesStorage):
    """Names a file by its hash where what was collected is what there is."""

    # addresses and imports of style sheets; source maps are not collected
    patterns = (("*.css", CompressedManifestStaticFilesStorage.patterns[0][1][:2]),)

    @cached_property
    def up_to_date(self) -> bool:
        """Whether the files were collected after the last change; looked at once a process."""
        return bool(self.hashed_files) and is_up_to_date(Path(settings.STATIC_ROOT))

    def stored_name(self, name: str) -> str:
        """Return the name with the hash, or the plain one."""
        return str(super().stored_name(name)) if self.up_to_date else name


def is_up_to_date(root: Path) -> bool:
    """Say whether no file has changed since ``collectstatic`` wrote the manifest."""
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
