"""A player's own page: the match in progress, reports to confirm, standing and decklist.

The page is one state (`rules.events.own_page`), which ``selectors.state`` finds; every word follows
from it. ``selectors.player`` composes the page from the facts of the event: ``words`` has those of
the box at the top, ``own_matches`` adds the matches with their report buttons, ``rounds`` the
possible opponents in a bracket, ``selectors.ended`` the place, ``selectors.rounds`` on whom it
depends, ``ended`` what is shown when it is over for the player, ``beside`` penalties, rulings,
calls and lists, read for all players at once. The words about the match and its reports are in
``templates/tournaments/personal/_match.html``. ``views`` takes reports, which
``tournaments.results`` stores. No sentence is said once after sending: it would stay there when the
state has become another.

``views`` shows the page, and answers its polling. ``selectors.player`` makes a digest of all that
it shows: while it stays the same the answer is 304, whatever happens at other tables. Results at
other tables would move a player up and down in the standings of a crowd all the time; so these are
shown as they stood after the last whole round.
"""
