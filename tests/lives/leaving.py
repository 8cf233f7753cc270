"""Acts of lives: players who leave, how, who moves up for them, and other tables."""

from tests.lives.present import Ask, Now
from tournaments.corrections.selectors.choices import next_seat_replacement
from tournaments.models import Entry


def drop(now: Now) -> Ask:
    """Withdraw oneself, now or after the round."""
    entry: Entry = now.choose(list(now.event.entries.order_by("number")))
    return now.page("drop", "me/drop/", entry.user_id, when=now.choose(("now", "later")))


def disqualify(now: Now) -> Ask:
    """Disqualify a player."""
    number = now.choose(sorted(now.facts.entries, key=int))
    body = {"status": "disqualified", "reason": "Carte segnate"}
    return now.api("disqualify", "patch", f"players/{number}/", **body)


def come_back(now: Now) -> Ask | None:
    """Reinstate a player."""
    number = now.one([n for n, entry in now.facts.entries.items() if not entry.plays])
    if number is None:
        return None
    return now.api("come_back", "patch", f"players/{number}/", status="registered")


def move_up(now: Now) -> Ask | None:
    """Give the seat of a player who left after qualifying to who is next in line."""
    found = next_seat_replacement(now.facts)
    if found is None:
        return None
    path = "advance/next-in-line/"
    return now.page("move_up", path, number=found.gone.number, shown=found.mark)


def other_tables(now: Now) -> Ask:
    """Give the event other tables, which its draft gets too."""
    tables = now.choose(("", "21-60", "1-4, 11-40", "7"))
    return now.page("other_tables", "manage/tables/", tables=tables)


def say_how_left(now: Now) -> Ask:
    """Correct how a player has left, who may be there."""
    number = now.choose(sorted(now.facts.entries, key=int))
    left = now.choose(("no_show", "dropped"))
    return now.api("say_how_left", "patch", f"players/{number}/", left=left)
