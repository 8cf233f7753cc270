"""Markdown becomes harmless HTML, whatever is written."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.markdown import LINKED, TAGS, markdown
from tests.effort import examples

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
    seen.feed(markdown(text))
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
    made = markdown("# Premi\n\n**Primo**: 10 bustine\n\n- a\n- b\n\n| x | y |\n|-|-|\n| 1 | 2 |")
    for mark in ("<h3>Premi</h3>", "<strong>Primo</strong>", "<li>a</li>", "<td>1</td>"):
        assert mark in made
    assert "<h1" not in markdown("# a\n## b\n### c\n###### d")


def test_a_link_is_followed_by_no_machine():
    made = markdown("[stream](https://video.example/live)")
    assert '<a href="https://video.example/live"' in made
    assert f'rel="{LINKED}"' in made
    assert "nofollow" in LINKED
    assert "<img" not in markdown("![logo](https://a.example/logo.png)")
