"""The head of every page of an event, the look of its game, its tabs, the acts that move it on,
undo and redo the last or make the next event of a chain, warnings, and what a link to the page
shows where it is shared.
"""

from functools import lru_cache
from typing import Any

from django import template
from django.http import HttpRequest
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.looks import emblem_svg
from config.markdown import render_markdown
from config.wording import format_moment
from decks.formats.selectors import format_labels
from decks.labels import find_format_emblem
from rules.deckbuilding.formats import FormatEmblem
from rules.stages import STAGE_KINDS
from tournaments.core.clocks import clock_display
from tournaments.core.facts_cache import facts_if_cached, read_facts
from tournaments.core.labels import round_label
from tournaments.core.permissions import (
    Actor,
    can_create_events,
    can_enter_results,
    can_judge,
    can_manage,
    can_see_decks,
    is_staff,
)
from tournaments.core.replays import matches_at_current_tables
from tournaments.core.visibility import are_lists_public
from tournaments.events.selectors.events import (
    player_count,
    setup_summary,
    state_badge,
    table_clashes,
)
from tournaments.log_page.selectors import line_subject
from tournaments.models import Event, LogLine, Match, Round
from tournaments.pages.access import find_actor
from tournaments.plan_changes.selectors import plan_changes_text
from tournaments.prizes.selectors import has_prizes
from tournaments.prospects.selectors import may_see_prospects
from tournaments.repeats.selectors import (
    RegularRow,
    can_repeat,
    event_to_repeat,
    next_event,
    regular_rows,
)
from tournaments.series.selectors import series_of_event
from tournaments.sharing.views import picture_path
from tournaments.starting.selectors import start_words
from tournaments.undo.selectors import (
    author_name,
    is_undoable_at_desk,
    logged_action_key,
    logged_action_label,
    next_undo_and_redo,
    undo_question,
)

register = template.Library()
register.simple_tag(plan_changes_text, name="plan_changed")
register.simple_tag(start_words)
register.filter("markdown", render_markdown)
register.filter("look_of", find_format_emblem)


@register.filter(name="look")
def event_look(event: Event) -> FormatEmblem:
    """Template filter: the colours and emblem of an event's game."""
    return find_format_emblem(event.format_key)


@register.simple_tag
@lru_cache(maxsize=64)
def emblem_box(look: FormatEmblem, small: bool = False) -> SafeString:
    """Template tag: a game's emblem in a rounded square, hidden from screen readers."""
    size = "small " if small else ""
    emblem = emblem_svg(look.emblem)
    return format_html('<span class="emblem-box {}g-{}">{}</span>', size, look.palette, emblem)


@register.filter(name="has_bar")
def has_narrow_header(event: Event, request: HttpRequest) -> bool:
    """Template filter: whether a public page of the event has the narrow header.

    The overview has the large one; so have the final standings of a finished event.
    """
    here = getattr(request.resolver_match, "url_name", "")
    over = event.state == Event.State.FINISHED and "after" not in request.GET
    return not (here == "event" or (over and here == "standings"))


@register.inclusion_tag("tournaments/_event_hero.html", takes_context=True)
def event_hero(context: Context) -> dict[str, Any]:
    """Template tag: the large header of the event's overview, in the colours of its game.

    Before the start with places and registration, at the end with the top three; with links to its
    series. At most four queries without an ``actor`` in the context; one more before the start
    (players), for an organiser's format, and for staff of a finished event (*Repeat*).
    """
    event = context["event"]
    state, _tone = state_badge(event)
    over = event.state == Event.State.FINISHED
    actor = _actor(context, event)
    coming = context.get("registration") is not None
    return _head(context, event, actor) | {
        "repeats": over and actor.user is not None,
        "game_words": format_labels([event.format])[event.format],
        "state": state,
        "coming": coming,
        "playing": event.state == Event.State.RUNNING,
        "own": actor.entry_in(event) if coming else None,
        **{key: context.get(key) for key in COMING if coming},
        "final": context.get("final") if over else None,
        "links": _links(actor, event),
        "series": () if event.state == Event.State.DRAFT else event.series.all(),
        "opens": event.state == Event.State.DRAFT and can_manage(actor, event),
    }


