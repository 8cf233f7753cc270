"""Languages of printing, by name or code."""

from rules.names import name_key
from rules.wording import Sentence

_LABELS: dict[str, Sentence] = {
    "it": Sentence("Italian"),
    "en": Sentence("English"),
    "de": Sentence("German"),
    "fr": Sentence("French"),
    "es": Sentence("Spanish"),
    "pt": Sentence("Portuguese"),
    "fi": Sentence("Finnish"),
    "sv": Sentence("Swedish"),
    "pl": Sentence("Polish"),
    "nl": Sentence("Dutch"),
    "ja": Sentence("Japanese"),
}

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
    """Return the key shared by ``it``, ``it-IT``, Italiano and Italian; others keep their own."""
    folded = name_key(text).replace("_", "-")
    region_free = folded.partition("-")[0]
    return _BY_WORD.get(folded) or _BY_WORD.get(region_free, folded)


def language_label(text: str) -> Sentence | str:
    """Return the label of a language; unknown ones as written."""
    return _LABELS.get(language_key(text), text)
