"""Components and forms: what they show is escaped, and errors stand at their fields."""

from datetime import UTC, date, datetime
from html.parser import HTMLParser

import pytest
from django import forms
from django.template import Context, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.utils import translation
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from config.markdown import LINKED, TAGS, render_markdown
from config.wording import add_rule_error
from rules.errors import RuleError
from rules.json_reader import JsonObjectReader, WholeNumber, list_of, read_document
from rules.wording import Sentence
from tests.effort import examples


def draw(source, **values):
    values["request"] = RequestFactory().get("/")
    return Template(source).render(Context(values))


@pytest.mark.parametrize(
    "source",
    [
        "{% panel bad %}x{% endpanel %}",
        "{% card bad url=bad %}x{% endcard %}",
        "{% badge bad %}",
        "{% button bad url=bad %}",
        "{% button bad why_not=bad %}",
        "{% person bad %}",
        "{% pagehead bad kicker=bad %}{% endpagehead %}",
        "{% table bad %}{% endtable %}",
        "{% crumb bad url=bad %}",
        "{% fact bad %}{{ bad }}{% endfact %}",
        "{% act bad url=bad confirm=bad field=bad %}",
    ],
)
def test_values_are_escaped(source):
    assert "<script>" not in draw(source, bad='"><script>')


def test_content_between_tags_stays_markup():
    assert "<p>x</p>" in draw("{% panel 'Title' %}<p>x</p>{% endpanel %}")


@pytest.mark.parametrize(
    "source",
    ["{% badge 'x' 'pink' %}", "{% button 'x' look='huge' %}", "{% notice 'x' %}{% endnotice %}"],
)
def test_a_mistyped_tone_is_seen_at_once(source):
    with pytest.raises(TemplateSyntaxError, match="is not one of"):
        draw(source)


def test_a_table_scrolls_in_a_named_region():
    html = draw("{% table 'Group A' %}{% endtable %}")
    assert 'role="region" tabindex="0" aria-labelledby="table-group-a-caption"' in html
    assert "<caption" in html


def test_a_greyed_button_says_why():
    html = draw("{% button 'Publish' why_not='Two results are missing.' %}")
    assert 'aria-disabled="true" aria-describedby="why-publish"' in html
    assert "Two results are missing." in html


def test_a_posting_button_carries_its_fields_and_token():
    html = draw("{% act 'Drop' url='/drop/' version=3 confirm='Sure?' %}")
    assert 'name="csrfmiddlewaretoken"' in html
    assert 'name="version" value="3"' in html
    assert 'data-confirm="Sure?"' in html


def test_the_next_step_of_a_page_tells_its_key():
    for tag in ("act", "button"):
        html = draw("{% " + tag + " 'Go' url='/go/' step=True %}")
        assert 'data-step aria-keyshortcuts="Control+Enter"' in html
        assert 'aria-hidden="true">Ctrl ↵</kbd>' in html


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", "sabato 21 novembre 2026, ore 15:30"), ("en", "Sat 21 November 2026, 15:30")],
)
def test_a_moment_shows_the_zone_in_visible_text(language, words):
    moment = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)
    with translation.override(language):
        html = draw("{% when moment 'Europe/Rome' named=True %}", moment=moment)
    assert words in html
    assert '<small class="zone">Europe/Rome</small>' in html


def test_a_sentence_of_the_rules_is_said_in_the_readers_language():
    sentence = Sentence("Saved.", {})
    with translation.override("it"):
        assert draw("{{ sentence|words }}", sentence=sentence) == "Salvato."


@pytest.mark.parametrize(("part", "words"), [("all", "ore 10"), ("time", "10:00")])
def test_italians_write_the_hour_their_way_and_an_events_zone_once(part, words):
    moment = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
    with translation.override("it"):
        html = draw("{% when moment 'Europe/Rome' part=part %}", moment=moment, part=part)
    assert f"{words}</time>" in html
    assert "zone" not in html


def test_a_moment_without_a_zone_of_its_own_names_the_zone():
    html = draw("{% when moment %}", moment=datetime(2026, 11, 21, 9, 0, tzinfo=UTC))
    assert '<small class="zone">' in html


def test_a_day_has_no_zone():
    with translation.override("it"):
        html = draw("{% when day 'Europe/Rome' %}", day=date(2026, 11, 21))
    assert html == '<time datetime="2026-11-21">sab 21 novembre 2026</time>'


class Sizes(forms.Form):
    size = forms.CharField(required=False)
    sizes_1 = forms.CharField(required=False)
    why = forms.CharField(required=False)


class Rows(Sizes):
    def field_of(self, path: str) -> str:
        return path.replace("[", "_").replace("]", "")


