"""What stands around the names of a list that people write: chat stamps, list marks, remarks."""

import re
import unicodedata
from typing import NamedTuple

from rules.wording import Sentence

_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?"
_DATE = r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}"
_WHEN = rf"(?:{_TIME}|{_DATE})(?:,?\s+(?:{_TIME}|{_DATE}))?"
_STAMP = re.compile(
    rf"^(?:\[{_WHEN}\]\s*|{_WHEN}\s+[-–]\s+)(?:[^:\d][^:]{{0,60}}:(?=\s|$))?\s*", re.IGNORECASE
)
"""When a message was sent and by whom, as chats copy it: “[21:04, 27/11/2026] Beppe:”."""
_KEYCAPS = re.compile(r"^(?:[\d#*]\ufe0f?\u20e3|\U0001f51f)+\s*")
_CHECKBOX = re.compile(r"^\[[ xX✓✔]?\]\s*")
_NUMBER = re.compile(
    r"^(?:[(#]?\d{1,3}\s*[.):°．）]+(?=\D|$)|\d{1,3}\s*[-–](?=\s|$)|#\d{1,3}(?=\s|$)"
    r"|(?:0?[1-9]|[1-9]\d{1,2})\s+(?=[^\W\d_]))\s*"
)
# fmt: off
_NOTES = frozenset({
    "pagato", "pagata", "pagare", "paga", "paid", "unpaid", "pay", "forse", "tardi", "ritardo",
    "late", "maybe", "perhaps", "confermato", "confermata", "confermare", "confirmed", "presente",
    "ok", "okay",
})
"""Words that are often written behind a name without a sign."""
_BEFORE_NOTES = frozenset({
    "non", "not", "ha", "già", "gia", "already", "arriva", "arrivo", "arrives", "viene", "deve",
    "ancora", "da", "in", "un", "po", "po'", "po’", "still", "to", "is", "will", "be", "forse",
})
"""Words before these that belong to the note: “non pagato”, “arriva tardi”."""
# fmt: on
_HOUR = re.compile(r"\d{1,2}(?:[:.]\d{2})?")
_CHATTER = re.compile(r"^([^!:]{2,60}[!:]+)\s+(\S.*)$")
_PARTICLES = re.compile(r"(?:d[aei]|de[il]|dell[ao]|degli|dal(?:la)?|l[aio]|van|von|de[rn])", re.I)
BULLETS = frozenset("-–—*•·●○▪‣◦☐☑✅✔→>")
_JOINING = "\u200d\ufe0e\ufe0f\u20e3"
_TALKS = re.compile(r"[!€$]|:\s|\d[:.]\d{2}|\d/\d")
MOST_WORDS = 5
"""Words that a name has at most."""
# fmt: off
TITLES = frozenset({
    "torneo", "tornei", "lista", "elenco", "iscritti", "iscrizioni", "iscrizione", "presenti",
    "partecipanti", "giocatori", "serata", "tournament", "event", "list", "players", "playing",
    "roster", "registered", "draft", "sealed", "modern", "pauper", "commander", "standard",
    "magic", "mtg", "pokémon", "pokemon", "yugioh", "yu-gi-oh", "lorcana", "fnm", "lunedì",
    "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday",
})
# fmt: on
"""Words of a line that says what a list is of."""


class UnmarkedLine(NamedTuple):
    """A line of a list of names, with list marks and remarks taken off the name (``text``).

    ``remark`` is the text before and after the name, ``chatter`` the part before it; ``marked``:
    the line had a list mark.
    """

    text: str
    remark: str
    marked: bool
    chatter: str = ""


def strip_chat_stamp(line: str) -> str:
    """Return a line copied from a chat without its time and sender."""
    return _STAMP.sub("", line)


def strip_list_marks(line: str) -> UnmarkedLine:
    """Return a line split into the name and what stands around it.

    List marks are bullets, pictures, and numbers followed by a sign or a name: “3 -”, “15:”, “#3”,
    “7 Ugo”. Remarks may also come before a capitalised name: “I’m in! Anna Rossi”.
    """
    text = _without_front(line)
    marked, remarks = text != line, list[str]()
    while (rest := _shortened(text)) is not None:
        text, remark = rest
        remarks.insert(0, remark)
    chatter, text = _said_before(text.rstrip(" ,;"))
    return UnmarkedLine(text, " ".join(filter(None, (chatter, *remarks))), marked, chatter)


