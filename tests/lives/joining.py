"""Acts of lives: phones that ask to be signed in as a player, and what the staff answers."""

from tests.lives.present import Ask, Now
from tournaments.models import Entry, JoinClaim


def ask_for_a_player(now: Now) -> Ask:
    """Ask to be signed in as a player, mostly one who is there."""
    number = now.choose((*sorted(now.facts.entries, key=int), 999))
    return now.api("ask_for_a_player", "post", "join/", number=number)


def answer_a_phone(now: Now) -> Ask | None:
    """Confirm a phone by its code, by one click or with a wrong code, or refuse it."""
    claims = list(JoinClaim.objects.filter(event=now.event).order_by("pk"))
    claim = now.one(claims)
    if claim is None:
        return None
    if now.choose((False, False, True)):
        return now.api("answer_a_phone", "delete", f"join/{claim.pk}/")
    body = now.choose(({"code": claim.code}, {"code": claim.code}, {}, {"code": "x"}))
    return now.api("answer_a_phone", "post", f"join/{claim.pk}/confirm/", **body)


def refuse_a_phone(now: Now) -> Ask:
    """Refuse the phones that ask to be signed in as oneself."""
    entry: Entry = now.choose(list(now.event.entries.order_by("number")))
    return now.page("refuse_a_phone", "me/join/refuse/", entry.user_id)
