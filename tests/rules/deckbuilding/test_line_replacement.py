"""One line of a written list gets another text."""

import pytest

from rules.deckbuilding.lines import replace_line
from rules.errors import RuleError


def test_everything_else_stays_as_written() -> None:
    text = "\ufeff2 Lupo\r\n 3  Orso \n\n1 Volpe"
    assert replace_line(text, 2, "3 Orso", "2 Orso") == "\ufeff2 Lupo\r\n2 Orso\n\n1 Volpe"
    assert replace_line(text, 1, "2 Lupo", "1 Lupo") == "\ufeff1 Lupo\r\n 3  Orso \n\n1 Volpe"


@pytest.mark.parametrize(("line", "was"), [(0, "2 Lupo"), (3, "2 Lupo"), (1, "3 Lupo")])
def test_a_line_that_is_another_one_is_not_changed(line: int, was: str) -> None:
    with pytest.raises(RuleError) as refused:
        replace_line("2 Lupo\n1 Volpe", line, was, "1 Orso")
    assert refused.value.code == "line_changed"
