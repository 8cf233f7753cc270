"""Text in Markdown as harmless HTML.

The parser reads no HTML, and of what it makes only plain marks are left: no script, no style,
links to the web and to mail alone. Only the site's own texts have pictures, of its static files.
"""

from functools import lru_cache

import nh3
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token
from PIL import Image

TAGS = frozenset(
    {
        *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
        *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
    }
)
SCHEMES = frozenset({"http", "https", "mailto"})
LINKED = "nofollow ugc noopener noreferrer"
DEEPEST = 20
STATIC = "../../../config/static/"
"""How the address of a picture begins in a file of the help: it is right in the repository too."""

OPTIONS = {"html": False, "maxNesting": DEEPEST}
MARKS = ["table", "strikethrough"]
own_reader = MarkdownIt("commonmark", OPTIONS).enable(MARKS)
reader = MarkdownIt("commonmark", OPTIONS).enable(MARKS).disable("image")


@lru_cache(maxsize=64)
def render_markdown(text: str, top: int = 3, *, own: bool = False) -> SafeString:
    """Return Markdown as sanitised HTML.

    top: level of its highest headings (3 for ``h3``). own: whether it is a text of the site, in
    which ``{#name}`` at the end of a heading becomes its id, and pictures are shown.
    """
    parser = own_reader if own else reader
    tokens = parser.parse(text)
    for number, token in enumerate(tokens):
        if token.type.startswith("heading"):
            token.tag = f"h{min(int(token.tag[1]) + top - 1, 6)}"
            if own and token.nesting == 1:
                _name(token, tokens[number + 1])
        elif token.type == "th_open":
            token.attrs["scope"] = "col"
        for part in token.children or ():
            if part.type == "image":
                _place(part)
    made = parser.renderer.render(tokens, parser.options, {})
    clean = nh3.clean(
        made,
        tags={*TAGS, "img"} if own else set(TAGS),
        attributes={
            "*": {"id"},
            "a": {"href"},
            "ol": {"start"},
            "th": {"scope"},
            "img": {"src", "alt", "width", "height", "loading"},
        },
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


def _place(picture: Token) -> None:
    """Give a picture its address and its size on the page, where three of its pixels are two."""
    name = str(picture.attrs["src"]).removeprefix(STATIC)
    with Image.open(str(finders.find(name))) as opened:
        width, height = opened.size
    picture.attrs = {**picture.attrs, "src": static(name), "loading": "lazy"}
    picture.attrs |= {"width": width * 2 // 3, "height": height * 2 // 3}