@register.inclusion_tag("tournaments/_event_bar.html", takes_context=True)
def event_bar(context: Context) -> dict[str, Any]:
    """Template tag: the narrow header of a public page: event, tabs and the reader's pages.

    The same queries as ``event_hero``.
    """
    request, event = context["request"], context["event"]
    actor = _actor(context, event)
    return _head(context, event, actor) | {
        "staff": is_staff(actor, event),
        "live": event.state == Event.State.RUNNING,
        "user": getattr(request, "user", None),
        "fragment": context.get("fragment"),
        "facts": context.get("facts"),
    }


def _head(context: Context, event: Event, actor: Actor) -> dict[str, Any]:
    """Return what both heads of a public page show."""
    request, players = context["request"], player_count(event)
    tabs = _tabs_of(event, getattr(request.resolver_match, "url_name", ""))
    menu = [(*tab, at < MOST_TABS) for at, (_name, *tab) in enumerate(tabs) if at >= MOST_ON_PHONES]
    return {
        "event": event,
        "request": request,
        "actor": actor,
        "look": find_format_emblem(event.format_key),
        "players": players,
        "tabs": [(*tab, players if name == "players" else None) for name, *tab in tabs[:MOST_TABS]],
        "menu": menu,
        "all_shown": len(tabs) <= MOST_TABS,
    }


@register.inclusion_tag("tournaments/_bar_now.html", takes_context=True, name="bar_now")
def current_round_bar(context: Context) -> dict[str, Any]:
    """Template tag: round, open tables and timer in the narrow header.

    Empty unless a round is published and the page has that header. It is part of the polled
    fragment. No query if the event's facts are cached.
    """
    request, event = context["request"], context["event"]
    if event.state != Event.State.RUNNING or not has_narrow_header(event, request):
        return {}
    facts = context.get("facts") or read_facts(event)
    found = facts.latest_published
    if found is None:
        return {}
    stage, item = found
    open_yet = (match.state != Match.State.FINAL for match in matches_at_current_tables(stage))
    return {
        "event": event,
        "where": round_label(stage, item),
        "missing": sum(open_yet),
        "clock": clock_display(stage, item),
    }


COMING = ("registration", "seats", "in_days", "user", "csrf_token")
"""What the head of an event to come shows of its page."""
MOST_TABS, MOST_ON_PHONES = 5, 4
"""Tabs of an event in one row; the others stand in a menu."""
TABS_OF = {
    "more": (
        *("manage-staff", "manage-token", "manage-decklists", "manage-files", "manage-snapshot"),
        *("manage-mail", "manage-invitation", "log"),
    ),
    "manage-players": (
        *("manage-player", "manage-links", "manage-apart", "manage-seeds", "manage-start"),
        *("arrivals", "erasing"),
    ),
    "floor": ("floor", "check", "penalties", "rulings"),
    "manage-settings": ("manage-",),
    "sheets": ("sheets",),
    "standings": ("standings",),
}
"""Beginnings of the names of the pages that a tab of the staff stands for; else the desk's."""


