"""Ready-made games, by hand from the source that each file names: lists, byes and standings.

Lists: ``tests/golden/ready/``; the first line of each names the document and its section, as the
game's own file names them.
"""

from dataclasses import replace
from fractions import Fraction
from operator import mul
from pathlib import Path

import pytest

from rules.deckbuilding.data import files
from rules.deckbuilding.data.files import READY_FOLDER, ReadyMade, ready_made, unchecked_words
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import DeckFormat, GameStandings
from rules.deckbuilding.render import render
from rules.deckbuilding.text import parse
from rules.errors import BadInput
from rules.numbers import in_parts
from rules.results import Points
from rules.standings.table import DEFAULT_CRITERIA, Standing, Standings, rank_history
from tests.scoresheet import Scoresheet

READY = {one.key: one for one in ready_made()}
COUNTED = [key for key, one in READY.items() if one.lists == "counted"]
FILES = sorted((Path(__file__).parents[3] / "golden" / "ready").glob("*/*.txt"))


def made_of(one: ReadyMade) -> DeckFormat:
    return format_of(one.rules, key=one.key, game="g", game_name=one.game, name=one.name)


def possible_codes(rules: FormatRules) -> set[str]:
    """Return what a list can have wrong under these rules."""
    sizes = [(zone.minimum, zone.maximum) for zone in rules.zones if not zone.or_none]
    sizes += [(one.least, one.most) for one in rules.sums]
    told = {
        "zone.too_few": any(least for least, _most in sizes),
        "zone.too_many": any(most is not None for _least, most in sizes),
        "zone.wrong_size": any(zone.or_none for zone in rules.zones),
        "copies.too_many": rules.copies.most is not None,
        "card.banned": bool(rules.card_lists.get("banned")),
        "card.limited": bool(
            rules.card_lists.get("limited") or rules.card_lists.get("semi_limited")
        ),
        "cards.excluded_together": bool(rules.excluded_together),
    }
    return {code for code, possible in told.items() if possible}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_list_is_what_its_name_says_by_the_source_that_it_names(path: Path) -> None:
    one = READY[path.parent.name]
    made, text = made_of(one), path.read_text(encoding="utf-8")
    deck = parse(text, made)
    faults = made.validate(deck)
    verdict, _hyphen, rest = path.stem.partition("-")
    expected = set() if verdict == "legal" else {rest.split("-")[0]}
    said = "\n".join(str(one.sentence) for one in faults)
    assert {one.code for one in faults} == expected, said
    assert text.removeprefix("# ").split("\n")[0].rpartition(": ")[0] in one.source
    assert parse(render(deck, made), made).zones == deck.zones


@pytest.mark.parametrize("key", COUNTED)
def test_a_game_has_a_legal_list_and_one_with_each_fault(key: str) -> None:
    parts = [path.stem.split("-") for path in FILES if path.parent.name == key]
    assert any(verdict == "legal" for verdict, *_rest in parts)
    shown = {code for verdict, code, *_rest in parts if verdict == "illegal"}
    assert shown == possible_codes(READY[key].rules)


@pytest.mark.parametrize(
    "written",
    [
        "{",
        '{"name": "Go"}',
        '{"date": "2026-01-01", "rules": {"zone": []}}',
        (READY_FOLDER / "chess.json").read_text().replace('"lists"', '"list"'),
    ],
)
def test_a_file_that_is_refused_is_named(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "go.json").write_text(written, encoding="utf-8")
    monkeypatch.setattr(files, "READY_FOLDER", tmp_path)
    with pytest.raises((KeyError, TypeError, ValueError, BadInput)) as refused:
        ready_made.__wrapped__()
    assert refused.value.__notes__ == ["in go.json"]


def test_what_a_game_does_not_check_is_known_to_be_translated() -> None:
    assert {"ink colours", "sets"} <= unchecked_words()


def test_a_game_names_its_source() -> None:
    assert all(one.source for one in READY.values() if one.game)


