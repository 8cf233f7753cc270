"""How a match is played, what may be claimed about it, and its possible results.

Figures of a claim are promotion points or games; Doomtrooper has battle cards at the end of a game.

Source: tournament rules, A match; Regolamento da torneo, Carte Battaglia.
"""

from dataclasses import dataclass, replace

from rules.errors import BadInput
from rules.results import SEAT_WINNERS, Marks, MatchEnding, Places, TieBreak, Winner, leading_side
from rules.wording import Sentence

LARGEST_SCORE = 999
Seats = tuple[int, ...]
"""Numbers of seats, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRules:
    """The rules of a match; ``draws`` is False in a knock-out.

    ``score`` is "games", "points", or "promotion" for the points of Doomtrooper, with its battle
    cards and warriors. A game of points ends at the ``target``; 0: without a target. ``timed``: the
    stage has a time limit. A group match without one can still be stopped by a judge, so it only
    matters in a knock-out. ``leads_nowhere``: nobody advances by this match, as by one for third
    place, so it may stay unplayed. ``size`` is the number of seats; ``gone`` are the marks, as
    (seat, mark), of players who have left a multiplayer table meanwhile.
    """

    best_of: int
    draws: bool
    score: str
    timed: bool
    target: int = 40
    leads_nowhere: bool = False
    size: int = 2
    gone: Marks = ()

    @property
    def needed(self) -> int:
        """Return the number of games needed to win: more than half of n."""
        return self.best_of // 2 + 1

    @property
    def may_be_void(self) -> bool:
        """Return whether the match may count for nothing."""
        return self.draws or self.leads_nowhere

    @property
    def by_points(self) -> bool:
        """Return whether the match is one game decided by points."""
        return self.score in ("promotion", "points") and self.best_of == 1 and self.size < 3

    @property
    def by_promotion(self) -> bool:
        """Return whether these are the promotion points of Doomtrooper."""
        return self.by_points and self.score == "promotion"

    @property
    def example(self) -> int:
        """Return a winner's score to name as an example."""
        return self.target if self.by_promotion else 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A reported or entered result, not yet validated; seats by number from 1.

    ``winner``, ``ended_by``, ``note`` and ``by_staff`` are of any match; at a multiplayer table the
    winner is NONE or VOID. Of two players: ``score``, ``games`` = "a", "b", "draw" in the order
    played, and ``tie_break``.

    Of a multiplayer table one of these: ``order``, the place of each seat, None where it follows
    from the marks; ``first``, the seat that won; ``drawn``, the seats that share the first place,
    empty for all not marked; ``scores`` by seat, None without one. Without any of them only marks
    decide. ``marks`` are (seat, mark); ``there`` are seats marked absent before that are present
    after all.
    """

    winner: Winner | None = None
    score: tuple[int, int] | None = None
    games: tuple[str, ...] | None = None
    tie_break: TieBreak | None = None
    order: Places | None = None
    first: int | None = None
    drawn: Seats | None = None
    scores: tuple[int | None, ...] | None = None
    marks: Marks = ()
    there: Seats = ()
    ended_by: MatchEnding | None = None
    note: str = ""
    by_staff: bool = False

    @property
    def has_two_player_parts(self) -> bool:
        two_players = self.winner in (*SEAT_WINNERS, Winner.DRAW)
        return two_players or bool(self.score or self.games or self.tie_break)

    @property
    def has_multiplayer_parts(self) -> bool:
        """Return whether the claim has parts that only a multiplayer table has, such as places."""
        said = (self.order, self.first, self.drawn, self.scores)
        return bool(self.marks or self.there) or any(way is not None for way in said)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPreset:
    """A button for one possible result of a best-of-n match, such as "2-1".

    Player a's games come first; ``claim`` is what it enters.
    """

    key: str
    label: Sentence
    claim: Claim


def result_presets(rules: MatchRules) -> tuple[ResultPreset, ...]:
    """Return the possible results of a match as buttons.

    () if points or places have to be typed.
    """
    if rules.by_points or rules.size > 2:
        return ()
    most = rules.needed
    totals = [(most, lost) for lost in range(most)]
    stopped = [(won, lost) for won in range(most - 1, 0, -1) for lost in range(won)]
    wins = totals + (stopped if rules.timed else [])
    buttons = [_preset_of_totals(*total) for total in wins] + [
        _preset_of_totals(b, a) for a, b in wins
    ]
    if rules.draws:
        level = range(most - 1, 0, -1) if rules.timed else ()
        buttons += [_preset_of_totals(each, each) for each in level]
        drawn = Claim(games=("draw",) * rules.best_of)
        key = f"0-0-{rules.best_of}"
        buttons.append(ResultPreset(key=key, label=Sentence(key), claim=drawn))
    return tuple(buttons)


def impossible_result_error(rules: MatchRules, problem: str, **values: object) -> BadInput:
    """Return the BadInput ``impossible_result``: a problem, and the possible results.

    ``problem`` is a message id with ``values``.
    """
    return BadInput(
        "impossible_result",
        "%(problem)s Possible: %(possible)s.",
        problem=Sentence(problem, values),
        possible=possible_results(rules),
    )


def possible_results(rules: MatchRules) -> Sentence:
    """Return the message that describes the possible results of a match."""
    if rules.by_points:
        return Sentence(
            "%(target)s 22, each from 0 to %(most)s",
            {"most": LARGEST_SCORE, "target": rules.example},
        )
    return Sentence(
        "%(results)s, or the result of each game in order",
        {"results": tuple(preset.key for preset in result_presets(rules))},
    )


def _preset_of_totals(a: int, b: int) -> ResultPreset:
    key = f"{a}-{b}"
    return ResultPreset(key=key, label=Sentence(key), claim=Claim(score=(a, b)))


def points_with_battle_cards(
    points: tuple[int, int], in_play: tuple[bool, bool], *, at_time: bool
) -> tuple[tuple[int, int], bool]:
    """Return (both totals with battle cards, whether these change the leader).

    ``points`` are without battle cards; ``in_play``: whether each player has some. They are worth
    10 points in a game ended by points; ``at_time`` a quarter of the opponent's points, rounded
    down, at most 10 (tournament rules, A match).
    """
    worth = (min(10, points[1] // 4), min(10, points[0] // 4)) if at_time else (10, 10)
    a, b = (before + bonus * has for before, bonus, has in zip(points, worth, in_play, strict=True))
    return (a, b), leading_side(a, b) is not leading_side(*points)


def totals_with_battle_cards(
    rules: MatchRules,
    points: tuple[int, int],
    in_play: tuple[bool, bool],
    ended_by: MatchEnding | None,
) -> tuple[tuple[int, int], bool]:
    """Return (both totals of a match, whether battle cards change the leader).

    ``points`` are without battle cards; ``in_play``: whether each player has some.
    """
    if not any(in_play):
        return points, False
    return points_with_battle_cards(points, in_play, at_time=_at_time(rules, points, ended_by))


def _at_time(rules: MatchRules, points: tuple[int, int], ended_by: MatchEnding | None) -> bool:
    """Return whether a game ended at time: as given, or because nobody had the points."""
    return ended_by is MatchEnding.TIME or max(points) < rules.target


def add_battle_cards(rules: MatchRules, claim: Claim, in_play: tuple[bool, bool]) -> Claim:
    """Return the claim with battle cards added to its points.

    ``in_play``: whether each player has some. A game that reaches the target only with battle cards
    ended at time, even if the claim does not say so. Raises BadInput ``impossible_result`` if there
    are no points, or if the leader changes and the claim names no winner.
    """
    if not any(in_play):
        return claim
    if not rules.by_promotion or claim.score is None:
        raise impossible_result_error(rules, "Enter the points of both players.")
    score, changes_leader = totals_with_battle_cards(rules, claim.score, in_play, claim.ended_by)
    if changes_leader and claim.winner is None:
        raise impossible_result_error(
            rules,
            "With battle cards: %(a)s–%(b)s. Enter the winner.",
            a=score[0],
            b=score[1],
        )
    ended_by = claim.ended_by
    if ended_by is None and (rules.draws or rules.timed) and _at_time(rules, claim.score, None):
        ended_by = MatchEnding.TIME
    return replace(claim, score=score, ended_by=ended_by)


LONGEST = 99
"""Maximum games in one match, drawn ones included: more is a typing error."""

_GAMES = ("a", "b", "draw")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoresheet:
    """The valid numbers of a claim, and what follows from them.

    ``games`` are the winners of games in order, ``games_won`` (a, b, drawn); ``leader`` is the side
    ahead; ``complete``: they end the match without time being called.
    """

    score: tuple[int, int] | None
    games: tuple[str, ...]
    games_won: tuple[int, int, int] | None
    leader: Winner
    complete: bool


def read_scoresheet(rules: MatchRules, claim: Claim) -> Scoresheet | None:
    """Return the checked numbers of a claim; None if it has none.

    Raises BadInput ``impossible_result`` for impossible numbers.
    """
    score = claim.score
    if score is not None:
        _require_numbers(rules, score)
    if rules.by_points:
        return _points_sheet(rules, claim, score)
    return _games_sheet(rules, claim, score)


def _require_numbers(rules: MatchRules, score: tuple[int, int]) -> None:
    if len(score) != 2 or any(
        type(number) is not int or not 0 <= number <= LARGEST_SCORE for number in score
    ):
        raise impossible_result_error(
            rules, "This result isn’t valid for this match.", most=LARGEST_SCORE
        )


def _points_sheet(
    rules: MatchRules, claim: Claim, score: tuple[int, int] | None
) -> Scoresheet | None:
    if claim.games:
        raise impossible_result_error(rules, "Enter the points of both players.")
    if score is None:
        return None
    leader = leading_side(*score)
    complete = max(score) >= rules.target and leader is not Winner.DRAW
    return Scoresheet(score=score, games=(), games_won=None, leader=leader, complete=complete)


def _games_sheet(
    rules: MatchRules, claim: Claim, score: tuple[int, int] | None
) -> Scoresheet | None:
    games = claim.games or ()
    if games:
        won = _count_games(rules, games)
    elif score is not None:
        won = (*score, 0)
    elif rules.best_of == 1 and claim.ended_by in (None, MatchEnding.PLAYED, MatchEnding.TIME):
        # A single game: the winner is the whole result.
        if claim.winner not in _GAMES:
            return None
        games = (str(claim.winner),)
        won = _count_games(rules, games)
    else:
        return None
    a, b, _drawn = won
    if max(a, b) > rules.needed or a == b == rules.needed:
        raise impossible_result_error(
            rules, "Games needed to win: %(needed)s.", needed=rules.needed
        )
    # In a Doomtrooper best of three the score may be the sum of promotion points.
    promotion = rules.score == "promotion"
    if games and score is not None and not promotion and score != (a, b):
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    return Scoresheet(
        score=score if promotion and games else (a, b),
        games=games,
        games_won=won,
        leader=leading_side(a, b),
        complete=max(a, b) == rules.needed,
    )


def _count_games(rules: MatchRules, games: tuple[str, ...]) -> tuple[int, int, int]:
    if len(games) > LONGEST or any(game not in _GAMES for game in games):
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    for played in range(1, len(games)):
        before = games[:played]
        if max(before.count("a"), before.count("b")) >= rules.needed:
            raise impossible_result_error(
                rules, "This result isn’t valid for this match.", played=played
            )
    return games.count("a"), games.count("b"), games.count("draw")
