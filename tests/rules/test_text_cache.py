"""The cache of functions of text: limited in entries and in the length of a key."""

from rules.text_cache import cached_by_text


def asking(**limits: int):
    asked: list[str] = []
    return asked, cached_by_text(lambda text: asked.append(text) or text.upper(), **limits)


def test_an_answer_is_worked_out_once() -> None:
    asked, known = asking(maxsize=9)
    assert [known(text) for text in ("a", "b", "a", "a")] == ["A", "B", "A", "A"]
    assert asked == ["a", "b"]


def test_neither_many_texts_nor_long_ones_fill_the_memory() -> None:
    asked, known = asking(maxsize=3, max_length=5)
    for text in ("a", "b", "c", "long text", "long text", "a", "d", "b"):
        assert known(text) == text.upper()
    assert asked == ["a", "b", "c", "long text", "long text", "d", "b"]  # b went for d