# What q's share is, which p gets of the opponents.
GOLDEN = {
    # Appendix C: 3, 3 and 1 points of 12; the bye is won 2–0: 2, 2 and 1 games of 9
    "magic-constructed": {
        "opponents_match_win": Fraction(7, 12),
        "opponents_game_win": Fraction(5, 9),
    },
    "magic-limited": {
        "opponents_match_win": Fraction(7, 12),
        "opponents_game_win": Fraction(5, 9),
    },
    # 5.3.3.1: a win and half a one of three matches, the bye is none
    "pokemon-standard": {"opponents_match_win": Fraction(1, 2)},
    # a bye is a win: two wins and a third of one, of four matches
    "yugioh-advanced": {"opponents_match_win": Fraction(7, 12)},
}


# p beats q 2–0; then q has a bye, beats r 2–1 and draws with s 1–1. p has met nobody else.
def season() -> Scoresheet:
    sheet = Scoresheet()
    p, q, r, s = sheet.players("p q r s")
    p.wins_games(q, 2, 0)
    q.has_a_bye()
    q.wins_games(r, 2, 1)
    q.wins_games(s, 1, 1)
    return sheet


def points_of(standings: GameStandings) -> Points:
    (win, draw, loss), parts = in_parts(standings.points)
    return Points(
        win=win,
        draw=draw,
        loss=loss,
        parts=parts,
        floor=standings.floor,
        draw_share=standings.draw_share,
        bye_games=standings.bye_games,
        byes_left_out=standings.byes_left_out,
        dropped_cap=standings.dropped_cap,
    )


@pytest.mark.parametrize("key", GOLDEN)
def test_a_bye_counts_as_the_game_s_source_says(key: str) -> None:
    standings = READY[key].rules.standings
    history = replace(season().history(), points=points_of(standings))
    rows = {row.player: row for row in rank_history(history, criteria=standings.criteria).rows}
    assert rows["q"].values["points"] == 7, "its points are those of a win"
    assert {name: rows["p"].values[name] for name in GOLDEN[key]} == GOLDEN[key]


HALF = Fraction(1, 2)

# Won, drawn and lost, from the first to the last.
RECORDS = ((3, 0, 0), (2, 0, 1), (1, 1, 1), (1, 1, 1), (1, 0, 2), (0, 0, 3))

# What a win, a draw and a loss are worth where it is not 3, 1 and 0.
WORTH = {"chess": (1, HALF, 0)}

# Three rounds of six: a beats b, c beats d, f beats e; a beats c, b beats e, d beats f; a beats f,
# b and d draw, c beats e (of Yu-Gi-Oh! c has a bye, as e has left). b and d are level on points.
# What separates b from d: the criterion, b's value and d's.
SEPARATED = {
    # a 1, e 0 that counts 1/3, d 4/9; c 2/3, f 1/3, b 4/9
    "magic-constructed": ("opponents_match_win", Fraction(16, 27), Fraction(13, 27)),
    "magic-limited": ("opponents_match_win", Fraction(16, 27), Fraction(13, 27)),
    # a 1, e 0 that counts 1/4, d 1/2 (a draw is half a win); c 2/3, f 1/3, b 1/2
    "pokemon-standard": ("opponents_match_win", Fraction(7, 12), HALF),
    # level at 13/27; of a 13/27, e 7/18, d 13/27; of c 13/18, f 13/27, b 13/27
    "yugioh-advanced": ("opponents_opponents_match_win", Fraction(73, 162), Fraction(91, 162)),
    # a 3, d 1½ without e's 0; c 2, b 1½ without f's 1
    "chess": ("buchholz_cut1", Fraction(9, 2), Fraction(7, 2)),
}


def ranked(key: str) -> Standings:
    """Return the standings under the rules of a ready-made game; lots name the later one first."""
    sheet = Scoresheet()
    a, b, c, d, e, f = sheet.players("a b c d e f")
    for better, worse in ((a, b), (c, d), (f, e), (a, c), (b, e), (d, f), (a, f)):
        better.wins_games(worse, 2, 0)
    b.wins_games(d, 1, 1)
    if key == "yugioh-advanced":
        c.has_a_bye()
    else:
        c.wins_games(e, 2, 0)
    standings = READY[key].rules.standings
    points = points_of(standings)
    history = replace(sheet.history(), points=points, lots=tuple("fedcba"))
    return rank_history(history, criteria=standings.criteria)


def test_every_ready_made_game_is_worked_out_or_leaves_the_order_to_the_event() -> None:
    usual = {key for key, one in READY.items() if one.rules.standings.criteria == DEFAULT_CRITERIA}
    assert usual == {*READY} - {*SEPARATED}, "a game that says criteria, and no other, is in GOLDEN"