def unlikely_name_message(
    line: UnmarkedLine, *, first: bool = False, titled: bool = False
) -> Sentence | None:
    """Return the message that a line may not be a name, None if it looks like one.

    ``first``: it is the first line, which may be a title. ``titled``: it has no list mark, but the
    lines below do. Remarks are ignored.
    """
    text = line.text
    words = text.casefold().split()
    asks = len(words) > 3 and line.remark.startswith("?")
    if titled or asks or len(words) > MOST_WORDS or (len(words) > 2 and _TALKS.search(text)):
        return Sentence("This doesn’t look like a name.")
    before = line.chatter.casefold().split()
    if first and not TITLES.isdisjoint(word.strip(".,:!-–") for word in (*before, *words)):
        return Sentence("This doesn’t look like a name.")
    return None


def _without_front(line: str) -> str:
    """Return a line without anything that stands before a name."""
    text = line.strip()
    while True:
        rest = _KEYCAPS.sub("", text)
        rest = _CHECKBOX.sub("", rest)
        rest = _NUMBER.sub("", rest)
        if rest and (rest[0] in BULLETS or _is_picture(rest[0])):
            rest = rest[1:].lstrip(f"{_JOINING} ")
        if rest == text:
            return text
        text = rest


def _said_before(text: str) -> tuple[str, str]:
    """Return what is said before a name of two to four words, ended by “!” or “:”, and the name."""
    found = _CHATTER.match(text)
    if found is None:
        return "", text
    words = found[2].split()
    named = all(word[0].isupper() or _PARTICLES.fullmatch(word) for word in words)
    return (found[1], found[2]) if named and 2 <= len(words) <= 4 else ("", text)


def _shortened(text: str) -> tuple[str, str] | None:
    """Return a text without the last remark and what it says; None if there is none.

    “(maybe late)”, “- paid”, “paid”, “+1”, “?” and pictures behind a name are remarks.
    """
    bare = text.rstrip("?")
    if bare and bare != text:
        return bare.rstrip(), text[len(bare) :]
    pictures = len(text)
    while pictures and (_is_picture(text[pictures - 1]) or text[pictures - 1] in _JOINING):
        pictures -= 1
    if 0 < pictures < len(text):
        return text[:pictures].rstrip(), text[pictures:]
    if text.endswith(")"):
        name, found, remark = text[:-1].rpartition("(")
    else:
        name, found, remark = text.rpartition(" ")
        if not (remark.startswith("+") and remark[1:].isdecimal()):
            dash = next((each for each in (" - ", " – ", " — ") if each in text), "")
            name, found, remark = text.partition(dash) if dash else _without_note(text)
    return (name.rstrip(), remark.strip()) if found and name.strip() else None


def _without_note(text: str) -> tuple[str, str, str]:
    """Return a text parted before a note without a sign; three times "" if there is none.

    Behind one word only, a word written as that one may be the surname: “Paolo Tardi”.
    """
    words = text.split()
    if len(words) < 2:
        return "", "", ""
    plain = [word.casefold().strip(".!,") for word in words]
    at = len(words) - 1
    if _HOUR.fullmatch(plain[-1]):
        comes = ("arriva", "arrivo", "arrives")  # “arriva dopo le 21:30”
        at = next((n for n, word in enumerate(plain) if n and word in comes), 0)
    elif plain[-1] not in _NOTES:
        at = 0
    while at > 1 and plain[at - 1] in _BEFORE_NOTES:
        at -= 1
    name, note = " ".join(words[:at]), " ".join(words[at:])
    alike = name[:1].isupper() and note[:1].isupper() and name.isupper() == note.isupper()
    surname = at == 1 and len(words) == 2 and alike
    return (name, " ", note) if at > 0 and not surname else ("", "", "")


def _is_picture(sign: str) -> bool:
    """Return whether a sign is an emoji or a part of one, or a sign as ✓ and ★."""
    code = ord(sign)
    return (
        (unicodedata.category(sign) == "So" and sign != "\ufffd")
        or 0x1F000 <= code <= 0x1FAFF
        or code == 0x20E3
    )
