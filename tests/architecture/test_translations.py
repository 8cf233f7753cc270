"""Both languages are complete, and the compiled catalogue is what its source says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

from config.management.commands.makemessages import KEYWORDS

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = sorted((ROOT / "locale").rglob("*.po"))
PLACE = re.compile(r"%\((\w+)\)[sd]")
STRAIGHT = re.compile(r"\w'|[\"«»]")
INSIDE = re.compile(r"""f(["'])(?:(?!\1).)*\{[^}"']*\b_\(""")
SOURCES = ("accounts", "config", "decks", "tournaments")
IGNORED = (".venv", "tests", "docs", "bench", "staticfiles")


def places(text: str) -> set[str]:
    """Return the names of the places that values fill."""
    return set(PLACE.findall(text))


def words(entry: polib.POEntry) -> list[str]:
    """Return the translations of an entry, one for each number."""
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


def test_there_is_a_catalogue():
    assert [path.parts[-3] for path in CATALOGUES] == ["it"]


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_every_sentence_is_translated(path):
    catalogue = polib.pofile(str(path))
    assert [entry.msgid for entry in catalogue.untranslated_entries()] == []
    assert [entry.msgid for entry in catalogue.fuzzy_entries()] == []
    assert [entry.msgid for entry in catalogue.obsolete_entries()] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_every_sentence_keeps_its_places(path):
    for entry in polib.pofile(str(path)):
        wanted = places(entry.msgid) | places(entry.msgid_plural)
        for text in words(entry):
            missing, invented = wanted - places(text), places(text) - wanted
            # a form for one may leave the number out
            assert not invented, entry.msgid
            assert not missing or entry.msgid_plural, entry.msgid


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_apostrophes_and_quotation_marks_are_of_one_kind(path):
    catalogue = polib.pofile(str(path))
    mixed = [text for entry in catalogue for text in words(entry) if STRAIGHT.search(text)]
    assert mixed == []


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_the_compiled_catalogue_is_up_to_date(path):
    source = polib.pofile(str(path))
    compiled = polib.mofile(str(path.with_suffix(".mo")))
    says = {(e.msgctxt, e.msgid): words(e) for e in source if e.msgid}
    assert {(e.msgctxt, e.msgid): words(e) for e in compiled if e.msgid} == says


def test_no_sentence_is_inside_an_f_string():
    """There gettext does not find it: the catalogue would lose it when it is made again."""
    planted = INSIDE.search("f\"{_('Points')} – {group}\"")
    lines = (
        (path, line)
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*.py")
        for line in path.read_text().splitlines()
    )
    assert planted
    assert [(path, line) for path, line in lines if INSIDE.search(line)] == []


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="gettext is not installed")
def test_no_sentence_is_missing_in_the_catalogue(tmp_path):
    copy = tmp_path / "project"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", *IGNORED, "db.sqlite3*"))
    ignore = [word for name in IGNORED for word in ("--ignore", name)]
    command = [sys.executable, "manage.py", "makemessages", "-l", "it", "--no-location", *ignore]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    for path in CATALOGUES:
        found = {
            e.msgid for e in polib.pofile(str(copy / path.relative_to(ROOT))) if not e.obsolete
        }
        assert found - {entry.msgid for entry in polib.pofile(str(path))} == set()


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_a_judge_has_one_word(path):
    said = [text for entry in polib.pofile(str(path)) for text in words(entry)]
    assert [text for text in said if re.search(r"\barbitr[oi]\b", text, re.IGNORECASE)] == []
    assert any("giudice" in text for text in said)


def test_what_takes_a_sentence_has_the_name_by_which_it_is_collected():
    """A function renamed beside ``KEYWORDS`` would lose its sentences without a word."""
    folders = ("rules", *SOURCES)
    text = "\n".join(
        path.read_text() for name in folders for path in Path(ROOT, name).rglob("*.py")
    )
    names = {keyword.partition(":")[0] for keyword in KEYWORDS}
    defined = set(re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE))
    assert names <= defined
