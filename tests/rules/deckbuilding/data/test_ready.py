"""Ready-made games, by hand from the source that each file names: lists and standings.

Lists: ``tests/golden/ready/``; the first line of each names the document and its section, as the
game's own file names them. Formats with the same rules of lists share theirs. Standings:
``tests/golden/tiebreakers/``.
"""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules.deckbuilding.data import files
from rules.deckbuilding.data.files import (
    READY_FOLDER,
    ShippedRules,
    shipped_rules,
    unchecked_rule_messages,
)
from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import DeckFormat, FormatEmblem, GameStandings, MatchDefaults
from rules.deckbuilding.render import render_deck
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput
from rules.history.group_history import History
from rules.numbers import number_to_json, scale_points
from rules.results import Points
from rules.standings.rank_document import parse_rank_document as parse_results
from rules.standings.rank_document import rank_document as rank_document
from rules.standings.table import Standing, Standings, rank_history
from tests.scoresheet import Scoresheet

READY = {one.key: one for one in shipped_rules()}
COUNTED = [key for key, one in READY.items() if one.lists == "counted"]
GOLDEN = Path(__file__).parents[3] / "golden"
FILES = sorted((GOLDEN / "ready").glob("*/*.txt"))


def made_of(one: ShippedRules) -> DeckFormat:
    return format_from_rules(one.rules, key=one.key, game="g", game_name=one.game, name=one.name)


def lists_alone(rules: FormatRules) -> FormatRules:
    """Return what rules say of sizes, copies and kinds of lists; card lists are catalogues'."""
    return replace(
        rules,
        legal_in=None,
        not_checked=(),
        match=MatchDefaults(),
        standings=GameStandings(),
        look=FormatEmblem(),
    )


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
    deck = parse_decklist(text, made)
    faults = [one for one in made.validate(deck) if one.code != "legality.unchecked"]
    verdict, _hyphen, rest = path.stem.partition("-")
    expected = set() if verdict == "legal" else {rest.split("-")[0]}
    said = "\n".join(str(one.sentence) for one in faults)
    assert {one.code for one in faults} == expected, said
    assert text.removeprefix("# ").split("\n")[0].rpartition(": ")[0] in one.source
    assert parse_decklist(render_deck(deck, made), made).zones == deck.zones


@pytest.mark.parametrize("key", COUNTED)
def test_a_game_has_a_legal_list_and_one_with_each_fault(key: str) -> None:
    own = lists_alone(READY[key].rules)
    same = {name for name in READY if lists_alone(READY[name].rules) == own}
    parts = [path.stem.split("-") for path in FILES if path.parent.name in same]
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
        (READY_FOLDER / "magic.json").read_text().replace('"like": "magic-d', '"like": "magic-x'),
    ],
)
def test_a_file_that_is_refused_is_named(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "go.json").write_text(written, encoding="utf-8")
    monkeypatch.setattr(files, "READY_FOLDER", tmp_path)
    with pytest.raises((KeyError, TypeError, ValueError, BadInput)) as refused:
        shipped_rules.__wrapped__()
    assert refused.value.__notes__ == ["in go.json"]


def test_what_a_game_does_not_check_is_known_to_be_translated() -> None:
    assert {"ink colours", "sets"} <= unchecked_rule_messages()


def test_a_game_names_its_source() -> None:
    assert all(one.source for one in READY.values() if one.game)


def points_of(standings: GameStandings) -> Points:
    (win, draw, loss), parts = scale_points(standings.points)
    return Points(
        win=win,
        draw=draw,
        loss=loss,
        parts=parts,
        floor=standings.floor,
        draw_share=standings.draw_share,
        bye_games=standings.bye_games,
        forfeit_games=standings.bye_games,
        byes_left_out=standings.byes_left_out,
        dropped_cap=standings.dropped_cap,
    )


TIEBREAKERS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((GOLDEN / "tiebreakers").glob("*.json"))
}
"""Results, and the standings that follow under the rules of some ready-made games.

The values were computed apart from this program, by a calculation of its own from each source.
"""


def standings_of(case: dict[str, Any], key: str) -> Standings:
    """Return the standings of a golden case under the rules of a ready-made game."""
    if "criteria" in case:  # of tables, which the event ranks
        return rank_document(case).standings
    rules = READY[key].rules.standings
    arguments = parse_results(case)
    history = History(
        players=arguments["players"],
        results=arguments["results"],
        points=points_of(rules),
        lots=arguments["lots"],
        dropped=arguments["dropped"],
    )
    return rank_history(history, criteria=rules.criteria)


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, case in TIEBREAKERS.items() for key in case["formats"]]
)
def test_standings_and_their_values_are_those_computed_apart(name: str, key: str) -> None:
    case = TIEBREAKERS[name]
    shown = [
        {
            "player": row.player,
            "placed_by": row.placed_by,
            "values": {at: number_to_json(value) for at, value in row.values.items()},
        }
        for row in standings_of(case, key).rows
    ]
    for row in shown:
        row["values"].pop("lots", None)
    assert shown == case["standings"], case["why"]


@pytest.mark.parametrize("key", READY)
def test_every_ready_made_game_has_a_case_in_which_its_tiebreakers_decide(key: str) -> None:
    """Each criterion but the last two decides once, so that their order matters."""
    cases = [case for case in TIEBREAKERS.values() if key in case["formats"]]
    assert cases, "write results, and standings computed by hand, to tests/golden/tiebreakers/"
    decided = {row["placed_by"] for case in cases for row in case["standings"]}
    criteria = READY[key].rules.standings.criteria
    assert {*criteria[: min(4, len(criteria) - 1)]} <= decided


def test_every_case_has_a_bye_and_an_absent_player_or_halves() -> None:
    """What publishers count differently is in each case of two."""
    for name, case in TIEBREAKERS.items():
        if "criteria" not in case:
            assert any(match["b"] is None for match in case["matches"]), name
            absent = any("games" not in match and match["b"] for match in case["matches"])
            assert absent or name == "chess", name


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
