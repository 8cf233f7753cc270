"""Text in Markdown as harmless HTML.

The parser reads no HTML, and of what it makes only plain marks are left: no image, no script, no
style, links to the web and to mail alone.
"""

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = frozenset(
    {
        *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
        *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
    }
)
SCHEMES = frozenset({"http", "https", "mailto"})
LINKED = "nofollow ugc noopener noreferrer"
DEEPEST = 20

reader = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}).enable(
    ["table", "strikethrough"]
)
reader.disable("image")


@lru_cache(maxsize=64)
def render_markdown(text: str, top: int = 3, *, anchors: bool = False) -> SafeString:
    """Return Markdown as sanitised HTML.

    top: level of its highest headings (3 for ``h3``). anchors: whether ``{#name}`` at the end of a
    heading becomes its id.
    """
    tokens = reader.parse(text)
    for number, token in enumerate(tokens):
        if token.type.startswith("heading"):
            token.tag = f"h{min(int(token.tag[1]) + top - 1, 6)}"
            if anchors and token.nesting == 1:
                _name(token, tokens[number + 1])
        elif token.type == "th_open":
            token.attrs["scope"] = "col"
    made = reader.renderer.render(tokens, reader.options, {})
    clean = nh3.clean(
        made,
        tags=set(TAGS),
        attributes={"*": {"id"}, "a": {"href"}, "ol": {"start"}, "th": {"scope"}},
        url_schemes=set(SCHEMES),
        link_rel=LINKED,
    )
    return mark_safe(clean)  # noqa: S308 - cleaned in the line above


def _name(heading: Token, words: Token) -> None:
    """Make ``{#name}`` at the end of a heading's words its id."""
    last = (words.children or [])[-1]
    last.content, mark, name = last.content.rstrip("}").partition(" {#")
    if mark:
        heading.attrs["id"] = name
