"""The colours of games: text is read on all of them, in both schemes; each game has an emblem.

Checks of accessibility can't tell what stands on a gradient, so its two ends are measured here.
"""

import re
from pathlib import Path

import pytest

from config.looks import COLOURS, DRAWN, EMBLEMS, FILLS, drawing
from decks.labels import games
from rules.deckbuilding import formats
from tournaments.public.games import HOUSE, INKS, LOOKS, look_of

ROOT = Path(__file__).resolve().parents[3]
FACE = (ROOT / "tournaments/public/static/tournaments/hero.css").read_text("utf-8")
RULES = (ROOT / "decks/static/decks/house.css").read_text("utf-8")
SITE = (ROOT / "config/static/girone/head.css").read_text("utf-8")
LEAST = 4.5
GHOST = 0.14
"""How much white a button on the head of an event has over the game's colour."""


def rgb(colour):
    """Return the parts of a hexadecimal colour from 0 to 1."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def light(parts):
    """Return the relative luminance, as WCAG defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Return the contrast of two colours."""
    bright, dim = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def schemes():
    """Yield (scheme, game, colours) of each game in the stylesheet."""
    begin = FACE.index("@media (prefers-color-scheme: dark)")
    parts = {"light": FACE[:begin], "dark": FACE[begin : FACE.index("/* --- A page of an event")]}
    for scheme, css in parts.items():
        for game, body in re.findall(r"\.g-([a-z-]+) \{([^}]*)\}", css):
            yield scheme, game, dict(re.findall(r"--(\w+): (#\w+)", body))


def of_site(scheme, name):
    """Return a colour of the whole site."""
    begin = SITE.index("@media (prefers-color-scheme: dark)")
    css = SITE[:begin] if scheme == "light" else SITE[begin:]
    found = re.search(rf"--{name}: (#\w+)", css)
    assert found
    return rgb(found[1])


def test_every_game_has_colours_in_both_schemes_and_an_emblem():
    assert {(scheme, palette) for scheme, palette, _colours in schemes()} == {
        (scheme, palette) for scheme in ("light", "dark") for palette in formats.PALETTES
    }
    assert set(COLOURS) == set(FILLS) == set(formats.PALETTES)
    assert set(DRAWN) == set(EMBLEMS) == set(formats.EMBLEMS)
    for emblem in EMBLEMS:
        assert 'aria-hidden="true"' in drawing(emblem)
    assert set(LOOKS) == set(games())
    assert len({*LOOKS.values(), HOUSE}) == len(LOOKS) + 1
    for look in LOOKS.values():
        assert look.palette in formats.PALETTES
        assert look.emblem in formats.EMBLEMS


@pytest.mark.parametrize(("scheme", "game", "colours"), list(schemes()))
def test_text_is_read_on_the_colours_of_a_game(scheme, game, colours):
    white = rgb("#fff")
    fill = rgb(colours["gf"])
    ghost = [GHOST + (1 - GHOST) * part for part in fill]
    for ground in (fill, rgb(colours["gd"]), ghost):
        assert contrast(white, ground) >= LEAST
    text = rgb(colours["gt"])
    for ground in (of_site(scheme, "surface"), of_site(scheme, "paper"), rgb(colours["gs"])):
        assert contrast(text, ground) >= LEAST


def test_pictures_have_the_colours_of_the_stylesheet():
    light_ones = {game: colours for scheme, game, colours in schemes() if scheme == "light"}
    assert {game: (c["gf"], c["gd"]) for game, c in light_ones.items()} == dict(FILLS)


@pytest.mark.parametrize(("ground", "letters"), INKS)
def test_initials_are_read_and_the_stylesheet_has_the_same(ground, letters):
    assert contrast(rgb(ground), rgb(letters)) >= LEAST
    assert f"background: {ground}; color: {letters}" in FACE


def test_a_house_format_has_the_emblem_of_house_formats():
    assert look_of("doomtrooper-original") == LOOKS["doomtrooper"]
    assert look_of("doomtrooper-original_ours") == HOUSE


def test_the_form_of_rules_shows_the_fills_themselves():
    shown = dict(re.findall(r"\[value=(\w+)\] \{ background: (#\w+); \}", RULES))
    assert shown == {palette: fill for palette, (fill, _deep) in FILLS.items()}
