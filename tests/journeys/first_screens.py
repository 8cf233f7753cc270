"""What the first screen of a page shows, in its window's size.

Rows that stand whole in it, where something begins, words and controls, what moved while it loaded.
"""

from typing import Any, cast

_SEEN = "(all) => all.filter(each => each.checkVisibility() && each.getClientRects().length)"


def rows_in_sight(page: Any, selector: str) -> int:
    """Return how many of the elements stand whole in the window, not under a bar stuck to it."""
    return cast(
        int,
        page.eval_on_selector_all(
            selector,
            f"""(all) => ({_SEEN})(all).filter(each => {{
              const box = each.getBoundingClientRect();
              const at = document.elementFromPoint(box.x + box.width / 2, box.bottom - 2);
              return box.top >= 0 && box.bottom <= innerHeight && at && each.contains(at);
            }}).length""",
        ),
    )


def top_of(page: Any, selector: str) -> float:
    """Return how many pixels below the window's top the first such element begins."""
    return cast(float, page.locator(selector).first.bounding_box()["y"])


def words_of(page: Any, selector: str = "main") -> int:
    """Return how many words a reader sees in an element."""
    return len(page.locator(selector).first.inner_text().split())


def controls_of(page: Any, selector: str = "main") -> int:
    """Return how many links, buttons and fields a reader sees in an element."""
    pressed = "a[href], button, summary, input:not([type=hidden]), select, textarea"
    return cast(
        int,
        page.locator(selector)
        .first.locator(pressed)
        .evaluate_all(f"(all) => ({_SEEN})(all).length"),
    )


def moved(page: Any) -> float:
    """Return the cumulative layout shift of the page since it was opened."""
    return sum(value for value, _what in shifts(page))


def shifts(page: Any) -> list[tuple[float, str]]:
    """Return each layout shift since the page was opened, and the start of what moved first."""
    found = page.evaluate(
        """() => new Promise((tell) => {
          const found = [];
          new PerformanceObserver((list) => {
            for (const each of list.getEntries()) if (!each.hadRecentInput) {
              const { node, previousRect: a, currentRect: b } = each.sources[0] || {};
              const text = node ? (node.outerHTML || node.textContent) : "";
              const way = a && b ? `${a.y}+${a.height} -> ${b.y}+${b.height}` : "";
              found.push([each.value, `${way} ${text.replace(/\\s+/g, " ").slice(0, 90)}`]);
            }
          }).observe({type: "layout-shift", buffered: true});
          requestAnimationFrame(() => setTimeout(() => tell(found), 50));
        })"""
    )
    return [(value, what) for value, what in found]
