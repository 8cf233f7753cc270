"""The rules of a format as JSON: read with validation, and written.

Checks that only shipped formats name are ``{"check": "at_least", "minimum": 5, "kind": "warrior",
"zone": "deck", "plural": "warriors"}`` for ``minimum_check(minimum=5, …)``
of ``rules.deckbuilding.checks``: zones and kinds by key, sentences in English.

Source: contracts, Formats of one's own.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from rules.criteria import CRITERIA
from rules.deckbuilding.card_lists import COPIES
from rules.deckbuilding.catalogue import ANYTHING, Notation
from rules.deckbuilding.checks import (
    card_lists_check,
    copy_limit_check,
    expansions_check,
    forbidden_pairs_check,
    minimum_check,
    single_language_check,
    unknown_kinds_check,
    zone_kinds_check,
    zone_sizes_check,
)
from rules.deckbuilding.checks.genus import single_genus_check
from rules.deckbuilding.checks.printing import version_copies_check
from rules.deckbuilding.checks.sizes import (
    exact_number_check,
    proportions_check,
    required_kind_check,
)
from rules.deckbuilding.data.rules import (
    CopyIdentity,
    CopyRule,
    FormatRules,
    KindCountRule,
    ZoneSumRule,
)
from rules.deckbuilding.formats import (
    DRAW_FIRST,
    EMBLEMS,
    MOST,
    PALETTES,
    TIME_UP,
    AllowedExpansions,
    Check,
    Exchange,
    FormatEmblem,
    GameStandings,
    MatchDefaults,
)
from rules.deckbuilding.zones import LABELS, CardKind, Zone, fold_kind
from rules.json_reader import (
    ANY_TEXT,
    JsonObjectReader,
    Reader,
    WholeNumber,
    WrongValue,
    boolean,
    fraction,
    list_of,
    mapping_of,
    name_text,
    nullable,
    one_of,
    read_document,
    too_high_error,
    too_low_error,
    unique_list,
)
from rules.names import name_key
from rules.numbers import DENOMINATORS, number_to_json
from rules.results import MOST_BYE_GAMES
from rules.wording import Sentence

NAMED_PARTS = ("checks", "expansions", "allowed")
"""``expansions`` are the names of each expansion by code, ``allowed`` the codes of a category."""

NUMBER, TEXTS = WholeNumber(0, 999), list_of(ANY_TEXT)


def read_checks(
    given: JsonObjectReader, zones: tuple[Zone, ...], kinds: tuple[CardKind, ...]
) -> tuple[Check, ...]:
    """Return the checks named in the ``checks`` of a rules file, in order; () without any.

    ``given`` are the fields of the JSON object. Raises WrongValue.
    """
    if "checks" not in given:
        return ()
    by_zone = {zone.key: zone for zone in zones}
    of_kind = {kind.key: kind for kind in kinds}
    named: Mapping[str, Callable[..., Check]] = {
        **SIMPLE,
        "zone_sizes": lambda zones=tuple(by_zone): zone_sizes_check(
            *map(by_zone.__getitem__, zones)
        ),
        "kinds_in_zones": partial(zone_kinds_check, kinds),
        "expansions": lambda: expansions_check(_allowed(given)),
    }
    zone = one_of(by_zone)

    def kind(value: object) -> CardKind:
        return of_kind[one_of(of_kind)(value)]

    def counted(value: object) -> tuple[tuple[CardKind, Any], ...]:
        return tuple((kind(key), plural) for key, plural in mapping_of(read_message)(value).items())

    arguments: Mapping[str, Reader[Any]] = {
        **dict.fromkeys(("zone",), zone),
        **dict.fromkeys(("zones", "ordinary"), list_of(zone)),
        **dict.fromkeys(("kind", "needed", "unlimited"), kind),
        **dict.fromkeys(("plural", "why"), read_message),
        **dict.fromkeys(("minimum", "number", "versions"), NUMBER),
        "others": list_of(kind),
        "kinds": counted,
        "at_most": nullable(NUMBER),
        "percent": list_of(NUMBER, 2, least=2),
        "names": TEXTS,
    }

    def check(value: object) -> Check:
        one = JsonObjectReader(value, ("check", *arguments))
        make = named[one.read("check", one_of(named))]
        keys = (key for key in one.values if key != "check")
        made: Check = make(**{key: one.read(key, arguments[key]) for key in keys})
        return made

    return given.read("checks", list_of(check))


def read_message(value: object) -> Sentence:
    """Return a text of a shipped format's JSON as translatable message; raise WrongValue."""
    return Sentence(ANY_TEXT(value))


