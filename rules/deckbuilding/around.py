"""What stands around the name of a card: its count, its tags, and what programs print there.

One function takes it off, for lines of text, cells of tables and names in JSON alike. The notations
stand in docs/decklists.md with an example each. Languages of printing have a name or a code.

Source: deck construction, Lists in and out; lists exported by the programs named there.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from rules.deckbuilding.catalogue import (
    is_card_finish,
    is_card_number,
    may_precede_foil_mark,
    split_collector_number,
)
from rules.deckbuilding.deck import HIGHEST_COUNT, DeckEntry
from rules.deckbuilding.known_headings import find_heading_role, is_zone_heading
from rules.names import clean_line, name_key
from rules.wording import Sentence

COUNT_RULE = Sentence(
    "Enter a whole number from %(least)s to %(most)s.", {"least": 1, "most": HIGHEST_COUNT}
)
NAME_RULE = Sentence("The card name is missing.")
BRACES_RULE = Sentence("Use braces like this: {Type, Genus, lang=it}.")
LINE_RULE = Sentence("One card per line.")

TAGS = ("kind", "expansion", "number", "version", "genus", "language")
Tags = dict[str, str]
"""Tags of a card by field of ``DeckEntry``."""

LONGEST = 1000
MOST_MARKS = 20

_COUNT_LAST = re.compile(r"(?: [xX×*] ?(-?[0-9]+)| (-?[0-9]+)[x×]| ?; ?[x×]?(-?[0-9]+)[x×]?)$")
COPIES = (
    "copies|copie|copias|c[oó]pias|kopien|exemplare|exemplaires|ejemplares|exemplares|esemplari"
)
"""Several copies, in six languages, as a pattern."""
_COUNT_IN_BRACKETS = re.compile(
    rf" ?\([x×]? ?(-?[0-9]++) ?(?:[x×]|copy|{COPIES})?\)$", re.IGNORECASE
)
_COUNT_WORD = re.compile(r"[xX×*][0-9]+|[0-9]+[xX×]")
_SET_BEFORE = re.compile(
    r"\[(?:(?P<of>[A-Za-z0-9]{2,8})?[:#](?P<number>[^\s\[\]]{1,20})|(?P<set>[A-Z0-9]{2,8})"
    r"|(?P<card>[A-Z0-9]{1,6}-[0-9]{3}[A-Za-z0-9_]{0,4}))\] ?(?=\S)"
    r"|\((?P<round>[A-Z0-9]{2,8})\) (?=\S)"
)
_NUMBER_AHEAD = re.compile(r"#?([0-9]{1,3}[a-z★†]?) (?=[^\W\d_])")
_PIPED = re.compile(r"([A-Z0-9]{2,8})\+?(?:\|(?:[0-9]{0,4}|\[([^\s|\[\]]{1,20})\])(?:\|.*)?)?")
_TAG = re.compile(r" #!? ?[^\W\d_]| # ?!")
_STARS = re.compile(r"\*[A-Za-z0-9][A-Za-z0-9 -]{0,14}\*")
_PRICE = re.compile(
    r" (?:[$€£¥] ?[0-9]{1,7}(?:[.,][0-9]{1,3}){0,2}|[0-9]{1,7}(?:[.,][0-9]{1,3}){0,2} ?[$€£¥])"
    r"(?: (?:USD|EUR|GBP|JPY|TIX))?$"
)
_TAGGED = re.compile(r"[)\]}](?: [^\s()\[\]{}]{1,20})?$")
_DOTS = "•●○◦ "
_SEVERAL = re.compile(
    r"(?:[,;:+&/] |\|\| ?)[1-9][0-9]?[xX×]? (?=[^\W\d_])| [1-9][0-9]?[xX×] (?=[^\W\d_])"
    r"| [xX×][1-9][0-9]?[,;]? (?=[^\W\d_])"
)
_MARKUP = re.compile(r"\[[\[/*]|</|\]\(|[`;]|\|\||\)_|^(?:[*-] )?(?:[0-9]{1,3}[xX]? )?[*_][^\W\d_]")
_PAGE_TAG = re.compile(r"[\[<](/?)([A-Za-z][A-Za-z0-9]{0,11})(?:[= ][^\[\]<>]*)?[\]>]")
_FORUM_BULLET = re.compile(r"\[\*\] ?")
_LINK = re.compile(r"\[([^\[\]]+)\]\((?:https?:/)?/[^()\[\]\s]*(?:\([^()\[\]\s]*\)[^()\[\]\s]*)?\)")
_WIKI = re.compile(r"\[\[([^\[\]]+)\]\]")
_CODE = re.compile(r"`([^`]+)`")
_SPOILER = re.compile(r"\|\|([^|]+)\|\|")
_ENTITY = re.compile(r"&#?[0-9A-Za-z]{1,8};")
_SLANTED = re.compile(r"((?:[*-] )?(?:[0-9]{1,3}[xX]? )?)(?:\*([^\W\d_][^*]*)\*|_([^\W\d_][^_]*)_)")
_SLANTED_SET = re.compile(r" _(\([^()_]*\))_")
_NOT_IN_DECK, MAYBEBOARD = "{noDeck}", "Maybeboard"
_COMMANDER = {"*CMDR*": "Commander"}


class UnreadableLineError(Exception):
    """A line or JSON entry cannot be read as a card; ``reason`` is the message why."""

    def __init__(self, reason: Sentence) -> None:
        self.reason = reason
        super().__init__(str(reason))


@dataclass(slots=True)
class NameParse:
    """The parse state of a card line: the text left to parse and what was taken off it.

    ``text`` is in the end the card's name. ``tags`` are by field of ``DeckEntry``, "" if absent.
    ``count`` is None, and ``zone`` "", if the line states none.
    """

    text: str
    tags: Tags
    count: int | None
    zone: str = ""

    def entry(self, line: int | None = None) -> DeckEntry:
        """Return the card."""
        count = 1 if self.count is None else self.count
        return DeckEntry(name=self.text, count=count, line=line, **self.tags)


def parse_name(text: str, *, count: int | None = None, given: Tags | None = None) -> NameParse:
    """Parse the text around a card's name; return the name, tags, count and zone.

    ``text`` is normalised. A ``count`` and tags that are ``given`` as arguments are not looked for
    in it. Each tag may occur once; text before a repeated one belongs to the name. Parsing the
    resulting name again changes nothing. Raises UnreadableLineError.
    """
    if len(text) > LONGEST:
        raise UnreadableLineError(LINE_RULE)
    text = strip_markup(text)
    told = {tag: strip_markup(value) for tag, value in given.items()} if given else {}
    found = NameParse(text, dict.fromkeys(TAGS, "") | told, count)
    for _mark in range(MOST_MARKS):
        if not any(take(found) for take in _TAKERS):
            break
    else:
        raise UnreadableLineError(LINE_RULE)
    if not any(map(str.isalpha, found.text)):
        raise UnreadableLineError(NAME_RULE)
    if contains_several_cards(found.text):
        raise UnreadableLineError(LINE_RULE)
    return found


def contains_several_cards(text: str) -> bool:
    """Return whether a normalised text lists several cards, as in ``Opt, 4 Negate``."""
    found = _SEVERAL.search(text)
    return found is not None and any(map(str.isalpha, text[: found.start()]))


def strip_markup(text: str) -> str:
    """Return a text without the markup of forums and web pages; normalised if the text is.

    ``[b]Name[/b]``, ``<b>Name</b>``, ``[url=…]Name[/url]``, ``[[Name]]``, ``[Name](https://…)``,
    ``*Name*``, ```Name```, ``Fire &amp; Ice``. Marks of the decklist itself (``[M10]``, ``*F*``)
    stay.
    """
    if _MARKUP.search(text) is None or len(text) > LONGEST:
        return text
    if "&" in text:
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    if "[/" in text or "</" in text:
        closed = {tag[2].lower() for tag in _PAGE_TAG.finditer(text) if tag[1]}
        text = _PAGE_TAG.sub(lambda tag: "" if tag[2].lower() in closed else tag[0], text)
    if "[" in text:
        text = _FORUM_BULLET.sub("* ", text, count=1) if text.startswith("[*]") else text
        text = _WIKI.sub(r"\1", _LINK.sub(r"\1", text))
    text = _SLANTED_SET.sub(r" \1", _SPOILER.sub(r"\1", _CODE.sub(r"\1", text)))
    slanted = _SLANTED.fullmatch(text)
    return clean_line("".join(filter(None, slanted.groups())) if slanted else text)


def parse_count(digits: str) -> int:
    """Return a number of copies from digits; raise UnreadableLineError if not 1 to 999."""
    shorn = digits.lstrip("0")
    if digits.startswith("-") or not shorn or len(shorn) > len(str(HIGHEST_COUNT)):
        raise UnreadableLineError(COUNT_RULE)
    return int(shorn)


def has_bracketed_count(text: str) -> bool:
    """Return whether a text ends with a count in brackets: ``Name (4)``."""
    return _COUNT_IN_BRACKETS.search(text) is not None


def _take_count(found: NameParse) -> bool:
    """``Name x4``, ``Name 4x``, ``Name;4``, ``Name (4)``."""
    if found.count is not None:
        return False
    last = _COUNT_LAST.search(found.text) or _COUNT_IN_BRACKETS.search(found.text)
    if last is None:
        return False
    found.count = parse_count(next(filter(None, last.groups())))
    found.text = found.text[: last.start()]
    return True


def _take_set_before(found: NameParse) -> bool:
    """``[M10:146] Name``, ``[M10#146] Name``, ``[M10] Name``, ``(M10) 146 Name``."""
    match = _SET_BEFORE.match(found.text) if found.text.startswith(("[", "(")) else None
    if match is None:
        return False
    expansion = match["of"] or match["set"] or match["card"] or match["round"] or ""
    if (not match["number"] and expansion.isdigit()) or _COUNT_WORD.fullmatch(expansion):
        return False
    behind = None if match["number"] else _NUMBER_AHEAD.match(found.text, match.end())
    _note_set(found, expansion, match["number"] or (behind[1] if behind else ""))
    found.text = found.text[(behind or match).end() :]
    return True


def remark_start(text: str) -> int | None:
    """Return the index at which a remark after ``//`` begins, None without a remark.

    ``Name // best card`` has one; in ``Fire // Ice`` a second face follows. What begins in lower
    case or is a heading is a remark.
    """
    at = text.find(" //")
    while at > 0:
        behind = text.find(" //", at + 1)
        face = text[at:] if behind < 0 else text[at:behind]
        face = face.strip("/ ")
        if not _is_face(face) and not _is_open(text[:at]):
            return at
        at = behind
    return None


def _is_face(text: str) -> bool:
    small = not text[:1].isalpha() or text[0].islower()
    return not small and find_heading_role(text) is None and not is_zone_heading(text)


def _take_remark(found: NameParse) -> bool:
    """``Name (M10) 146 // best card``, ``Name //``: behind these no face can stand."""
    at = remark_start(found.text) if "//" in found.text else None
    if at is None:
        return False
    name, behind = found.text[:at].rstrip(), found.text[at:]
    if any(map(str.isalnum, behind)) and not _TAGGED.search(name):
        return False
    found.text = name
    return True


def _note_set(found: NameParse, expansion: str, number: str) -> None:
    if not found.tags["expansion"]:
        found.tags["expansion"] = expansion
        found.tags["number"] = found.tags["number"] or number


def _take_pipes(found: NameParse) -> bool:
    """``Name|M10``, ``Name|M10|2``, ``Name+|M10|[146]``."""
    name, sign, rest = found.text.partition("|")
    match = _PIPED.fullmatch(rest) if sign else None
    if match is None or not name.strip() or _is_open(name):
        return False
    _note_set(found, match[1], match[2] or "")
    found.text = name.removesuffix("+").rstrip()
    return True


def _take_subtitle(found: NameParse) -> bool:
    """``Name | Subtitle`` is a version."""
    name, sign, rest = found.text.partition(" | ")
    version = " ".join(rest.translate(_NO_BRACKETS).split())
    if not sign or found.tags["version"] or not name.strip() or not version:
        return False
    found.text, found.tags["version"] = name.rstrip(), version
    return True


_NO_BRACKETS = str.maketrans("[]{}", "    ")


def _take_hashes(found: NameParse) -> bool:
    """``Name #tag #!tag``, ``Name # !Commander``: the first of them and all behind it."""
    match = _TAG.search(found.text) if " #" in found.text else None
    if match is None or match.start() == 0 or _is_open(found.text[: match.start()]):
        return False
    word = found.text[match.start() + 2 :].split(" #")[0].strip()
    found.text = found.text[: match.start()].rstrip()
    if word.startswith("!"):
        found.zone = found.zone or word[1:].strip()
    return True


def _is_open(text: str) -> bool:
    return any(text.count(sign) > text.count(end) for sign, end in ("()", "[]", "{}", "<>"))


def _take_marks(found: NameParse) -> bool:
    """``Name *F*``, ``Name ^label^``, ``Name <borderless>``, ``Name $5.00``, ``Name ●●``."""
    text = found.text
    for sign, end in ("**", "^^", "<>"):
        at = text.rfind(f" {sign}", 0, -1) if text.endswith(end) else -1
        inside = text[at + 2 : -1].strip()
        if at < 1 or not inside or (sign == "*" and not _STARS.fullmatch(text[at + 1 :])):
            continue
        found.text = text[:at]
        found.zone = found.zone or _COMMANDER.get(text[at + 1 :].upper(), "")
        if sign == "<" and inside.isdecimal() and not found.tags["number"]:
            found.tags["number"] = inside
        return True
    if (price := _PRICE.search(text)) and price.start():
        found.text = text[: price.start()]
        return True
    name = text.rstrip(_DOTS) if text[-1:] in _DOTS[:-1] else text
    if name and text[len(name) :].startswith(" "):
        found.text = name
        return True
    return False


def _take_number(found: NameParse) -> bool:
    """``Name (M10) 146``, ``Name (PLST) A25-141``, ``Name [SLD] 84``: a number behind its set."""
    head, _space, last = found.text.rpartition(" ")
    if not head.endswith((")", "]")) or _COUNT_WORD.fullmatch(last):
        return False
    opening, inside = _last_brackets(head) or ("", "")
    number, code = last.removeprefix("#"), inside.strip()
    square = opening == "[" and not (2 <= len(code) <= 8 and code.isalnum() and code.isascii())
    if square or not any(map(str.isalpha, code)) or not is_card_number(number, behind=code):
        return False
    if opening != "[" and found.tags["expansion"] and not is_card_number("A1", behind=code):
        return False
    _note_set(found, split_collector_number(code)[0], number)
    found.text = head[: -len(inside) - 2].rstrip()
    return True


def _take_brackets(found: NameParse) -> bool:
    """``Name (M10)``, ``Name (M10 146)``, ``Name {Kind, Genus, lang=it}``, ``Name [version]``."""
    opening, inside = _last_brackets(found.text) or ("", "")
    if not opening:
        return False
    head, tags = found.text[: -len(inside) - 2].rstrip(), found.tags
    read: Tags | None
    if opening == "(":
        read = _round_brackets(inside.strip(), head, found)
    elif opening == "[":
        read = _square_brackets(inside.strip(), found)
    else:
        known = tags["kind"] or tags["genus"] or tags["language"]
        read = None if known else _tags_in_braces(inside)
    if read is None:
        return False
    found.tags, found.text = tags | read, head
    return True


def _last_brackets(text: str) -> tuple[str, str] | None:
    """Return the opening bracket and content of the brackets that end a text, or None."""
    for opening, closing in ("()", "{}", "[]"):
        if text.endswith(closing):
            start = text.rfind(opening)
            inside = text[start + 1 : -1]
            if start >= 0 and closing not in inside and inside.strip():
                return opening, inside
    return None


def _round_brackets(inside: str, head: str, found: NameParse) -> Tags | None:
    """Return the tags with a set and number, or without a finish; None for a repeated tag."""
    tags = found.tags
    if head and is_card_finish(inside) and (tags["expansion"] or may_precede_foil_mark(head)):
        return {}
    expansion, number = split_collector_number(inside)
    if inside.isascii() and inside.isdigit():
        expansion, number = "", inside
    if not expansion and number:
        same = tags["number"].lstrip("0") in ("", number.lstrip("0"))
        return {"number": tags["number"] or number} if head and same else None
    if tags["expansion"] or not any(map(str.isalpha, expansion)):
        return None
    return {"expansion": expansion, "number": number or tags["number"]}


def _square_brackets(inside: str, found: NameParse) -> Tags | None:
    """Return the version, but for the categories of a program, which may name a zone."""
    if "{" in inside:
        first = inside.split(",")[0]
        zone = MAYBEBOARD if _NOT_IN_DECK in first else first.split("{")[0].strip()
        found.zone = found.zone or zone
        return {}
    return None if found.tags["version"] else {"version": inside}


def _tags_in_braces(inside: str) -> Tags | None:
    language = ""
    places = []
    for part in (piece.strip() for piece in inside.split(",")):
        if part.casefold().startswith("lang="):
            if language:
                raise UnreadableLineError(BRACES_RULE)
            language = part[len("lang=") :].strip()
        else:
            places.append(part)
    if len(places) > 2:
        raise UnreadableLineError(BRACES_RULE)
    kind, genus = (*places, "", "")[:2]
    if not (kind or genus or language):
        return None
    return {"kind": kind, "genus": genus, "language": language}


_TAKERS: tuple[Callable[[NameParse], bool], ...] = (
    *(_take_remark, _take_marks, _take_hashes, _take_pipes, _take_count),
    *(_take_number, _take_brackets, _take_set_before, _take_subtitle),
)


# Django's own catalogues translate these names.
_NAMES = {
    "it": "Italian",
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "pt": "Portuguese",
    "fi": "Finnish",
    "sv": "Swedish",
    "pl": "Polish",
    "nl": "Dutch",
    "ja": "Japanese",
}
_LABELS = {code: Sentence(name) for code, name in _NAMES.items()}

# ISO 639-1 and 639-2 codes; names in English, Italian and the language itself.
_WORDS: dict[str, tuple[str, ...]] = {
    "it": ("ita", "italian", "italiano", "italiana"),
    "en": ("eng", "english", "inglese"),
    "de": ("deu", "ger", "german", "tedesco", "tedesca", "deutsch"),
    "fr": ("fra", "fre", "french", "francese", "francais"),
    "es": ("spa", "spanish", "spagnolo", "spagnola", "espanol", "castellano"),
    "pt": ("por", "portuguese", "portoghese", "portugues"),
    "fi": ("fin", "finnish", "finlandese", "suomi"),
    "sv": ("swe", "swedish", "svedese", "svenska"),
    "pl": ("pol", "polish", "polacco", "polacca", "polski"),
    "nl": ("nld", "dut", "dutch", "olandese", "nederlands"),
    "ja": ("jpn", "japanese", "giapponese", "日本語"),
}

_BY_WORD = {name_key(word): code for code, words in _WORDS.items() for word in (code, *words)}


def language_key(text: str) -> str:
    """Return the language code that ``it``, ``it-IT``, Italiano and Italian share.

    Unknown languages get their folded text.
    """
    folded = name_key(text).replace("_", "-")
    region_free = folded.partition("-")[0]
    return _BY_WORD.get(folded) or _BY_WORD.get(region_free, folded)


def language_label(text: str) -> Sentence | str:
    """Return the display name of a language; unknown ones as written."""
    return _LABELS.get(language_key(text), text)
