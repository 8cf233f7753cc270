"""Labels of rounds of a knock-out."""

from rules.stages.kind import ROUNDS, round_label


def test_rounds_of_more_than_256_have_the_number_of_players():
    assert round_label(1) == ROUNDS[0]
    far = round_label(len(ROUNDS) + 1)
    assert far.values == {"players": 2 ** (len(ROUNDS) + 2)}