def _allowed(given: JsonObjectReader) -> AllowedExpansions:
    known = given.read("expansions", mapping_of(TEXTS))

    def allowed(value: object) -> AllowedExpansions:
        one = JsonObjectReader(value, ("codes", "any_other"))
        codes = one.read("codes", list_of(one_of(known)))
        other = one.read("any_other", boolean, False)
        return AllowedExpansions(known=known, codes=codes, any_other=other)

    return given.read("allowed", allowed)


SIMPLE: Mapping[str, Callable[..., Check]] = {
    "at_least": minimum_check,
    "copies": copy_limit_check,
    "copies_by_version": version_copies_check,
    "excluded_together": forbidden_pairs_check,
    "exactly": exact_number_check,
    "kinds_known": unknown_kinds_check,
    "listed": card_lists_check,
    "none_missing": required_kind_check,
    "one_genus": single_genus_check,
    "one_language": single_language_check,
    "proportions": proportions_check,
}


PARTS = (
    *("zones", "copies", "kinds", "sums", "excluded_together", "card_lists", "legal_in"),
    *("not_checked", "match", "standings", "look", "notation"),
)
SHIPPED = (*NAMED_PARTS, "side", "exchange", "notes", "decisions", "deck_check")
"""What only rules that come with the program say, besides words of kinds and matches."""
INVALID = "invalid_rules"
MOST_ZONES, MOST_KINDS, MOST_SUMS, MOST_CARDS, MOST_NOTES = 10, 20, 10, 2_000, 10
MOST_NAMES = 20
LONGEST_KEY = 30
NAME = name_text(80)
NOTES, CARDS = list_of(NAME, MOST_NOTES), list_of(NAME, MOST_CARDS)
SIZE, COPIES_OF_A_CARD = WholeNumber(0, MOST), WholeNumber(1, MOST)


def rules_from_json(value: object, *, shipped: bool = False) -> FormatRules:
    """Parse the JSON of format rules.

    Raises BadInput ``invalid_rules`` with the path for unknown keys and rules that contradict
    themselves; for the keys of ``SHIPPED`` too, unless the rules are ``shipped`` with the program.
    """
    return read_document(INVALID, partial(_rules, shipped=shipped), value)


def _rules(value: object, *, shipped: bool) -> FormatRules:
    given = JsonObjectReader(value, (*PARTS, *(SHIPPED if shipped else ())))
    zones = given.read("zones", partial(_zones, shipped=shipped))
    keys = tuple(zone.key for zone in zones)
    kinds = given.optional("kinds", partial(_kinds, keys, shipped=shipped), ())
    return FormatRules(
        zones=zones,
        copies=given.optional("copies", _copies, CopyRule()),
        kinds=kinds,
        sums=given.optional("sums", list_of(partial(_sum, zones), MOST_SUMS), ()),
        excluded_together=given.optional("excluded_together", list_of(_pair, MOST_CARDS), ()),
        card_lists=given.optional("card_lists", _card_lists, {}),
        legal_in=given.optional("legal_in", NAME, None),
        not_checked=given.optional("not_checked", NOTES, ()),
        match=given.optional(
            "match", partial(read_match_settings, shipped=shipped), MatchDefaults()
        ),
        standings=given.optional("standings", read_standings_settings, GameStandings()),
        look=given.optional("look", _look, FormatEmblem()),
        notation=given.optional("notation", _notation, Notation()),
        checks=read_checks(given, zones, tuple(counted.kind for counted in kinds)),
        side=given.read("side", one_of(keys), None),
        exchange=given.read("exchange", partial(_exchange, keys), Exchange()),
        notes=given.read("notes", list_of(read_message), ()),
        decisions=given.read("decisions", list_of(read_message), ()),
        deck_check=given.read("deck_check", list_of(read_message), ()),
    )


def _exchange(zones: tuple[str, ...], value: object) -> Exchange:
    given = JsonObjectReader(value, ("returns", "stays_empty"))
    return Exchange(
        returns=given.read("returns", boolean, True),
        stays_empty=given.read("stays_empty", list_of(one_of(zones)), ()),
    )


def _look(value: object) -> FormatEmblem:
    given, usual = JsonObjectReader(value, ("palette", "emblem")), FormatEmblem()
    return FormatEmblem(
        palette=given.read("palette", one_of(PALETTES), usual.palette),
        emblem=given.read("emblem", one_of(EMBLEMS), usual.emblem),
    )


