"""How a match is played and ranked, as JSON of a format of one's own.

Source: contracts, Formats of one's own.
"""

from rules.criteria import CRITERIA
from rules.deckbuilding.game_standings import GameStandings
from rules.deckbuilding.own.rules import OwnMatch, Score
from rules.deckbuilding.own.values import (
    a_flag,
    a_fraction,
    a_number,
    an_object,
    each,
    invalid,
    one_of,
)
from rules.results import MOST_BYE_GAMES
from rules.wording import gettext_noop as _

GAMES = (1, 3, 5, 7, 9)
STANDINGS = ("points", "criteria", "floor", "draw_share", "bye_games", "byes_left_out")
MOST_MINUTES, MOST_TARGET, MOST_POINTS = 600, 999, 100


def match_from_json(value: object) -> OwnMatch:
    """Return how a match is played; raises BadInput ``invalid_rules``."""
    fields = an_object(
        value, "match", ("best_of", "final_best_of", "score", "target", "draws", "minutes")
    )
    best_of = _games(fields.get("best_of", 1), "match.best_of")
    score = Score(one_of(fields.get("score", Score.GAMES), "match.score", tuple(Score)))
    target, minutes = fields.get("target"), fields.get("minutes")
    if target is not None and score is not Score.POINTS:
        raise invalid("match.target", _("Only a result in points has a target."))
    if best_of > 1 and score is not Score.GAMES:
        raise invalid("match.best_of", _("Only a result in games has more than one game."))
    return OwnMatch(
        best_of=best_of,
        final_best_of=_games(fields.get("final_best_of", best_of), "match.final_best_of"),
        score=score,
        target=None if target is None else a_number(target, "match.target", 1, MOST_TARGET),
        draws=a_flag(fields.get("draws"), "match.draws", usual=True),
        minutes=None if minutes is None else a_number(minutes, "match.minutes", 1, MOST_MINUTES),
    )


def _games(value: object, path: str) -> int:
    number = a_number(value, path, 1, GAMES[-1])
    if number not in GAMES:
        raise invalid(path, _("This must be one of: %(known)s."), known=GAMES)
    return number


def standings_from_json(value: object) -> GameStandings:
    """Return points and criteria; raises BadInput ``invalid_rules``."""
    fields = an_object(value, "standings", STANDINGS)
    usual = GameStandings()
    points = an_object(fields.get("points"), "standings.points", ("win", "draw", "loss"))
    win, draw, loss = (
        a_fraction(
            points.get(key, str(worth)), f"standings.points.{key}", parts=2, most=MOST_POINTS
        )
        for key, worth in zip(("win", "draw", "loss"), usual.points, strict=True)
    )
    if not win >= draw >= loss:
        raise invalid("standings.points", _("A win is worth a draw at least, and a draw a loss."))
    criteria = each(
        fields.get("criteria"),
        "standings.criteria",
        len(CRITERIA.keys()),
        lambda item, path: one_of(item, path, CRITERIA.keys()),
    )
    if len({*criteria}) < len(criteria):
        raise invalid("standings.criteria", _("A criterion counts once."))
    floor, draw_share = (
        a_fraction(fields.get(key, str(worth)), f"standings.{key}", parts=100, most=1)
        for key, worth in (("floor", usual.floor), ("draw_share", usual.draw_share))
    )
    return GameStandings(
        points=(win, draw, loss),
        criteria=criteria or usual.criteria,
        floor=floor,
        draw_share=draw_share,
        bye_games=a_number(
            fields.get("bye_games", usual.bye_games), "standings.bye_games", 0, MOST_BYE_GAMES
        ),
        byes_left_out=a_flag(fields.get("byes_left_out"), "standings.byes_left_out", usual=False),
    )
