"""Text in Markdown as harmless HTML.

The parser reads no HTML, and of what it makes only plain marks are left: no image, no script, no
style, links to the web and to mail alone.
"""

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

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
def markdown(text: str, top: int = 3) -> SafeString:
    """Return the HTML; headings begin at level ``top``, below those of a page."""
    tokens = reader.parse(text)
    for token in tokens:
        if token.type.startswith("heading"):
            token.tag = f"h{min(int(token.tag[1]) + top - 1, 6)}"
        elif token.type == "th_open":
            token.attrs["scope"] = "col"
    made = reader.renderer.render(tokens, reader.options, {})
    clean = nh3.clean(
        made,
        tags=set(TAGS),
        attributes={"*": set(), "a": {"href"}, "ol": {"start"}, "th": {"scope"}},
        url_schemes=set(SCHEMES),
        link_rel=LINKED,
    )
    return mark_safe(clean)  # noqa: S308 - cleaned in the line above