def _notation(value: object) -> Notation:
    given = JsonObjectReader(value, ("set_behind", "headings", "faces", "same_cards"))
    return Notation(
        set_behind=given.optional("set_behind", boolean, False),
        headings=given.optional("headings", NOTES, ()),
        faces=given.optional("faces", boolean, False),
        same_cards=given.optional("same_cards", list_of(_names_of_a_card, MOST_CARDS), ()),
    )


def _names_of_a_card(value: object) -> tuple[str, ...]:
    names = list_of(NAME, MOST_NAMES)(value)
    if len(names) < 2 or ANYTHING in names[0]:
        raise too_low_error(2)
    return names


def _key(value: object) -> str:
    key = value if isinstance(value, str) else ""
    if not 1 <= len(key) <= LONGEST_KEY or not all(
        sign.isascii() and (sign.isalnum() or sign in "-_") for sign in key
    ):
        raise WrongValue("Use 1 to %(most)s letters, digits or hyphens.", most=LONGEST_KEY)
    return key


def _limits(given: JsonObjectReader) -> tuple[int, int | None]:
    """Return ``min`` and ``max`` of an object; without ``max`` there is no limit."""
    least, most = given.read("min", SIZE, 0), given.optional("max", SIZE, None)
    if most is not None and most < least:
        raise WrongValue("The maximum can’t be less than the minimum.", at="max")
    return least, most


def _zones(value: object, *, shipped: bool) -> tuple[Zone, ...]:
    if value is None or value == []:
        raise too_low_error(1)
    listed = list_of(partial(_zone, shipped=shipped), MOST_ZONES)
    zones = unique_list(listed, lambda zone: zone.key, at="key")(value)
    for at, zone in enumerate(zones):
        taken = {name_key(word) for other in zones[:at] for word in other.words}
        if any(name_key(word) in taken for word in zone.words):
            raise WrongValue("Use each value only once.", at=f"[{at}].name")
    return zones


def _zone(value: object, *, shipped: bool) -> Zone:
    given = JsonObjectReader(value, ("key", "name", "min", "max", "or_none"))
    key = given.read("key", one_of(LABELS) if shipped else _key)
    name = given.read("name", NAME, NAME(key))
    least, most = _limits(given)
    if most == 0:
        raise too_low_error(1).inside("max")
    return Zone(
        key=key,
        label=LABELS[key] if shipped else Sentence("%(name)s", {"name": name}),
        minimum=least,
        maximum=most,
        or_none=given.optional("or_none", boolean, False) and least > 0,
        words=() if shipped else (name,) if name_key(name) == name_key(key) else (name, key),
    )


def _copies(value: object) -> CopyRule:
    given = JsonObjectReader(value, ("max", "by", "over", "unlimited", "own"))
    return CopyRule(
        most=given.optional("max", COPIES_OF_A_CARD, None),
        by=CopyIdentity(given.read("by", one_of(CopyIdentity), CopyIdentity.NAME)),
        each=given.read("over", one_of(("all", "each")), "all") == "each",
        unlimited=given.optional("unlimited", CARDS, ()),
        own=given.optional("own", mapping_of(COPIES_OF_A_CARD, NAME), {}),
    )


def _kinds(zones: tuple[str, ...], value: object, *, shipped: bool) -> tuple[KindCountRule, ...]:
    kinds = list_of(partial(_shipped_kind if shipped else _kind, zones), MOST_KINDS)(value)
    for at, counted in enumerate(kinds):
        words = {fold_kind(word) for other in kinds[:at] for word in other.kind.words}
        if any(fold_kind(word) in words for word in counted.kind.words):
            raise WrongValue("Use each value only once.", at=f"[{at}].name")
    return kinds


def _kind(zones: tuple[str, ...], value: object) -> KindCountRule:
    given = JsonObjectReader(value, ("key", "name", "zones", "min", "max"))
    key = given.read("key", _key)
    name = given.read("name", NAME, NAME(key))
    own = given.optional("zones", list_of(one_of(zones), MOST_ZONES), ())
    if not own:
        raise WrongValue("Use one of: %(known)s.", at="zones", known=zones)
    least, most = _limits(given)
    kind = CardKind(
        key=key,
        label=Sentence("%(name)s", {"name": name}),
        words=(name,) if fold_kind(name) == fold_kind(key) else (name, key),
        zones=tuple(zone for zone in zones if zone in own),
        home=own[0] if len(own) == 1 else None,
    )
    return KindCountRule(kind=kind, least=least, most=most)


