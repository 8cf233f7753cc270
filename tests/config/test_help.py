"""The help and the accessibility statement: in both languages, a click from every page."""

import re
from pathlib import Path

import polib
import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from config.pages import HELP, HELP_PAGES
from tests.measures.words import shape

pytestmark = pytest.mark.django_db
DOCS = Path(HELP).parents[1] / "docs"
LANGUAGES = ("en", "it")
GUIDES = ("organising", "judging", "playing", "season")
CODE = re.compile(r"`([^`]+)`")
LABEL = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
WITH_EXAMPLES = [page for page in HELP_PAGES if (DOCS / f"{page}.md").exists()]
PO = Path(HELP).parents[1] / "locale" / "it" / "LC_MESSAGES" / "django.po"


def text_of(page: str, language: str) -> str:
    return (HELP / language / f"{page}.md").read_text(encoding="utf-8")


def examples(page: str, language: str) -> list[str]:
    rows = [line for line in text_of(page, language).splitlines() if line.startswith("| `")]
    return [code for row in rows for code in CODE.findall(row)]


def pictures(page: str, language: str) -> list[tuple[str, str]]:
    """Return the pictures of a page as (what it shows, name)."""
    found = re.findall(r"^!\[(.+)\]\((\S+)\)$", text_of(page, language), re.MULTILINE)
    folder = f"../../../config/static/girone/help/{language}/"
    return [(alt, to.removeprefix(folder).removesuffix(".webp")) for alt, to in found]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", HELP_PAGES)
def test_a_page_is_shown_in_the_readers_language(page: str, language: str) -> None:
    visitor = Client(headers={"accept-language": language})
    title = text_of(page, language).splitlines()[0].removeprefix("# ")
    assert f"<h1>{title}</h1>" in visitor.get(f"/help/{page}/").content.decode()
    assert f'<a href="/help/{page}/">{title}</a>' in visitor.get("/help/").content.decode()


@pytest.mark.parametrize("page", HELP_PAGES)
def test_headings_have_the_same_names_in_both_languages(page: str) -> None:
    shown = {
        language: Client(headers={"accept-language": language}).get(f"/help/{page}/")
        for language in LANGUAGES
    }
    names = [re.findall(r'<h2 id="([a-z-]+)">', each.content.decode()) for each in shown.values()]
    assert names[0] == names[1]
    assert len(names[0]) == text_of(page, "en").count("\n## ")
    assert "{#" not in shown["en"].content.decode()


def test_there_is_no_other_page() -> None:
    assert {path.stem for path in HELP.glob("*/*.md")} == set(HELP_PAGES)
    assert Client().get("/help/secrets/").status_code == 404


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_examples_are_those_of_the_tested_documentation(page: str) -> None:
    documented = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    found = examples(page, "en")
    assert len(found) > 10
    assert [each for each in found if f"`{each}`" not in documented] == []


@pytest.mark.parametrize("page", sorted({*HELP_PAGES} - {"accessibility", "decklists"}))
@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_that_a_guide_names_are_on_pages(page: str, language: str) -> None:
    named = set(LABEL.findall(text_of(page, language)))
    assert len(named) > (5 if page in GUIDES else 2)
    known = polib.pofile(str(PO))
    labels = {shape(each.msgid if language == "en" else each.msgstr) for each in known}
    assert {shape(each) for each in named} <= labels


@pytest.mark.parametrize("page", HELP_PAGES)
def test_both_languages_have_the_same_examples(page: str) -> None:
    assert examples(page, "en") == examples(page, "it")


@pytest.mark.parametrize("page", HELP_PAGES)
def test_both_languages_have_the_same_pictures(page: str) -> None:
    en, it = (pictures(page, language) for language in LANGUAGES)
    assert [name for _alt, name in en] == [name for _alt, name in it]
    assert all(len(alt.split()) > 5 for alt, _name in (*en, *it))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_is_drawn_shown_and_served(language: str) -> None:
    named = [name for page in HELP_PAGES for _alt, name in pictures(page, language)]
    drawn = Path(str(finders.find("girone/help"))) / language
    assert sorted(named) == sorted(path.stem for path in drawn.iterdir())
    visitor = Client(headers={"accept-language": language})
    shown = visitor.get("/help/playing/").content.decode()
    address = f"/static/girone/help/{language}/own-page.webp"
    assert f'src="{address}" alt="' in shown
    assert 'width="390" height="600"' in shown


@pytest.mark.parametrize("page", ["/", "/formats/", "/privacy/", "/accounts/login/"])
def test_every_page_leads_there(page: str) -> None:
    assert '<a href="/help/">' in Client().get(page).content.decode()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "What is not good yet"), ("it", "Che cosa non va ancora bene")]
)
def test_it_says_what_holds_and_what_falls_short(language: str, words: str) -> None:
    answer = Client(headers={"accept-language": language}).get("/accessibility/")
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert "WCAG" in answer.content.decode()


@pytest.mark.parametrize("page", ["/", "/formats/", "/privacy/", "/accounts/login/"])
def test_every_page_leads_to_the_statement(page: str) -> None:
    assert '<a href="/accessibility/">' in Client().get(page).content.decode()


LINK = re.compile(r'\{% url "help-page" "([a-z]+)" %\}(?:#([a-z-]+))?')
LINKS = {
    (page, name)
    for path in Path(HELP).parent.rglob("*.html")
    for page, name in LINK.findall(path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize(("page", "name"), sorted(LINKS))
def test_every_link_into_the_help_leads_to_a_paragraph(page: str, name: str) -> None:
    text = text_of(page, "en")
    assert not name or f"{{#{name}}}" in text
