"""All that rules as data say, in words: lists, match and standings."""

from collections.abc import Iterator

from rules.criteria import CRITERIA
from rules.deckbuilding.formats import DeckFormat, GameStandings, Play
from rules.numbers import points_as_text
from rules.wording import Sentence
from rules.wording import gettext_noop as _

SHARES_OF_MATCHES = {"opponents_match_win", "opponents_opponents_match_win"}
SHARES_OF_GAMES = {"game_win", "opponents_game_win"}


def all_words(shape: DeckFormat) -> Iterator[Sentence]:
    """Yield a format's rules: lists, how matches are played, and the standings."""
    yield from shape.describe()
    yield from _match_words(shape.match)
    if shape.standings is not None:
        yield from _standings_words(shape.standings)


def _match_words(match: Play) -> Iterator[Sentence]:
    games = {"games": match.best_of, "final": match.final_best_of}
    if match.final_best_of != match.best_of:
        yield Sentence("Best of %(games)s, the final best of %(final)s.", games)
    elif match.best_of > 1:
        yield Sentence("Best of %(games)s.", games)
    elif match.target is not None:
        yield Sentence("A game ends at %(target)s points.", {"target": match.target})
    elif match.score == "points":
        yield Sentence("A result has the points of both.")
    if match.minutes is not None:
        yield Sentence("Minutes a round: %(minutes)s.", {"minutes": match.minutes})
    yield Sentence(_("A match may be drawn.") if match.draws else _("No match may be drawn."))


def _standings_words(standings: GameStandings) -> Iterator[Sentence]:
    win, draw, loss = map(points_as_text, standings.points)
    yield Sentence(
        "Points for a win: %(win)s, for a draw: %(draw)s, for a loss: %(loss)s.",
        {"win": win, "draw": draw, "loss": loss},
    )
    criteria = [CRITERIA.get(key) for key in standings.criteria]
    labels = tuple(one.label for one in criteria)
    yield Sentence("Order of the standings: %(criteria)s.", {"criteria": labels})
    if any(one.percentage for one in criteria):
        yield Sentence(
            "Opponents’ percentages count at least %(floor)s; a draw counts %(draw)s of a win "
            "there.",
            {"floor": standings.floor, "draw": standings.draw_share},
        )
    keys = {one.key for one in criteria}
    if standings.byes_left_out and keys & SHARES_OF_MATCHES:
        yield Sentence("A bye scores as a win and doesn’t count in win percentages.")
    if standings.dropped_cap is not None and keys & SHARES_OF_MATCHES:
        yield Sentence(
            "The percentage of a dropped player counts at most %(cap)s.",
            {"cap": standings.dropped_cap},
        )
    if standings.bye_games and keys & SHARES_OF_GAMES:
        yield Sentence(
            "Byes and matches won without play count as won %(games)s–0.",
            {"games": standings.bye_games},
        )
