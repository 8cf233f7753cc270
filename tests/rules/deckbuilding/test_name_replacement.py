"""One name of a list changed for another."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.lines import read_card
from rules.deckbuilding.render import replace_name
from rules.deckbuilding.text import parse
from rules.errors import RuleError
from rules.names import tidy

EXO = FORMATS.get("creatures-of-exo")


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("Fulminera", "Fulminara"),
        ("2 Fulminera", "2 Fulminara"),
        ("  2x   Fulminera  (DT 12) {Creatura, Luce, lang=it} [A] ", None),
        ("Fulminera x2", "Fulminara x2"),
        ("- SB: 3 × Fulminera", "- SB: 3 × Fulminara"),
        ("FULMINERA (2)", "Fulminara (2)"),
        ("Fulminera (Fulminera 3)", "Fulminara (Fulminera 3)"),
        ("\ufeff2 Fulminera", "\ufeff2 Fulminara"),
        ("2 Ful\u200bminera", "2 Fulminara"),
    ],
)
def test_everything_but_the_name_stays_as_written(written: str, mended: str | None) -> None:
    wanted = mended if mended is not None else written.replace("Fulminera", "Fulminara")
    assert replace_name(written, 1, "Fulminera", "Fulminara") == wanted


def test_only_the_given_line_changes() -> None:
    text = "# Fulminera\r\nMain 30\r\n2 Fulminera\rFulminera\n\n// Fulminera"
    assert replace_name(text, 4, "fulminera", "Brace") == text.replace("\rFulminera\n", "\rBrace\n")


def test_a_name_of_two_words_keeps_what_stands_around_it() -> None:
    assert replace_name("2\tCorvo   del\tGello [A]", 1, "corvo del gello", "Corvo del Gelo") == (
        "2\tCorvo del Gelo [A]"
    )


@pytest.mark.parametrize(
    ("written", "new", "mended"),
    [
        ("Samurai", "7 Samurai", "1 7 Samurai"),
        ("SB: Samurai", "7 Samurai", "SB: 1 7 Samurai"),
        ("Samurai", "- Samurai", "1x - Samurai"),
        ("3 Samurai {Creatura}", "x Samurai", "3x x Samurai {Creatura}"),
        ("Samurai", "Side", "1 Side"),
    ],
)
def test_a_name_that_reads_as_something_else_gets_its_count(
    written: str, new: str, mended: str
) -> None:
    assert replace_name(written, 1, "Samurai", new) == mended


def test_a_name_that_its_tag_repeats_often_is_written_anew() -> None:
    tag = " ".join(["Samurai"] * 9)
    assert replace_name(f"Samurai ({tag})", 1, "Samurai", "7 Samurai") == f"1 7 Samurai ({tag})"


@pytest.mark.parametrize("new", ["", "12", "Agente (promo)", "Nome {A, B, C}"])
def test_a_name_that_no_line_holds_is_refused(new: str) -> None:
    with pytest.raises(RuleError) as refused:
        replace_name("Samurai", 1, "Samurai", new)
    assert refused.value.code == "name_unwritable"


@pytest.mark.parametrize("line", [-1, 0, 1, 3, 4, 5, 99])
def test_a_line_that_holds_another_card_is_refused(line: int) -> None:
    with pytest.raises(RuleError) as refused:
        replace_name("# Samurai\nSamurai\nAltro\n\n", line, "Samurai", "Brace")
    assert refused.value.code == "line_changed"


WORDS = st.text(alphabet="abcèÀ'’x2-,.", min_size=1, max_size=5)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(lambda words: "A" + " ".join(words))
LINE = st.tuples(
    st.sampled_from(["", "2 ", "3x ", "- ", "SB: 2 ", "\t2\t", "* 1  "]),
    NAMES,
    st.sampled_from(["", " (DT 12)", " {Creatura} [A]", "  {K, G, lang=it}  ", " (A) ", "\u200b"]),
)


@given(
    lines=st.lists(LINE, min_size=1, max_size=4),
    at=st.integers(0, 3),
    new=NAMES,
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_mended_list_is_the_same_but_for_the_name(
    lines: list[tuple[str, str, str]], at: int, new: str, ending: str
) -> None:
    at %= len(lines)
    written = ["".join(line) for line in lines]
    old = read_card(tidy(written[at])).entry
    after = replace_name(ending.join(written), at + 1, old.name, new).split(ending)
    assert after[:at] + after[at + 1 :] == written[:at] + written[at + 1 :]
    assert read_card(tidy(after[at])).entry == replace(old, name=tidy(new))


@given(line=st.text(alphabet="ab 2x(){}[]:,#-SB\t", max_size=16), new=st.text(max_size=12))
def test_whatever_is_written_is_mended_or_refused(line: str, new: str) -> None:
    try:
        old = read_card(tidy(line)).entry
    except (UnreadableLineError, IndexError):
        old = None
    try:
        after = replace_name(line, 1, old.name if old else "a", new)
    except RuleError:
        return
    assert old is not None
    assert read_card(tidy(after)).entry == replace(old, name=tidy(new))


def test_a_long_line_is_mended_at_once() -> None:
    line = f"SB: B ({'B' * 900})"
    assert replace_name(line, 1, "B", "Brace") == f"SB: Brace ({'B' * 900})"


def test_the_mended_list_is_read_with_the_new_name() -> None:
    text = "Main\n2 Fulminera {Creatura}\nSide\n1 Fulminera"
    deck = parse(replace_name(text, 2, "Fulminera", "Fulminara"), EXO)
    assert [entry.name for _zone, entry in deck] == ["Fulminara", "Fulminera"]