@register.inclusion_tag("tournaments/_staff_head.html", takes_context=True)
def staff_head(context: Context) -> dict[str, Any]:
    """Template tag: the header of the staff's pages: menu, tabs, screen and print.

    Uses ``event``, ``actor`` and ``calls`` of the context. Without ``actor`` the same queries as
    ``event_hero``.
    """
    request, event = context["request"], context["event"]
    actor = _actor(context, event)
    state, tone = state_badge(event)
    here = getattr(request.resolver_match, "url_name", "")
    judges = event.plan is not None and can_judge(actor, event)
    current, calls = _tab_of(here), len(context.get("calls") or ())
    manages = can_manage(actor, event)
    return {
        "event": event,
        "state": state,
        "tone": tone,
        "tabs": [
            (label, _url(name, event), current == name, calls if name == "floor" else 0)
            for shown, label, name in (
                (True, _("Desk"), "desk"),
                (True, _("Players"), "manage-players"),
                (judges, _("Judges"), "floor"),
                (event.plan is not None, _("Standings"), "standings"),
                (manages, _("Settings"), "manage-settings"),
            )
            if shown
        ],
        "more": _more(event, actor, here, manages=manages)
        + (_series(event) if current in ("more", "manage-settings") else []),
        "in_more": current == "more",
        "pages": [tab for _name, *tab in _tabs_of(event, here)],
        "judging": _judging(event) if judges else None,
        "own": _url("me", event) if actor.entry_in(event) is not None else "",
        "makes_events": can_create_events(actor),
        "repeats": event.plan is not None and can_repeat(actor, event),
        "user": getattr(request, "user", None),
        "request": request,
    }


def _more(
    event: Event, actor: Actor, here: str, *, manages: bool
) -> list[tuple[str, str, str, bool]]:
    """Return (label, address, icon, current) of the pages of the staff that have no tab."""
    lists = event.decklists != Event.Decklists.OFF and can_see_decks(actor, event)
    return [
        (label, _url(name, event), icon, name == here)
        for shown, label, name, icon in (
            (manages, _("Staff"), "manage-staff", "users"),
            (lists, _("Decklists"), "manage-decklists", "scroll-text"),
            (manages, _("Log"), "log", "history"),
            (True, _("Files and backups"), "manage-files", "download"),
            (True, _("Check this event"), "record", "shield-check"),
        )
        if shown
    ]


def _series(event: Event) -> list[tuple[str, str, str, bool]]:
    """Return (name, address, icon, False) of the series of an event; one query."""
    return [
        (name, reverse("tournaments:series", args=[slug]), "trophy", False)
        for slug, name in series_of_event(event).items()
    ]


def _tab_of(here: str) -> str:
    """Return the tab of the staff that a page, named as its address, belongs to."""
    return next(
        (tab for tab, names in TABS_OF.items() if here.startswith(names)), "desk" if here else ""
    )


def _judging(event: Event) -> tuple[str, str]:
    """Return label and address of the page on which decks are checked, or penalties listed."""
    if event.decklists == Event.Decklists.OFF:
        return _("Penalties"), _url("penalties", event)
    return _("Deck checks"), _url("checks", event)


@register.filter(name="prospects_visible_to")
def actor_may_see_prospects(event: Event, actor: Actor) -> bool:
    """Template filter: whether the actor may see the event's prospects; at most one query."""
    return may_see_prospects(actor, event)


@register.filter(name="staffed_by")
def actor_is_staff(event: Event, actor: Actor) -> bool:
    """Template filter: whether the actor is staff of the event."""
    return is_staff(actor, event)


@register.filter(name="organised_by")
def actor_is_organiser(event: Event, actor: Actor) -> bool:
    """Template filter: whether the actor is an organiser of the event."""
    return can_manage(actor, event)


def _links(actor: Actor, event: Event) -> list[tuple[str, str, str]]:
    """Return (label, address, icon) of the reader's own pages."""
    judges = event.plan is not None and can_judge(actor, event)
    lists = event.decklists != Event.Decklists.OFF
    return [
        (label, _url(name, event), icon)
        for allowed, label, name, icon in (
            (actor.entry_in(event) is not None, _("My page"), "me", "user"),
            (can_enter_results(actor, event), _("Desk"), "desk", "clipboard-list"),
            (judges, _("Judges"), "floor", "layout-grid"),
            (can_enter_results(actor, event), _("Screen"), "screen", "monitor"),
            (can_enter_results(actor, event), _("Print"), "sheets", "printer"),
            (judges and lists, _("Deck checks"), "checks", "search-check"),
            (judges and not lists, _("Penalties"), "penalties", "gavel"),
            (can_manage(actor, event), _("Settings"), "manage-settings", "settings"),
        )
        if allowed
    ]