def refused(sent: object, **named: str) -> RuleError:
    """Return the error of a document with ``size`` and ``sizes``."""
    try:
        read_document("bad_sizes", _read, sent, **named)
    except RuleError as error:
        return error
    raise AssertionError(sent)


def _read(value: object) -> None:
    given = JsonObjectReader(value)
    given.read("size", WholeNumber(1, 9), 1)
    given.read("sizes", list_of(WholeNumber(1, 9)))


WORDS = "Scrivi un numero intero da 1 a 9."
CODED = RuleError("reason_missing", "Say why it was.")


@pytest.mark.parametrize(
    ("form", "error", "beside", "field", "words"),
    [
        (Sizes, refused({"size": 0}), {}, "size", WORDS),
        (Sizes, refused({"size": 0}, also_as="field"), {}, "size", WORDS),
        (Sizes, RuleError("old", "%(field)s is old.", field="size"), {}, "size", "size is old."),
        (Sizes, refused({"sizes": [1, 0]}), {}, "__all__", WORDS),
        (Sizes, refused({"sizes": [1, 0]}), {"sizes[1]": "why"}, "why", WORDS),
        (Sizes, refused({"sizes": [1, 0]}), {"bad_sizes": "size"}, "size", WORDS),
        (Sizes, refused([]), {}, "__all__", "Dev’essere di tipo object."),
        (Rows, refused({"sizes": [1, 0]}), {}, "sizes_1", WORDS),
        (Rows, refused({"sizes": [0]}), {}, "__all__", WORDS),
        (Rows, CODED, {"reason_missing": "why"}, "why", "Say why it was."),
        (Rows, CODED, {"other": "why"}, "__all__", "Say why it was."),
        (Rows, CODED, {"reason_missing": "gone"}, "__all__", "Say why it was."),
    ],
)
def test_an_error_stands_at_its_field(
    form: type[forms.Form], error: RuleError, beside: dict[str, str], field: str, words: str
) -> None:
    shown = form({})
    with override("it"):
        add_rule_error(shown, error, beside)
        assert shown.errors == {field: [words]}


RUBBISH = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/pixel.png)",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\tscript:alert(1))",
    '[x](https://a.example "onmouseover=alert(1)")',
    "<https://a.example/?q='><script>alert(1)</script>>",
    '<a href="https://a.example" onclick="alert(1)">x</a>',
    "<iframe src=//evil.example></iframe>",
    "<svg><animate onbegin=alert(1)></svg>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    "<style>*{display:none}</style>",
    "`<script>`\n\n    <script>alert(1)</script>",
    "[a]: javascript:alert(1)\n[a]",
    "# <b onmouseover=alert(1)>\n\n| <script> | b |\n|---|---|\n| <img src=x> | c |",
    "\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "> " * 200 + "deep",
    "[" * 2000 + "](x)" * 2000,
    "*" * 5000,
    "‮<script>‭",
)


class Seen(HTMLParser):
    """Notes each tag with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def harmless(text: str) -> None:
    seen = Seen()
    seen.feed(render_markdown(text))
    for tag, attrs in seen.tags:
        assert tag in TAGS, (tag, text)
        allowed = {"a": {"href", "rel"}, "ol": {"start"}, "th": {"scope"}}.get(tag, set())
        assert attrs.keys() <= allowed, (tag, attrs)
        if tag == "a":
            assert attrs["rel"] == LINKED
            address = attrs.get("href") or ""
            scheme = address.partition(":")[0].lower() if ":" in address else ""
            assert scheme in ("", "http", "https", "mailto"), address


@pytest.mark.parametrize("text", RUBBISH, ids=range(len(RUBBISH)))
def test_rubbish_is_harmless(text):
    harmless(text)


@examples(2)
@given(st.lists(st.sampled_from([*RUBBISH[:20], "\n\n", "# ", "- ", "a", "|", "<", ">", "`"])))
def test_rubbish_put_together_is_harmless(parts):
    harmless("".join(parts)[:4000])


def test_marks_are_kept():
    made = render_markdown(
        "# Premi\n\n**Primo**: 10 bustine\n\n- a\n- b\n\n| x | y |\n|-|-|\n| 1 | 2 |"
    )
    for mark in ("<h3>Premi</h3>", "<strong>Primo</strong>", "<li>a</li>", "<td>1</td>"):
        assert mark in made
    assert "<h1" not in render_markdown("# a\n## b\n### c\n###### d")


def test_a_link_is_followed_by_no_machine():
    made = render_markdown("[stream](https://video.example/live)")
    assert '<a href="https://video.example/live"' in made
    assert f'rel="{LINKED}"' in made
    assert "nofollow" in LINKED
    assert "<img" not in render_markdown("![logo](https://a.example/logo.png)")
