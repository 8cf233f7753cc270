"""What leaving costs: of matches and places that a player would not have had nothing is said."""

import pytest

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.personal.selectors.leaving import leaving_words
from tournaments.personal.selectors.state import state_of

pytestmark = pytest.mark.django_db
KNOCKOUT = {"formula": "single-elimination", "format": "creatures-of-exo"}


@pytest.mark.parametrize(
    ("values", "rounds", "said"),
    [
        ({"formula": "single-group"}, 1, "Your later opponents win without playing."),
        ({"formula": "single-group"}, 3, ""),
        ({"formula": "single-group", "options": {"final": 3}}, 3, "whoever comes next takes your"),
        (
            {"formula": "swiss-cut", "options": {"rounds": 2, "cut": 2}},
            1,
            "You are paired no more.",
        ),
        (KNOCKOUT, 1, "Whoever would have met you goes on without playing."),
        (KNOCKOUT, 2, ""),
    ],
)
def test_leaving_speaks_of_what_the_player_would_have_had(by, in_english, values, rounds, said):
    event = make.halfway(by, 4, rounds=rounds - 1, **values) if rounds > 1 else None
    event = event or make.started(by, 4, **values)
    match = make.next_round(event, by).matches.order_by("table")[0]
    facts = load_facts(event, drafts=False)
    words = leaving_words(facts, match.players[0].number, state_of(facts, match.players[0]))
    assert words[0] == "The match that you are playing now is lost."
    assert words[-1] == "What you have played stays."
    between = " ".join(words[1:-1])
    assert said in between if said else between == ""