def _shipped_kind(zones: tuple[str, ...], value: object) -> KindCountRule:
    """Return a kind with all its words; without zones it is an ordinary card."""
    given = JsonObjectReader(value, ("key", "name", "words", "zones", "first_word"))
    name = given.read("name", NAME)
    own = given.read("zones", list_of(one_of(zones)), None)
    kind = CardKind(
        key=given.read("key", _key, name.lower().replace(" ", "-")),
        label=Sentence(name),
        words=given.read("words", list_of(NAME)),
        zones=own,
        home=own[0] if own else None,
        first_word=given.read("first_word", boolean, False),
    )
    return KindCountRule(kind=kind)


def _sum(zones: tuple[Zone, ...], value: object) -> ZoneSumRule:
    given = JsonObjectReader(value, ("zones", "min", "max"))
    by_zone = {zone.key: zone for zone in zones}
    own = given.optional("zones", list_of(one_of(by_zone), MOST_ZONES), ())
    if len({*own}) < len(own):
        raise WrongValue("Use each value only once.", at="zones")
    if len(own) < 2:
        raise too_low_error(2).inside("zones")
    least, most = _limits(given)
    smallest = sum(0 if by_zone[key].or_none else by_zone[key].minimum for key in own)
    if most is not None and smallest > most:
        raise too_low_error(smallest).inside("max")
    sizes = [by_zone[key].maximum for key in own]
    largest = sum(size or 0 for size in sizes)
    if None not in sizes and largest < least:
        raise too_high_error(largest).inside("min")
    return ZoneSumRule(zones=own, least=least, most=most)


def _pair(value: object) -> tuple[str, str]:
    one, other = list_of(NAME, 2, least=2)(value)
    if name_key(one) == name_key(other):
        raise WrongValue("Use each value only once.")
    return one, other


def _card_lists(value: object) -> Mapping[str, tuple[str, ...]]:
    given = JsonObjectReader(value, COPIES)
    lists = {which: given.optional(which, CARDS, ()) for which in COPIES}
    known: dict[str, str] = {}
    for which, names in lists.items():
        for at, name in enumerate(names):
            if known.setdefault(name_key(name), which) != which:
                raise WrongValue("Use each value only once.", at=f"{which}[{at}]")
    return {which: names for which, names in lists.items() if names}


# --- How a match is played and ranked ------------------------------------------------------
GAMES = (1, 3, 5, 7, 9)
SCORES = ("games", "points", "none")
"""What the result of a match consists of: games won, points, or only the winner."""
MATCH = ("best_of", "final_best_of", "score", "target", "draws", "minutes")
SHIPPED_MATCH = ("first", "time_up", "calls")
STANDINGS = (
    *("points", "criteria", "floor", "draw_share", "bye_games", "byes_left_out"),
    "dropped_cap",
)
MOST_MINUTES, MOST_TARGET, MOST_POINTS = 600, 999, 100
SHARE = fraction(1, range(1, 101))


def read_match_settings(value: object, *, shipped: bool = False) -> MatchDefaults:
    """Parse the JSON of the match settings of rules; raise WrongValue.

    ``shipped``: the keys of ``SHIPPED_MATCH`` are allowed too.
    """
    given = JsonObjectReader(value, (*MATCH, *(SHIPPED_MATCH if shipped else ())))
    best_of = given.read("best_of", _games, 1)
    scores = (*SCORES, "promotion") if shipped else SCORES
    score = given.read("score", one_of(scores), "games")
    target = given.optional("target", WholeNumber(1, MOST_TARGET), None)
    if target is not None and score in ("games", "none"):
        raise WrongValue(
            "This setting doesn’t apply to the chosen result format. Remove it.", at="target"
        )
    if best_of > 1 and score != "games":
        raise WrongValue(
            "This setting doesn’t apply to the chosen result format. Remove it.", at="best_of"
        )
    return MatchDefaults(
        first=given.read("first", read_message, DRAW_FIRST),
        best_of=best_of,
        final_best_of=given.read("final_best_of", _games, best_of),
        score="games" if score == "none" else score,
        winner_only=score == "none",
        target=target,
        draws=given.optional("draws", boolean, True),
        minutes=given.optional("minutes", WholeNumber(1, MOST_MINUTES), None),
        time_up=given.read("time_up", read_message, TIME_UP),
        calls=given.read("calls", list_of(read_message), ()),
    )


