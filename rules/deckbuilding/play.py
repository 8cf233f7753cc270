"""How a game is played: its matches, and exchanges with the side between games."""

from dataclasses import dataclass

from rules.wording import Sentence

DRAW_FIRST = Sentence("A coin or another draw says who goes first.")
TIME_UP = Sentence("Time is up: finish the turn in progress, then report the result.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Defaults of matches in this game.

    ``score`` is ``games`` (won), ``points``, or ``promotion`` (Doomtrooper's, up to ``target``); a
    match is best of
    ``best_of`` games, the final of ``final_best_of``. ``first`` says who begins, ``time_up`` how
    a game ends when time is called. ``calls`` are the occasions on which the rule book requires a
    judge, offered as reasons of a call. ``draws``: a match may be drawn where its stage allows it.
    ``minutes`` are those of a round, None where the game says nothing. ``winner_only``: only who
    won the match is said.
    """

    first: Sentence = DRAW_FIRST
    best_of: int = 1
    final_best_of: int = 1
    score: str = "games"
    winner_only: bool = False
    target: int | None = None
    time_up: Sentence = TIME_UP
    calls: tuple[Sentence, ...] = ()
    draws: bool = True
    minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The rules of exchanging cards with the side between games, one for one.

    ``returns``: after the match the deck returns to the registered list, so games are counted
    within the match; else within the event. A zone that ``stays_empty`` cannot be filled if it is
    empty in the registered list.
    """

    returns: bool = True
    stays_empty: tuple[str, ...] = ()