UNDER = {
    "formula": "rules",
    "record": "rules",
    "decklist": "decklists",
    "register": "event",
    "player": "players",
    "prospects": "standings",
}
"""Pages without a tab of their own, and the tab that leads to them."""


def _tabs_of(event: Event, here: str) -> list[tuple[str, str, str, bool]]:
    """Return (name, label, address, current) of the tabs that hold something."""
    started, here = event.plan is not None, UNDER.get(here, here)
    finished = event.state == Event.State.FINISHED
    if finished and here == "event":
        here = "standings"
    overview = _("Now") if event.state == Event.State.RUNNING else _("Overview")
    every = (
        (not finished, overview, "event"),
        (finished, _("Standings"), "standings"),
        (started, _("Pairings"), "pairings"),
        (has_bracket(event), _("Bracket"), "bracket"),
        (started and not finished, _("Standings"), "standings"),
        (are_lists_public(event), pgettext("a tab", "Lists"), "decklists"),
        (True, _("Players"), "players"),
        (are_lists_public(event), _("Statistics"), "played"),
        (True, _("Rules"), "rules"),
        (has_prizes(event), _("Prizes"), "prizes"),
    )
    return [(name, label, _url(name, event), name == here) for shown, label, name in every if shown]


def has_bracket(event: Event) -> bool:
    """Return whether the event has a bracket that has begun; at most one query.

    No query if its first stage is a bracket, it is finished, or its facts are cached.
    """
    stages = event.plan["stages"] if event.plan else ()
    numbers = [
        number
        for number, stage in enumerate(stages, start=1)
        if STAGE_KINDS.get(stage["kind"]).has_bracket
    ]
    if not numbers or numbers[0] == 1 or event.state == Event.State.FINISHED:
        return bool(numbers)
    if facts := facts_if_cached(event):
        return any(stage.rounds for stage in facts.stages if stage.kind.has_bracket)
    published = event.rounds.filter(state=Round.State.PUBLISHED, stage__number__in=numbers)
    return published.exists()


def _url(name: str, event: Event) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug])


SUBJECTS = {"standings": "standings"}


@register.inclusion_tag("tournaments/sharing/_head.html", takes_context=True)
def sharing_head(context: Context) -> dict[str, Any]:
    """Template tag: meta tags for sharing an event's page: title, text and picture.

    They describe the event, its standings or a player. URLs are absolute; the picture's contains
    the event's version. No query.
    """
    request, event = context["request"], context["event"]
    here = request.resolver_match
    name = getattr(here, "url_name", "")
    subject, title = SUBJECTS.get(name, "event"), event.name
    if subject == "standings":
        title = " – ".join((_("Standings"), event.name))
    shown = context.get("shown")
    if name == "player" and shown is not None:
        subject = f"player-{here.kwargs['number']}"
        title = f"{shown['entry'].name} – {event.name}"
    path = reverse(here.view_name, args=here.args, kwargs=here.kwargs)
    return {
        "title": title,
        "about": _event_in_words(event),
        "address": request.build_absolute_uri(path),
        "picture": request.build_absolute_uri(picture_path(event, subject)),
    }


def _event_in_words(event: Event) -> str:
    local = event.starts_at.astimezone(event.zone)
    return " · ".join(
        filter(None, (state_badge(event)[0], format_moment(local, "all"), event.venue))
    )


register.filter("subject", line_subject)
register.filter("act", logged_action_label)
register.filter("asks", undo_question)


@register.filter(name="asks_again")
def redo_question(line: LogLine) -> str:
    """Template filter: the question that confirms redoing the action of an undone log line."""
    return undo_question(line, again=True)


