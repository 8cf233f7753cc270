"""Results corrected by a program: at once, or in one of the ways to go on."""

from rules.matches.settling import resolve_claim
from tests.lives import results
from tests.lives.present import Ask, Now
from tournaments.core.mapping import match_rules
from tournaments.corrections.selectors.choices import replayable_match_keys, result_correction


def correct(now: Now) -> Ask | None:
    """Correct a result, the later rounds kept or taken back."""
    match = now.one(now.matches("final"))
    if match is None:
        return None
    body = results.body(match_rules(match, now.event), now.choose)
    more = {"note": "Scambiati", "later": now.choose(("keep", "take_back"))}
    path = f"matches/{match.pk}/result/"
    return now.api("correct", "put", path, version=match.version, **body | more)


def correct_what_went_on(now: Now) -> Ask | None:
    """Correct a result from which more was made, in one of the ways that there are."""
    match = now.one(now.matches("final"))
    if match is None:
        return None
    rules = match_rules(match, now.event)
    body = results.usual(rules, now.choose)
    claim = results.claim_of(body)
    found = result_correction(now.facts, match, resolve_claim(rules, claim))
    way = now.choose(("follow", "follow", "take_back"))
    more = {"note": "Scambiati", "way": way, "shown": found.mark, "confirm": now.event.name}
    more["void"] = [pk for pk in replayable_match_keys(found) if now.choose((True, False, False))]
    path = f"matches/{match.pk}/correction/"
    return now.api("correct_what_went_on", "post", path, version=match.version, **body | more)
