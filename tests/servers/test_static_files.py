"""Collected files have names by their hash, and are no longer used once a file has changed."""

import os
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage

from config import sheets, static_files
from config.sheets import SHEETS
from tests.servers.running import ask, commands, environment, forked, manage, waitress

# The link of a page as the server would send it, in place of serving.
SERVED = """
from django.conf import settings
settings.STATIC_ROOT = {root!r}
from config import server
from django.templatetags.static import static
server.waitress.serve = lambda application, **options: print(static("girone/site-pages.css"))
server.main([])
"""


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """Return a folder that ``collectstatic`` has filled."""
    root = tmp_path_factory.mktemp("static")
    manage("collectstatic", "--noinput", "-v0", env=environment(root, STATIC_ROOT=str(root)))
    return root


@pytest.fixture
def storage(settings):
    def make(root):
        settings.STATIC_ROOT = root
        return static_files.CollectedFiles(location=str(root))

    return make


def test_collected_files_are_named_by_their_hash(collected, storage):
    url = storage(collected).url("girone/girone.css")
    assert re.fullmatch(r"/static/girone/girone\.[0-9a-f]{12}\.css", url)
    assert (collected / url.removeprefix("/static/")).exists()
    assert (collected / (url.removeprefix("/static/") + ".gz")).exists()
    assert not list(collected.rglob("*.map"))


def test_a_kind_of_page_has_one_style_sheet_of_its_parts(collected, storage, monkeypatch):
    monkeypatch.setattr(sheets, "staticfiles_storage", storage(collected))
    for kind, parts in SHEETS.items():
        (name,) = sheets.files_of(kind)
        path = sheets.staticfiles_storage.url(name).removeprefix("/static/")
        texts = [Path(str(finders.find(part))).read_text() for part in parts]
        assert (collected / path).read_text() == "\n".join(texts)


def test_the_server_collects_first_and_says_so(tmp_path):
    root = tmp_path / "static"
    root.mkdir()
    code = SERVED.format(root=str(root))
    told, link = forked(code, tmp_path).splitlines()
    assert told == "Collecting style sheets and scripts; this takes some seconds."
    assert re.fullmatch(r"/static/girone/site-pages\.[0-9a-f]{12}\.css", link)
    assert forked(code, tmp_path) == link, "nothing has changed since"
    os.utime(root / static_files.CollectedFiles.manifest_name, (1, 1))
    assert forked(code, tmp_path).splitlines() == [told, link]


def test_the_server_serves_nothing_where_files_cannot_be_collected(tmp_path):
    root = tmp_path / "file"
    root.write_text("no folder")
    done = commands().run(["-c", SERVED.format(root=str(root))], tmp_path / "site.sqlite3")
    assert done.returncode == 1
    assert "Nothing is served" in done.stdout + done.stderr


def test_a_file_that_was_not_collected_keeps_its_name(tmp_path, storage):
    assert storage(tmp_path).url("girone/girone.css") == "/static/girone/girone.css"


def test_a_change_is_noticed(collected, storage, monkeypatch):
    assert static_files.is_up_to_date(collected)
    manifest = collected / static_files.CollectedFiles.manifest_name
    kept = manifest.stat()
    os.utime(manifest, (1, 1))
    try:
        assert not static_files.is_up_to_date(collected)
        assert storage(collected).url("girone/girone.css") == "/static/girone/girone.css"
    finally:
        os.utime(manifest, (kept.st_atime, kept.st_mtime))


@pytest.mark.deep
def test_nothing_is_collected_where_nothing_has_changed(collected):
    before = (collected / "staticfiles.json").stat().st_mtime_ns
    env = environment(collected, STATIC_ROOT=str(collected))
    manage("collectstatic", "--noinput", "-v0", "--if-changed", env=env)
    assert (collected / "staticfiles.json").stat().st_mtime_ns == before


def test_make_run_collects():
    root = Path(__file__).resolve().parents[2]
    assert "manage.py prepare" in (root / "bin/run").read_text()
    command = root / "config/management/commands/prepare.py"
    assert 'call_command("collectstatic", interactive=False, verbosity=0, if_changed=True)' in (
        command.read_text()
    )
    assert issubclass(static_files.CollectedFiles, StaticFilesStorage)


@pytest.mark.deep
@pytest.mark.processes
def test_they_are_sent_compressed_and_kept_for_a_year(collected, site):
    with waitress(site, STATIC_ROOT=str(collected)) as port:
        page = ask(port, "/").body.decode()
        (style,) = set(re.findall(r"/static/girone/event-pages\.[0-9a-f]{12}\.css", page))
        answer = ask(port, style, headers={"Accept-Encoding": "gzip"})
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    kept = re.search(r"max-age=(\d+)", answer.headers["Cache-Control"])
    assert int(kept[1]) >= 365 * 24 * 3600
    assert "immutable" in answer.headers["Cache-Control"]
