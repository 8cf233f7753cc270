"""Storage of static files, and the compression of responses.

Static files have hashed names, are compressed, and are cached for a year once collected.
``collectstatic`` writes them with a manifest, joins the style sheets of each kind of page into one
and writes them as ``for_browsers`` does. Without a manifest, or after a file has changed, pages
link to the original files, which are served from the packages and revalidated every minute.

Responses are compressed, except those that contain a secret: an attacker who controls part of a
page and observes its compressed length could guess a secret in the same page (BREACH). So account
pages and responses marked ``no-store`` are sent uncompressed: links, tokens, codes. Django masks
the CSRF token in each page, and each compressed response is padded by up to 100 random bytes.
"""

from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config import VERSION, sheets
from config.sheets import compile_css

COLLECTED_BY = ".version"
"""The file beside the manifest with the ``collection_signature``: installed files may be older."""
OWN = ("decks", "girone", "tournaments")
"""Folders of the style sheets that are the site's own."""


class CollectedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Static files storage that uses hashed names only if the collected files are up to date."""

    # url() and @import of style sheets; source maps are not collected
    patterns = (("*.css", CompressedManifestStaticFilesStorage.patterns[0][1][:2]),)

    @cached_property
    def up_to_date(self) -> bool:
        """True if the files were collected after the last change; computed once per process."""
        return bool(self.hashed_files) and is_collection_up_to_date(Path(settings.STATIC_ROOT))

    def read_again(self) -> None:
        """Read the manifest that this or another process has written meanwhile."""
        self.hashed_files, self.manifest_hash = self.load_manifest()
        self.__dict__.pop("up_to_date", None)

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        """Join the style sheets of each kind of page, then hash and compress all files."""
        own = [name for name in paths if name.startswith(OWN) and name.endswith(".css")]
        texts = {name: self.written(*paths[name]) for name in own}
        joined = {sheets.joined_style_sheet(kind): parts for kind, parts in sheets.SHEETS.items()}
        for name, parts in () if dry_run else {**{name: (name,) for name in own}, **joined}.items():
            self.delete(name)
            text = compile_css("\n".join(map(texts.__getitem__, parts)))
            paths[name] = (self, self.save(name, ContentFile(text)))
        yield from super().post_process(paths, dry_run, **options)
        if not dry_run:
            Path(self.location, COLLECTED_BY).write_text(collection_signature(), encoding="utf-8")

    @staticmethod
    def written(storage: Any, path: str) -> str:
        """Return the text of a file where it was written, not as it was collected last."""
        with storage.open(path) as file:
            return str(file.read().decode())

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.up_to_date else name


def collection_signature() -> str:
    """Return a text that changes with the program's version and its list of style sheets."""
    return f"{VERSION} {sha256(repr(sheets.SHEETS).encode()).hexdigest()}"


def is_collection_up_to_date(root: Path) -> bool:
    """Return whether collected static files match the program and no source has changed.

    root: the folder ``STATIC_ROOT``.
    """
    manifest, version = root / CollectedStaticFilesStorage.manifest_name, root / COLLECTED_BY
    told = version.read_text(encoding="utf-8") if version.exists() else ""
    if not manifest.exists() or told != collection_signature():
        return False
    collected = manifest.stat().st_mtime
    left_out = apps.get_app_config("staticfiles").ignore_patterns  # type: ignore[attr-defined]
    return all(
        storage.get_modified_time(path).timestamp() <= collected
        for finder in get_finders()
        for path, storage in finder.list(left_out)
    )


KINDS = ("text/", "application/json", "application/problem+json", "image/svg")
SECRET = ("/accounts/", "/p/")
READ_BY_ALL = "GIRONE_READ_BY_ALL"
"""Set in ``request.META`` by views whose answer no cache keeps, but everybody may read."""


class CompressionMiddleware(GZipMiddleware):
    """Middleware: compress text responses without secrets (gzip); ETags become weak."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not may_be_compressed(request, response):
            return response
        return super().process_response(request, response)  # type: ignore[no-any-return,arg-type]


def may_be_compressed(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a response is text and holds no secret (BREACH)."""
    hidden = "no-store" in response.get("Cache-Control", "") and not request.META.get(READ_BY_ALL)
    hidden = hidden or request.path_info.startswith(SECRET)
    return not hidden and response.get("Content-Type", "").startswith(KINDS)
