"""An exchange with the side against the list that a deck check looks at."""

from decks.checking.checking import Checked, check_text
from decks.checking.exchanging import checked_moves, checked_table
from decks.decklists.mapping import deck_of
from decks.decklists.selectors import DecklistRow, checked_row
from tournaments.models import DeckCheck, DeckSubmission
from tournaments.selectors.deck_rules import rules_of_event


def exchanged_row(
    check: DeckCheck,
    submission: DeckSubmission,
    *,
    out: str = "",
    into: str = "",
    table: str = "",
    games_played: int | None = None,
) -> DecklistRow:
    """Return the deck after an exchange and all that is wrong with it; at most two queries.

    Given are either the cards that went ``out`` and came ``into`` the deck, or the one on the
    ``table``. Nothing is stored. Raises BadInput for a text that no list is, and in a game
    without exchange.
    """
    rules = rules_of_event(check.event)
    registered = deck_of(submission.decklist)
    if table:
        found = check_text(rules, text=table).deck
        checked: Checked = checked_table(
            rules, registered=registered, table=found, games_played=games_played
        )
    else:
        leaving, entering = (check_text(rules, text=text).deck for text in (out, into))
        checked = checked_moves(
            rules, registered=registered, out=leaving, into=entering, games_played=games_played
        )
    return checked_row(checked)
