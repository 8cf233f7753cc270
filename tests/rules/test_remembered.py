"""Answers that are kept, as far as memory goes."""

from rules.remembered import remembered


def asking(**limits: int):
    asked: list[str] = []
    return asked, remembered(lambda text: asked.append(text) or text.upper(), **limits)


def test_an_answer_is_worked_out_once() -> None:
    asked, known = asking(most=9)
    assert [known(text) for text in ("a", "b", "a", "a")] == ["A", "B", "A", "A"]
    assert asked == ["a", "b"]


def test_neither_many_texts_nor_long_ones_fill_the_memory() -> None:
    asked, known = asking(most=3, longest=5)
    for text in ("a", "b", "c", "long text", "long text", "a", "d", "b"):
        assert known(text) == text.upper()
    assert asked == ["a", "b", "c", "long text", "long text", "d", "b"]  # b went for d
