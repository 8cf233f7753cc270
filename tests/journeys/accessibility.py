"""What axe finds on a page, and what it leaves open: measured here, or explained.

axe calls *incomplete* what it can't decide. Contrast (text in drawings, under or over another box)
is measured: the text against the colour that lies beneath it, which is never a gradient or an
image. Everything else is a problem unless it stands in ``EXPLAINED``. The page ``/accessibility/``
tells readers the same.
"""

from typing import Any

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]  # what a colour scheme can change
EXPLAINED = {
    # The list of names is hidden until there are any; a text box has no "aria-expanded" to say so.
    "aria-valid-attr-value": "[data-complete][aria-haspopup='listbox']",
    # Rank and name, nothing more: the name heads its row although nothing follows it.
    "th-has-data-cells": "#final, #decklists, #players-table",
    # A player's name looks like the words around it: nothing is missed by who sees no link.
    "link-in-text-block": "a.player",
}
"""What axe may leave open, by its rule: where."""
UNSURE = "axe is not sure"
MEASURED = """
  const dot = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      dot.clearRect(0, 0, 1, 1);
      dot.fillStyle = colour;
      dot.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = dot.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = ([r, g, b, a], [x, y, z]) =>
    [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [dim, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  };
  // The shapes of a drawing that lie beneath a text, the uppermost first.
  const shapes = (text, drawing) => {
    const box = text.getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    return [...drawing.querySelectorAll("rect, circle, ellipse, polygon, path")].filter((shape) => {
      const edge = shape.getBoundingClientRect();
      const before = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
      return before && getComputedStyle(shape).fill !== "none" &&
        edge.left <= x && x <= edge.right && edge.top <= y && y <= edge.bottom;
    }).reverse().map((shape) => rgba(getComputedStyle(shape).fill));
  };
  // The colour beneath a text; null where it is not one.
  const beneath = (element) => {
    const layers = element.ownerSVGElement ? shapes(element, element.ownerSVGElement) : [];
    for (let box = element.ownerSVGElement || element; box; box = box.parentElement) {
      const { backgroundImage, backgroundColor } = getComputedStyle(box);
      if (backgroundImage !== "none") return null;
      layers.push(rgba(backgroundColor));
      if (rgba(backgroundColor)[3] === 1) break;
    }
    return layers.reverse().reduce((under, colour) => over(colour, under), [255, 255, 255, 1]);
  };
  const wrong = (element) => {
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const ink = [...rgba(element.ownerSVGElement ? style.fill : style.color)];
    for (let box = element; box; box = box.parentElement) ink[3] *= getComputedStyle(box).opacity;
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const under = beneath(element);
    if (!under) return "a gradient or an image lies beneath";
    const found = contrast(over(ink, under), under);
    return found < (large ? 3 : 4.5) ? `contrast ${found.toFixed(2)}` : "";
  };
"""
# Only what is wrong leaves the page: all that axe looked at would take as long as looking.
FOUND = f"""([options, explained]) => {{
  if (!window.axe) return null;
  {MEASURED}
  const open = ({{ id, nodes }}) => nodes.map(({{ html, target }}) => {{
    const element = document.querySelector(target[0]);
    if (id === "color-contrast") return [wrong(element), html];
    return [explained[id] && element.matches(explained[id]) ? "" : "{UNSURE}", html];
  }}).filter(([why]) => why).map(([why, html]) => `${{why}}: ${{html.slice(0, 160)}}`);
  return axe.run(options).then(({{ violations, incomplete }}) => [
    ...violations.map(({{ id, nodes }}) => [id, nodes.map(({{ html }}) => html.slice(0, 160))]),
    ...incomplete.map((each) => [each.id, open(each)]).filter(([, places]) => places.length),
  ]);
}}"""


def find_problems(page: Any, script: str, *, only_colours: bool) -> list[tuple[str, list[str]]]:
    """Return the problems of the page that is open: rule, and where. ``script`` is axe's own."""
    asked = {"type": "rule", "values": COLOURS} if only_colours else RULES
    options = {"runOnly": asked, "resultTypes": ["violations", "incomplete"]}
    found = page.evaluate(FOUND, [options, EXPLAINED])
    if found is None:  # the first time on this page
        page.evaluate(script)
        found = page.evaluate(FOUND, [options, EXPLAINED])
    if any(place.startswith(UNSURE) for _rule, places in found for place in places):
        found = page.evaluate(FOUND, [options, EXPLAINED])  # a part was exchanged meanwhile
    return [(rule, places) for rule, places in found]
