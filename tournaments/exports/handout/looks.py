"""Colours of the sheets that are handed out: those of the pages, light, as they are printed."""

from typing import Any

Look = dict[str, Any]
"""The look of cells, as XlsxWriter's formats take it."""

GREEN, LINE, QUIET = "#0F5E4E", "#B9BDB8", "#4A4F4B"
THIN = "#D3D6D1"
HEAD, PALE, GOLDEN = "#E3E8E3", "#F1F6F3", "#FDF0CF"
MEDALS = {1: "#FBE1A2", 2: "#E4E8EA", 3: "#EED4C1"}
