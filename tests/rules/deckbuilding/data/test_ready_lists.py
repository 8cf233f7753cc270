"""Lists that the published rules of each ready-made game allow and forbid: ``tests/golden/ready/``.

The first line of each file names the document and its section, as the game's own file names them.
"""

from pathlib import Path

import pytest

from rules.deckbuilding.data import files
from rules.deckbuilding.data.files import READY_FOLDER, ReadyMade, ready_made, unchecked_words
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import render
from rules.deckbuilding.text import parse
from rules.errors import BadInput

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
