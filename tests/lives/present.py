"""The present state of an event, and requests that somebody may make of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from tournaments.core.event_state import EventFacts, load_facts
from tournaments.models import Event, Match

T = TypeVar("T")


class Chooser(Protocol):
    """Chooses one of several: by chance, or as Hypothesis draws."""

    def __call__(self, several: Sequence[T], /) -> T:
        """Return one of them, of which there is at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request: user, method, path and data; ``form`` for a page, else JSON for the API."""

    act: str
    user: int
    method: str
    path: str
    body: Mapping[str, Any] = field(default_factory=dict)
    form: bool = False


Act = Callable[..., Ask | None]


class Now:
    """The present state of the event, from which acts choose."""

    def __init__(self, slug: str, choose: Chooser) -> None:
        self.event = Event.objects.select_related("created_by").get(slug=slug)
        self.choose = choose
        self.facts: EventFacts = load_facts(self.event)
        self.organiser: int = self.event.created_by_id or 0

    @property
    def stage(self) -> int:
        """Return the number of the open stage, or of the last one."""
        current = self.facts.open_stage
        return current.stage.number if current else len(self.facts.stages)

    def matches(self, *states: str) -> list[Match]:
        """Return the matches of two players and more in one of these states."""
        every = Match.objects.filter(round__event=self.event, match_seats__number=2)
        found = every.select_related("round__event", "group__stage")
        return list(found.filter(state__in=states).order_by("pk"))

    def one(self, several: Sequence[Any]) -> Any:
        """Return one of several, None if there are none."""
        return self.choose(several) if several else None

    def api(self, act: str, method: str, path: str, **body: Any) -> Ask:
        """Return an API call by the organiser's program."""
        address = f"/api/v1/events/{self.event.slug}/{path}"
        return Ask(act=act, user=self.organiser, method=method, path=address, body=body)

    def page(self, act: str, path: str, user: int | None = None, **fields: Any) -> Ask:
        """Return a form submitted from a page."""
        address = f"/events/{self.event.slug}/{path}"
        sent = {
            key: value if isinstance(value, list) else str(value) for key, value in fields.items()
        }
        asks = self.organiser if user is None else user
        return Ask(act=act, user=asks, method="post", path=address, body=sent, form=True)

    def service(self, act: str, **body: Any) -> Ask:
        """Return a call of a service that has no URL yet."""
        return Ask(act=act, user=self.organiser, method="service", path=self.event.slug, body=body)

    def numbers(self, match: Match) -> list[int]:
        """Return the numbers of a match's players."""
        return [self.facts.numbers[key] for key in match.seats]
