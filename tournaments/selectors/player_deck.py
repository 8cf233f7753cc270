"""A player's list as the player sees it: what was handed in, the draft, and until when."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from decks.decklists.selectors import DecklistRow, decklist_row
from tournaments.models import DeckDraft, Entry, Event
from tournaments.personal.selectors.player import submission_of
from tournaments.selectors.deck_locks import DeckWindow, deck_window
from tournaments.selectors.deck_versions import VersionRow, version_row


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDeck:
    """The state of a list in words, its receipt, and the text to go on with.

    ``versions`` counts how many were handed in. ``text`` is the draft, else what was handed
    in last.
    """

    window: DeckWindow
    state: str
    tone: str
    receipt: VersionRow | None
    decklist: DecklistRow | None
    draft: DeckDraft | None
    versions: int
    text: str

    @property
    def expected(self) -> int:
        """Return the key of the list that counts; 0 for none."""
        return self.receipt.submission.pk if self.receipt else 0


def player_deck(event: Event, entry: Entry, *, own: bool = True) -> PlayerDeck:
    """Return the list of an entry; three queries. The draft is for the player's ``own`` page."""
    submission = submission_of(entry)
    entry.submission = submission
    draft = DeckDraft.objects.filter(entry=entry).first() if own else None
    numbers = list(entry.submissions.order_by("pk").values_list("pk", flat=True))
    at = numbers.index(submission.pk) + 1 if submission else 0
    window = deck_window(event, entry)
    written = submission.decklist.raw or submission.decklist.text if submission else ""
    state, tone = _state(window, handed_in=submission is not None, begun=draft is not None)
    return PlayerDeck(
        window=window,
        state=state,
        tone=tone,
        receipt=version_row(entry, submission, at) if submission else None,
        decklist=decklist_row(submission.decklist) if submission else None,
        draft=draft,
        versions=len(numbers),
        text=draft.text if draft and window.open else written,
    )


def _state(window: DeckWindow, *, handed_in: bool, begun: bool) -> tuple[str, str]:
    if not window.open:
        return (_("Locked"), "neutral") if handed_in else (_("Locked, nothing handed in"), "warn")
    if begun:
        words = _("Handed in; a newer draft waits") if handed_in else _("Draft, not handed in")
        return words, "warn"
    if handed_in:
        return _("Handed in, can be changed"), "good"
    return _("Not handed in"), "warn"
