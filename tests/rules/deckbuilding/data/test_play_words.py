"""How matches are played, in words."""

from dataclasses import replace

from rules.deckbuilding.data.play_words import all_words
from rules.deckbuilding.formats import FORMATS

EXO = FORMATS.get("creatures-of-exo")


def said(**match: object) -> set[str]:
    """Return the templates of what is said of a format without standings of its own."""
    shape = replace(EXO, match=replace(EXO.match, **match), standings=None)
    return {words.template for words in all_words(shape)}


def test_a_longer_final_is_named() -> None:
    assert "Best of %(games)s, the final best of %(final)s." in said(best_of=1, final_best_of=3)


def test_points_of_both_are_named_where_no_number_ends_a_game() -> None:
    one = said(best_of=1, final_best_of=1, score="points", target=None)
    assert "A result has the points of both." in one
