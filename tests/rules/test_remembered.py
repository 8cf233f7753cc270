"""Answers that are kept, as far as memory goes."""

from rules.remembered import Remembered


def test_an_answer_is_worked_out_once() -> None:
    asked: list[str] = []
    known = Remembered(lambda text: asked.append(text) or text.upper(), most=9)
    assert [known[text] for text in ("a", "b", "a", "a")] == ["A", "B", "A", "A"]
    assert asked == ["a", "b"]


def test_neither_many_texts_nor_long_ones_fill_the_memory() -> None:
    known = Remembered(str.upper, most=3, longest=5)
    for letter in "abcdefgh":
        assert known[letter] == letter.upper()
    assert len(known) <= 3
    before = len(known)
    assert known["long text"] == "LONG TEXT"
    assert len(known) == before