@pytest.mark.parametrize("key", READY)
def test_the_table_is_the_one_worked_out(key: str) -> None:
    standings = ranked(key)
    rows = {row.player: row for row in standings.rows}
    worth = WORTH.get(key, (3, 1, 0))
    made = [sum(map(mul, worth, record)) for record in RECORDS]
    said = f"WORTH: {', '.join(map(str, worth))}"
    assert [row.values["points"] for row in standings.rows] == made, said
    assert rows["f"].values["points"] == made[4]
    # without f, who is level with b and d where a draw is worth no more than a loss
    order = "".join(row.player for row in standings.rows if row.player != "f")
    if key not in SEPARATED:
        assert order == "acdbe"
        assert rows["b"].placed_by == "lots"
        return
    criterion, b, d = SEPARATED[key]
    assert (rows["b"].values[criterion], rows["d"].values[criterion]) == (b, d)
    assert order == ("acbde" if b > d else "acdbe")
    assert rows[min("bd", key=lambda one: rows[one].values[criterion])].placed_by == criterion


# Magic Tournament Rules, appendix C: won, lost and drawn of the opponents of a player who won six
# matches of eight, and what each counts; 4 points of 15 are less than the third that counts.
OPPONENTS = {
    (4, 4, 0): Fraction(12, 24),
    (7, 1, 0): Fraction(21, 24),
    (1, 3, 1): Fraction(1, 3),
    (3, 3, 1): Fraction(10, 21),
    (6, 2, 0): Fraction(18, 24),
    (5, 2, 1): Fraction(16, 24),
    (4, 3, 1): Fraction(13, 24),
    (6, 1, 1): Fraction(19, 24),
}


@pytest.mark.parametrize("has_a_bye", [False, True])
def test_the_worked_example_of_magic_s_appendix_c(has_a_bye: bool) -> None:
    sheet = Scoresheet()
    (player,) = sheet.players("player")
    met = dict([*OPPONENTS.items()][has_a_bye:])
    if has_a_bye:
        player.has_a_bye()
    for at, (won, lost, drawn) in enumerate(met):
        opponent, *others = sheet.players(" ".join(f"{at}.{n}" for n in range(won + lost + drawn)))
        beaten = at < len(met) - 2
        (player, opponent)[not beaten].beats((opponent, player)[not beaten])
        left = [1] * (won - (not beaten)) + [-1] * (lost - beaten) + [0] * drawn
        for other, result in zip(others, left, strict=True):
            if result:
                (opponent, other)[result < 0].beats((other, opponent)[result < 0])
            else:
                opponent.draws(other)
    row = row_of("player", sheet)
    assert (row.won, row.lost, row.values["points"]) == (6, 2, 18)
    assert row.values["opponents_match_win"] == sum(met.values()) / len(met)


def test_the_shares_of_games_and_of_a_bye_in_magic_s_appendix_c() -> None:
    sheet = Scoresheet()
    most, few, bye, *others = sheet.players("most few bye a b c d e f g h i j k l")
    for other, (won, lost) in zip(others, ((2, 0), (2, 1), (2, 0)), strict=False):
        most.wins_games(other, won, lost)
    others[3].wins_games(most, 2, 1)
    for other, won in zip(others[4:], (1, 1, 0, 1), strict=False):
        other.wins_games(few, 2, won)
    bye.has_a_bye()
    for other in others[8:10]:
        bye.wins_games(other, 2, 0)
    for other in others[10:]:
        other.wins_games(bye, 2, 0)
    assert row_of("most", sheet).values["game_win"] == Fraction(21, 30)
    assert row_of("few", sheet).values["game_win"] == Fraction(1, 3)  # 9 of 33 are less
    assert row_of("i", sheet).values["opponents_match_win"] == Fraction(9, 15)


def row_of(name: str, sheet: Scoresheet) -> Standing:
    """Return a player's row under the rules of Magic."""
    standings = READY["magic-constructed"].rules.standings
    history = replace(sheet.history(), points=points_of(standings))
    rows = rank_history(history, criteria=standings.criteria).rows
    return next(row for row in rows if row.player == name)
