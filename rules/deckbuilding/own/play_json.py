"""How a match is played and ranked, as JSON of a format.

Source: contracts, Formats of one's own.
"""

from fractions import Fraction

from rules.criteria import CRITERIA
from rules.deckbuilding.game_standings import GameStandings
from rules.deckbuilding.play import DRAW_FIRST, TIME_UP, Play
from rules.json_reader import ANY_TEXT, Fields, Whole, WrongValue, flag, fraction, list_of, one_of
from rules.point_parts import DENOMINATORS
from rules.results import MOST_BYE_GAMES
from rules.wording import Sentence

GAMES = (1, 3, 5, 7, 9)
SCORES = ("games", "points", "none")
"""What the result of a match consists of: games won, points, or only the winner."""
MATCH = ("best_of", "final_best_of", "score", "target", "draws", "minutes")
SHIPPED_MATCH = ("first", "time_up", "calls")
STANDINGS = (
    *("points", "criteria", "floor", "draw_share", "bye_games", "byes_left_out"),
    "dropped_cap",
)
MOST_MINUTES, MOST_TARGET, MOST_POINTS = 600, 999, 100
SHARE = fraction(1, range(1, 101))


def read_match(value: object, *, shipped: bool = False) -> Play:
    """Return how a match is played. Raises WrongValue."""
    given = Fields(value, (*MATCH, *(SHIPPED_MATCH if shipped else ())))
    best_of = given.read("best_of", _games, 1)
    scores = (*SCORES, "promotion") if shipped else SCORES
    score = given.read("score", one_of(scores), "games")
    target = given.optional("target", Whole(1, MOST_TARGET), None)
    if target is not None and score in ("games", "none"):
        raise WrongValue("Only a result in points has a target.", at="target")
    if best_of > 1 and score != "games":
        raise WrongValue("Only a result in games has more than one game.", at="best_of")
    return Play(
        first=given.read("first", sentence, DRAW_FIRST),
        best_of=best_of,
        final_best_of=given.read("final_best_of", _games, best_of),
        score="games" if score == "none" else score,
        winner_only=score == "none",
        target=target,
        draws=given.optional("draws", flag, True),
        minutes=given.optional("minutes", Whole(1, MOST_MINUTES), None),
        time_up=given.read("time_up", sentence, TIME_UP),
        calls=given.read("calls", list_of(sentence), ()),
    )


def sentence(value: object) -> Sentence:
    """Return a sentence of a shipped format, which is translated. Raises WrongValue."""
    return Sentence(ANY_TEXT(value))


def _games(value: object) -> int:
    number = Whole(1, GAMES[-1])(value)
    if number not in GAMES:
        raise WrongValue("This must be one of: %(known)s.", known=GAMES)
    return number


def read_standings(value: object) -> GameStandings:
    """Return points and criteria. Raises WrongValue."""
    given, usual = Fields(value, STANDINGS), GameStandings()
    criteria = given.optional("criteria", _criteria, ())
    return GameStandings(
        points=given.optional("points", _points, usual.points),
        criteria=criteria or usual.criteria,
        floor=given.read("floor", SHARE, usual.floor),
        draw_share=given.read("draw_share", SHARE, usual.draw_share),
        bye_games=given.read("bye_games", Whole(0, MOST_BYE_GAMES), usual.bye_games),
        byes_left_out=given.optional("byes_left_out", flag, False),
        dropped_cap=given.optional("dropped_cap", SHARE, None),
    )


def _points(value: object) -> tuple[Fraction, Fraction, Fraction]:
    given, usual = Fields(value, ("win", "draw", "loss")), GameStandings().points
    win, draw, loss = (
        given.read(key, fraction(MOST_POINTS, DENOMINATORS), worth)
        for key, worth in zip(("win", "draw", "loss"), usual, strict=True)
    )
    if not win >= draw >= loss:
        raise WrongValue("A win is worth a draw at least, and a draw a loss.")
    return win, draw, loss


def _criteria(value: object) -> tuple[str, ...]:
    known = CRITERIA.keys()
    criteria = list_of(one_of(known), len(known))(value)
    if len({*criteria}) < len(criteria):
        raise WrongValue("A criterion counts once.")
    return criteria
