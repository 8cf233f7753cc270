"""Typeset sheets as PDF with typst.

A sheet is the same on every printer: the site breaks its pages, not a browser. Names reach typst as
JSON strings, which are shown and never read as commands.
"""

import io
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import font_source_sans_pro
import manimgx_fonts
import manimgx_fonts_cjk
import typst
from PIL import Image

SHEETS = Path(__file__).parent / "sheets"
FONTS = (
    Path(font_source_sans_pro.__file__).parent / "files",
    Path(manimgx_fonts.__file__).parent,  # Noto Sans for other scripts, emoji, symbols
    Path(manimgx_fonts_cjk.__file__).parent,
)
PAPERS = ("a4", "letter")
SMALL, GREYS = 24, 16
"""Points an inch of a small picture, and its colours: some 4 kB a sheet."""


class SheetPreview(NamedTuple):
    """A sheet's number of ``pages``, and a small PNG of the ``first`` page."""

    pages: int
    first: bytes


@cache
def fonts() -> typst.Fonts:
    """Return the fonts of all sheets and pictures; fonts of the system are not used.

    Each font is a fallback for letters that the ones before lack.
    """
    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[*map(str, FONTS)]
    )


def typeset(sheet: str, content: Mapping[str, Any], paper: str) -> bytes:
    """Return a sheet as PDF; some 15 ms for 128 players.

    sheet: the template's name. content: its data. paper: "a4" or "letter".
    """
    made: bytes = _compiled(sheet, content, paper)
    return made


def render_preview(sheet: str, content: Mapping[str, Any], paper: str) -> SheetPreview:
    """Return the preview of a sheet; some 20 ms for 128 players.

    sheet: the template's name. content: its data. paper: "a4" or "letter".
    """
    made = _compiled(sheet, content, paper, format="png", ppi=SMALL)
    pages = [made] if isinstance(made, bytes) else made
    small = io.BytesIO()
    Image.open(io.BytesIO(pages[0])).convert("L").quantize(GREYS).save(small, "png", optimize=True)
    return SheetPreview(len(pages), small.getvalue())


def _compiled(sheet: str, content: Mapping[str, Any], paper: str, **how: Any) -> Any:
    return typst.compile(
        str(SHEETS / f"{sheet}.typ"),
        root=str(SHEETS),
        font_paths=fonts(),
        sys_inputs={"content": json.dumps(content), "paper": paper},
        **how,
    )