@register.inclusion_tag("tournaments/undo/_undo.html", takes_context=True, name="undo_offer")
def undo_buttons(
    context: Context, always: bool = False, back: str = "", only: str = ""
) -> dict[str, Any]:
    """Template tag: undo and redo buttons for organisers, beside a success message.

    always: render them without a message too, for actions of play (the desk); actions of other
    staff get a link to the log. only: key of an act, rendered only if it was the last one. back:
    URL to return to, by default the current page. No query if nothing is rendered, else one, and
    the actor's.
    """
    event = context["event"]
    if not always and not len(context.get("messages") or ()):
        return {}
    actor = _actor(context, event)
    if not can_manage(actor, event):
        return {}
    act, again = next_undo_and_redo(event, of_play=always)
    newest = act is not None and act.line.number == event.version
    if only and (act is None or not newest or logged_action_key(act.line) != only):
        return {}
    last = act if act and (always or act.why_not is None) else None
    line = last.line if last else None
    return {
        "event": event,
        "last": last,
        "what": logged_action_label(line) if line else "",
        "who": author_name(line) if line else "",
        "in_log": last is not None and always and not is_undoable_at_desk(last, actor),
        "asks": undo_question(line) if line else "",
        "asks_again": undo_question(again, again=True) if again else "",
        "again": again,
        "again_what": logged_action_label(again) if again else "",
        "back": back or context["request"].path,
    } | _request(context)


def _actor(context: Context, event: Event | None = None) -> Actor:
    return context.get("actor") or find_actor(context["request"], event)


@register.inclusion_tag("tournaments/repeats/_repeat.html", takes_context=True)
def repeat_button(context: Context, event: Event, small: bool = False) -> dict[str, Any]:
    """Template tag: the button *Repeat*, or a link to the next event of the chain.

    Empty without the right. One query for signed-in readers, and those of the actor's rights.
    """
    actor = _actor(context, event)
    found = next_event(event, actor)
    shown = found is not None or can_repeat(actor, event)
    return {"event": event, "next": found, "shown": shown, "small": small} | _request(context)


@register.inclusion_tag("tournaments/repeats/_last.html", takes_context=True)
def repeat_last(context: Context) -> dict[str, Any]:
    """Template tag: the button *Repeat* for the reader's last event; empty without one.

    Two queries.
    """
    last = event_to_repeat(_actor(context))
    day = format_moment(last.begins, "month") if last else ""
    return {"last": last, "day": day} | _request(context)


@register.inclusion_tag(
    "tournaments/repeats/_regulars.html", takes_context=True, name="regulars_offer"
)
def add_regulars(context: Context, event: Event, back: str) -> dict[str, Any]:
    """Template tag: regular players that the staff can add before the start, if any.

    back: URL name of the page to return to.
    """
    actor = _actor(context, event)
    rows: tuple[RegularRow, ...] = ()
    if event.plan is None and can_manage(actor, event):
        rows = regular_rows(event, actor)
    expected = sum(row.comes for row in rows)
    return {"event": event, "rows": rows, "expected": expected, "back": back} | _request(context)


def _request(context: Context) -> dict[str, Any]:
    return {"request": context["request"], "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("tournaments/events/_table_clashes.html", takes_context=True)
def table_warning(context: Context) -> dict[str, Any]:
    """Template tag: warning about events at the same time and place with the same tables."""
    event = context["event"]
    actor = _actor(context, event)
    found, may_move = table_clashes(event, actor), can_manage(actor, event)
    return {"event": event, "found": found, "may_move": may_move} | _request(context)


@register.inclusion_tag("tournaments/events/_next_acts.html", takes_context=True)
def next_acts(context: Context, event: Event) -> dict[str, Any]:
    """Template tag: the event's next step, check-in and other actions; at most 4 queries."""
    actor = _actor(context, event)
    manages = can_manage(actor, event)
    return _request(context) | {
        "event": event,
        "actor": actor,
        "manages": manages,
        "setup": setup_summary(event),
        "remaining": event.remaining_mentions.count() if manages else 0,
    }
