"""Check of one genus per deck: required of some kinds, recommended for others."""

from collections.abc import Iterable, Iterator, Sequence

from rules.deckbuilding.deck import DeckEntry, Violation, entry_violation
from rules.deckbuilding.formats import Check, CheckInput
from rules.deckbuilding.zones import CardKind, zone_label
from rules.names import name_key
from rules.wording import Sentence

_LABELS: dict[str, Sentence] = {
    "light": Sentence("Light"),
    "darkness": Sentence("Darkness"),
    "forest": Sentence("Forest"),
    "earth": Sentence("Earth"),
    "water": Sentence("Water"),
    "fire": Sentence("Fire"),
}

_ITALIAN = {
    "luce": "light",
    "oscurita": "darkness",
    "foresta": "forest",
    "terra": "earth",
    "acqua": "water",
    "fuoco": "fire",
}

GENERA: tuple[Sentence, ...] = tuple(_LABELS.values())


def genus_key(text: str) -> str:
    """Return the key of a genus, shared by its translations (Luce, Light).

    A genus is the element of a Thoom card. Unknown ones get their folded text.
    """
    folded = name_key(text)
    return _ITALIAN.get(folded, folded)


def genus_label(text: str) -> Sentence | str:
    """Return the display name of a genus; unknown ones as written."""
    return _LABELS.get(genus_key(text), text)


def single_genus_check(kind: CardKind, *, others: tuple[CardKind, ...], zone: str) -> Check:
    """Return the check that all cards of a kind in a zone share one genus.

    Cards of the kinds ``others`` with a different genus are reported as a warning.
    """

    def find(reading: CheckInput) -> Iterable[Violation]:
        entries = reading.deck.zone(zone)
        genera = {entry.genus for entry in entries}
        if len(genera) < 2 and "" not in genera:
            return ()
        agreed = agree(reading, {(entry.kind, entry.genus) for entry in entries})
        return () if agreed else faults(reading, entries)

    def faults(reading: CheckInput, entries: Sequence[DeckEntry]) -> Iterator[Violation]:
        ruling = [entry for entry in entries if reading.kind_of(entry.kind) is kind]
        genera: dict[str, DeckEntry] = {}
        for entry in ruling:
            if entry.genus:
                genera.setdefault(genus_key(entry.genus), entry)
            else:
                yield _no_genus_violation(zone, entry, kind)
        if len(genera) > 1:
            yield _mixed_genera_violation(zone, tuple(genera.values()), kind)
        elif genera:
            (own,) = genera
            for entry in entries:
                other = reading.kind_of(entry.kind) in others
                if other and entry.genus and genus_key(entry.genus) != own:
                    yield _other_genus_violation(zone, entry, genera[own], kind)

    def agree(reading: CheckInput, written: Iterable[tuple[str, str]]) -> bool:
        genera, named = set(), reading.format.kind_named
        for word, genus in written:
            known = named(word)
            if known is kind or (genus and known in others):
                genera.add(genus_key(genus))
        return len(genera) <= 1 and "" not in genera

    return Check(
        codes=("genus.mixed", "genus.unchecked", "genus.other"),
        find=find,
        about=(
            Sentence(
                "All %(kind)s must share one genus (for example %(genera)s).",
                {"kind": kind.label, "genera": GENERA},
            ),
        ),
    )


def _mixed_genera_violation(zone: str, firsts: tuple[DeckEntry, ...], kind: CardKind) -> Violation:
    return Violation(
        code="genus.mixed",
        sentence=Sentence(
            "%(zone)s: %(kind)s of several genera (%(genera)s). Use only one genus.",
            {
                "zone": zone_label(zone),
                "kind": kind.label,
                "genera": tuple(genus_label(entry.genus) for entry in firsts),
            },
        ),
        zone=zone,
        found=len(firsts),
        maximum=1,
        line=firsts[1].line,
    )


def _no_genus_violation(zone: str, entry: DeckEntry, kind: CardKind) -> Violation:
    sentence = Sentence(
        "“%(card)s” was not checked: its genus is missing. Write it after the type: "
        "{%(kind)s, %(example)s}.",
        {"card": entry.name, "kind": kind.label, "example": GENERA[0]},
    )
    return entry_violation("genus.unchecked", sentence, zone, entry)


def _other_genus_violation(
    zone: str, entry: DeckEntry, ruling: DeckEntry, kind: CardKind
) -> Violation:
    sentence = Sentence(
        "The genus of “%(card)s” is %(genus)s; that of your %(kind)s is %(own)s. This is allowed.",
        {
            "card": entry.name,
            "genus": genus_label(entry.genus),
            "kind": kind.label,
            "own": genus_label(ruling.genus),
        },
    )
    return entry_violation("genus.other", sentence, zone, entry)
