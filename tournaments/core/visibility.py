"""Who may read whose decklist, and when: pages, files and endpoints ask here and nowhere else.

Safety notes, Who sees what. Its player, the judges and the organiser always read a list. In a
stage with open lists those who play in it read their opponents' (or everybody's in the stage)
from the moment its first pairings are published until it is closed. After the event everybody
reads the lists of those who played, once the organiser has published them.
"""

from dataclasses import dataclass

from django.db.models import Q

from tournaments.core.open_lists import Audience, audience_of
from tournaments.core.permissions import Actor, can_see_decks, is_staff
from tournaments.models import Entry, Event, Match, Round, Seat, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Whose lists of one event somebody may read.

    ``every`` is for judges and organisers; ``published`` says that the lists are out;
    ``entries`` are the keys of those whose list this reader may open. Who has no right though
    they ``belong`` is refused (403); for everybody else a hidden list is not there (404).
    """

    every: bool = False
    published: bool = False
    entries: frozenset[int] = frozenset()
    belongs: bool = False

    @property
    def whole(self) -> bool:
        """Say whether no list of those who played is hidden: files for everybody may hold them."""
        return self.every or self.published

    def reads(self, entry: Entry) -> bool:
        """Say whether the reader may open the list of an entry of the event."""
        return self.every or entry.pk in self.entries


EVERY_LIST = Sight(every=True)
"""What the organiser sees, for commands that only who runs the site can start."""


def can_see_decklist(actor: Actor, entry: Entry) -> bool:
    """Say whether the actor may read the list of an entry now; at most six queries."""
    return sight_of(actor, entry.event).reads(entry)


def sight_of(actor: Actor, event: Event) -> Sight:
    """Return whose lists the actor may read now; at most five queries however many there are."""
    if can_see_decks(actor, event):
        return EVERY_LIST
    own = actor.entry_in(event)
    mine = frozenset([own.pk]) if own else frozenset[int]()
    if lists_published(event):
        return Sight(published=True, entries=mine | who_played(event))
    opened = _opened_to(own, event)
    return Sight(
        entries=mine | (opened or frozenset()),
        belongs=opened is not None or is_staff(actor, event),
    )


def lists_published(event: Event) -> bool:
    """Say whether everybody may read the lists: the event is over, and they were published."""
    return event.state == Event.State.FINISHED and event.lists_published_at is not None


def leaders_shown(event: Event) -> bool:
    """Say whether everybody sees the players' Leaders: by the setting, once a round is out.

    At most one query.
    """
    return event.show_leaders and event.rounds.filter(state=Round.State.PUBLISHED).exists()


def who_played(event: Event) -> frozenset[int]:
    """Return the keys of the entries that had a seat; one query."""
    seated = Seat.objects.filter(stage__event=event, entry__isnull=False)
    return frozenset(key for key in seated.values_list("entry_id", flat=True) if key)


def _opened_to(own: Entry | None, event: Event) -> frozenset[int] | None:
    """Return whose lists the stage in progress opens to one of its players; None when closed."""
    if own is None or not own.plays or not event.open_lists or event.state != Event.State.RUNNING:
        return None
    published = Round.objects.filter(state=Round.State.PUBLISHED).values("stage")
    stage = event.stages.filter(state=Stage.State.OPEN, pk__in=published).first()
    whom = audience_of(event.open_lists, stage.key) if stage else Audience.NOBODY
    if stage is None or whom is Audience.NOBODY:
        return None
    seated = frozenset(stage.seats.values_list("entry_id", flat=True)) - {None}
    if own.pk not in seated:
        return frozenset()
    return seated if whom is Audience.ALL else _opponents(own, stage)


def _opponents(own: Entry, stage: Stage) -> frozenset[int]:
    pairs = Match.objects.filter(
        Q(a=own) | Q(b=own), round__stage=stage, round__state=Round.State.PUBLISHED
    ).values_list("a_id", "b_id")
    return frozenset(key for pair in pairs for key in pair if key) - {own.pk}
