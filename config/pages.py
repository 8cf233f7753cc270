"""Pages that belong to no app: favicon, robots.txt, language, help, accessibility, style guide.

``PageFileCache`` is the folder in which the processes of one machine share finished answers.
"""

import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from django import forms
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from config import systems
from config.markdown import render_markdown

HELP = settings.BASE_DIR / "templates" / "help"
HELP_PAGES = (
    *("organising", "judging", "playing", "decklists", "catalogues", "players"),
    *("season", "accounts", "draws", "accessibility"),
)
ROBOTS = "User-agent: *\nDisallow: /admin/\nDisallow: /api/\nDisallow: /accounts/\n"


@require_safe
@cache_control(max_age=86400, public=True)
def favicon(request: HttpRequest) -> HttpResponse:
    """Serve the site's icon."""
    path = finders.find("girone/logo.svg")
    return HttpResponse(Path(str(path)).read_bytes(), content_type="image/svg+xml")


@require_safe
@cache_control(max_age=86400, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """Serve robots.txt."""
    return HttpResponse(ROBOTS, content_type="text/plain")


@require_safe
@never_cache
def root_certificate(request: HttpRequest) -> HttpResponse:
    """Serve the root certificate of a venue's HTTPS (DER), for phones to install.

    404 if there is none.
    """
    if not settings.VENUE_AUTHORITY:
        raise Http404
    found = x509.load_pem_x509_certificate(Path(settings.VENUE_AUTHORITY).read_bytes())
    response = HttpResponse(found.public_bytes(Encoding.DER))
    response["Content-Type"] = "application/x-x509-ca-cert"
    response["Content-Disposition"] = 'attachment; filename="girone-ca.crt"'
    return response


@require_safe
@never_cache
def set_language(request: HttpRequest, code: str) -> HttpResponse:
    """Store the language in a cookie and redirect to ``?next=``.

    To "/" if that is no path of this site; 404 for an unknown code. It is a link and no form, so
    that public pages hold no CSRF token.
    """
    if code not in dict(settings.LANGUAGES):
        raise Http404
    way_back = request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        way_back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(way_back if ours and way_back.startswith("/") else "/")
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Page of the help about accessibility."""
    return help_page(request, "accessibility")


@require_safe
def help_index(request: HttpRequest) -> HttpResponse:
    """Page with links to all help pages."""
    titles = [(page, _help_text(page)[0]) for page in HELP_PAGES]
    return render(request, "help/index.html", {"pages": titles})


@require_safe
def help_page(request: HttpRequest, page: str) -> HttpResponse:
    """Help page in the reader's language; 404 if ``page`` is not in ``HELP_PAGES``."""
    if page not in HELP_PAGES:
        raise Http404
    title, text = _help_text(page)
    return render(
        request,
        "help/page.html",
        {"title": title, "text": render_markdown(text, top=1, own=True)},
    )


def help_section(page: str, name: str) -> SafeString:
    """Return a section of a help page as HTML, without its heading, in the active language.

    page: one of ``HELP_PAGES``. name: the heading's anchor (``{#name}``).
    """
    _title, text = _help_text(page)
    _before, _mark, part = text.partition(f"{{#{name}}}\n")
    return render_markdown(part.partition("\n## ")[0])


def _help_text(page: str) -> tuple[str, str]:
    """Return a page's title and the Markdown below it; its headings begin with ``##``."""
    text = (HELP / get_language() / f"{page}.md").read_text(encoding="utf-8")
    title, _line, rest = text.partition("\n")
    return title.removeprefix("# "), rest


class SampleForm(forms.Form):
    """Form with one field of each kind, for the style guide."""

    name = forms.CharField(label="Name", help_text="Shown to others.")
    seats = forms.IntegerField(label="Seats", required=False)
    formula = forms.ChoiceField(
        label="Tournament format", choices=[("a", "Groups"), ("b", "Round robin")]
    )
    legs = forms.ChoiceField(
        label="Legs", choices=[("1", "One"), ("2", "Two")], widget=forms.RadioSelect
    )
    public = forms.BooleanField(
        label="Public", help_text="Everybody can read this.", required=False
    )
    notes = forms.CharField(label="Notes", widget=forms.Textarea, required=False)


@require_safe
def style_guide(request: HttpRequest) -> HttpResponse:
    """Page with every UI component; 404 except for site staff and in development."""
    if not (settings.DEBUG or request.user.is_staff):
        raise Http404
    context = {
        "now": timezone.now(),
        "form": SampleForm(),
        "wrong": SampleForm({"seats": "many", "formula": "a"}, prefix="wrong"),
        "page": Paginator(range(30), 10).page(2),
        "looks": ("primary", "plain", "quiet", "danger"),
        "tones": ("neutral", "info", "good", "warn", "bad"),
    }
    return render(request, "style/style.html", context)


KEPT_FOR = 120
"""Seconds after which a file is deleted: what was taken away stays on no disk for long."""
TURN = "turn-"
"""How the files begin that are locked by who renders; they hold nothing."""


class PageFileCache(FileBasedCache):
    """File cache backend for rendered pages; also deletes expired files that nobody reads."""

    def __init__(self, dir: str, params: dict[str, Any]) -> None:
        super(FileBasedCache, self).__init__(params)  # the folder is made by the first answer
        self.folder = Path(dir).absolute()
        self._dir = str(self.folder)
        self._swept = 0.0

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store a value. Raises OSError."""
        self._createdir()  # type: ignore[attr-defined]
        self._cull()  # type: ignore[attr-defined]
        handle, draft = tempfile.mkstemp(dir=self._dir)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123 - a descriptor
                self._write_content(file, timeout, value)  # type: ignore[attr-defined]
            kept = self._key_to_file(key, version)  # type: ignore[attr-defined]
            systems.replace_file(Path(draft), Path(kept))
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        now = time.time()
        if not 0 <= now - self._swept < KEPT_FOR:
            self._swept = now
            self.sweep(now - KEPT_FOR)

    def _delete(self, fname: str) -> bool:
        """Delete a file; Windows keeps one that is being read."""
        try:
            return bool(super()._delete(fname))  # type: ignore[misc]
        except PermissionError:
            return False

    def sweep(self, before: float) -> None:
        """Delete the files written before a moment, half-written ones of a killed process too."""
        for file in self.folder.iterdir():
            with suppress(FileNotFoundError, PermissionError):  # another was faster, or reads it
                if not file.name.startswith(TURN) and file.stat().st_mtime < before:
                    file.unlink()


def clear_page_cache() -> None:
    """Delete cached pages that are kept in files; those in Redis expire by themselves."""
    pages = caches["finished"]
    if isinstance(pages, PageFileCache):
        with suppress(OSError):
            pages.clear()
