"""Asking to come back after leaving, and the staff's answer."""

from tests.lives.present import Ask, Now
from tournaments.models import Entry


def ask_back(now: Now) -> Ask:
    """Ask to come back, as a player who has left if anybody has."""
    gone = list(now.event.entries.filter(status="withdrawn").order_by("number"))
    entry: Entry = now.choose(gone or list(now.event.entries.order_by("number")))
    return now.page("ask_back", "me/return/", entry.user_id)


def answer_who_asks(now: Now) -> Ask | None:
    """Take a player back who has asked for it, or refuse."""
    asked = [n for n, entry in now.facts.entries.items() if entry.return_asked_at]
    number = now.one(asked or list(now.facts.entries))
    answer = now.choose(("accept", "refuse"))
    return now.page("answer_who_asks", f"manage/players/{number}/return/", answer=answer)