def _games(value: object) -> int:
    number = WholeNumber(1, GAMES[-1])(value)
    if number not in GAMES:
        raise WrongValue("Use one of: %(known)s.", known=GAMES)
    return number


def read_standings_settings(value: object) -> GameStandings:
    """Parse the JSON of the points and tiebreakers of rules; raise WrongValue."""
    given, usual = JsonObjectReader(value, STANDINGS), GameStandings()
    criteria = given.optional("criteria", _criteria, ())
    return GameStandings(
        points=given.optional("points", _points, usual.points),
        criteria=criteria or usual.criteria,
        floor=given.read("floor", SHARE, usual.floor),
        draw_share=given.read("draw_share", SHARE, usual.draw_share),
        bye_games=given.read("bye_games", WholeNumber(0, MOST_BYE_GAMES), usual.bye_games),
        byes_left_out=given.optional("byes_left_out", boolean, False),
        dropped_cap=given.optional("dropped_cap", SHARE, None),
    )


def _points(value: object) -> tuple[Fraction, Fraction, Fraction]:
    given, usual = JsonObjectReader(value, ("win", "draw", "loss")), GameStandings().points
    win, draw, loss = (
        given.read(key, fraction(MOST_POINTS, DENOMINATORS), worth)
        for key, worth in zip(("win", "draw", "loss"), usual, strict=True)
    )
    if not win >= draw >= loss:
        raise WrongValue(
            "A win must be worth at least as much as a draw, and a draw as much as a loss."
        )
    return win, draw, loss


def _criteria(value: object) -> tuple[str, ...]:
    known = CRITERIA.keys()
    criteria = list_of(one_of(known), len(known))(value)
    if len({*criteria}) < len(criteria):
        raise WrongValue("Use each value only once.")
    return criteria


# --- Written -------------------------------------------------------------------------------
def rules_to_json(rules: FormatRules) -> dict[str, object]:
    """Return the JSON of rules with defaults written out; ``rules_from_json`` reads it."""
    return {
        "zones": [
            {
                "key": zone.key,
                "name": zone.words[0],
                "min": zone.minimum,
                "max": zone.maximum,
                "or_none": zone.or_none,
            }
            for zone in rules.zones
        ],
        "copies": {
            "max": rules.copies.most,
            "by": str(rules.copies.by),
            "over": "each" if rules.copies.each else "all",
            "unlimited": list(rules.copies.unlimited),
            "own": dict(rules.copies.own),
        },
        "kinds": [
            {
                "key": counted.kind.key,
                "name": counted.kind.words[0],
                "zones": list(counted.kind.zones or ()),
                "min": counted.least,
                "max": counted.most,
            }
            for counted in rules.kinds
        ],
        "sums": [
            {"zones": list(one.zones), "min": one.least, "max": one.most} for one in rules.sums
        ],
        "excluded_together": [list(pair) for pair in rules.excluded_together],
        "card_lists": {which: list(rules.card_lists.get(which, ())) for which in COPIES},
        "legal_in": rules.legal_in,
        "not_checked": list(rules.not_checked),
        "match": {
            "best_of": rules.match.best_of,
            "final_best_of": rules.match.final_best_of,
            "score": scoring_to_json(rules.match),
            "target": rules.match.target,
            "draws": rules.match.draws,
            "minutes": rules.match.minutes,
        },
        "standings": _standings(rules.standings),
        "look": {"palette": rules.look.palette, "emblem": rules.look.emblem},
        "notation": {
            "set_behind": rules.notation.set_behind,
            "headings": list(rules.notation.headings),
            "faces": rules.notation.faces,
            "same_cards": [list(names) for names in rules.notation.same_cards],
        },
    }


def scoring_to_json(match: MatchDefaults) -> str:
    """Return how matches are scored, for JSON: "games", "points", "promotion" or "none".

    "none": only winners are recorded.
    """
    return "none" if match.winner_only else match.score


def _standings(standings: GameStandings) -> dict[str, object]:
    """Return points and criteria; what is not the usual of byes and of who dropped."""
    worth = zip(("win", "draw", "loss"), standings.points, strict=True)
    return {
        "points": {key: number_to_json(points) for key, points in worth},
        "criteria": list(standings.criteria),
        "floor": str(standings.floor),
        "draw_share": str(standings.draw_share),
        **({"bye_games": standings.bye_games} if standings.bye_games else {}),
        **({"byes_left_out": True} if standings.byes_left_out else {}),
        **({"dropped_cap": str(cap)} if (cap := standings.dropped_cap) is not None else {}),
    }
