"""Create demo events.

Source: contracts, Commands: ``demo [--players N] [--formula SLUG] [--play]``.
"""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from tournaments.core.formulas import is_saved_formula, saved_formula
from tournaments.core.permissions import Actor
from tournaments.demo import (
    EventSimulation,
    create_demo_site,
    demo_accounts,
    demo_organiser,
    lock_demo_accounts,
)
from tournaments.events.services import change_event_state, create_event
from tournaments.management import rule_errors_as_not_done
from tournaments.models import Event


class Command(BaseCommand):
    """Command that creates one event with invented players, or a site of several."""

    help = "Makes an event with invented players and legal decks; the same seed, the same event."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the size, the rules and the seed."""
        parser.add_argument("--players", type=int, default=12, help="how many players (12)")
        parser.add_argument("--formula", default="mutant-chronicles", help="the formula's slug")
        parser.add_argument("--format", default="doomtrooper-original", help="the deck format")
        parser.add_argument("--play", action="store_true", help="play it to the end")
        parser.add_argument("--seed", default="demo", help="what chance comes from (demo)")
        parser.add_argument(
            "--site",
            action="store_true",
            help="accounts, and an event at each point of its life; nothing the second time",
        )
        parser.add_argument(
            "--close",
            action="store_true",
            help="locks the demo's accounts whose password everybody knows; makes nothing",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Create the events and print their addresses."""
        with rule_errors_as_not_done():
            if options["close"]:
                self._close()
            elif options["site"]:
                self._site()
            else:
                self._event(options)

    @transaction.atomic
    def _event(self, options: dict[str, Any]) -> None:
        formula = options["formula"]
        owner = saved_formula(formula).owner if is_saved_formula(formula) else demo_organiser()
        by = Actor(user=owner)
        event = create_event(
            values={
                "name": f"Demo {options['seed']}"[:120],
                "starts_at": timezone.now() + timedelta(days=7),
                "format": options["format"],
                "formula": options["formula"],
            },
            by=by,
        )
        event = change_event_state(event=event, action="open_registration", by=by)
        play = EventSimulation(event, by, options["seed"])
        play.fill(options["players"])
        if options["play"]:
            play.start()
            play.to_the_end()
        self.stdout.write(f"{event.slug}\t{_address(event)}")

    def _close(self) -> None:
        for email in lock_demo_accounts():
            self.stdout.write(f"{email} is locked: its password is known.")

    def _site(self) -> None:
        with transaction.atomic():
            accounts, events = demo_accounts(), create_demo_site()
        for email, role, password in accounts:
            told = password or "(password as printed the first time)"
            self.stdout.write(f"{email}\t{told}\t{role}")
        if not events:
            self.stdout.write("The demo is there already: nothing was changed.")
        for shown in events:
            self.stdout.write(f"{_address(shown.event)}\t{shown.event.name}\t{shown.point}")
            for name, token in shown.links:
                self.stdout.write(f"{reverse('tournaments:open-link', args=[token])}\t{name}")


def _address(event: Event) -> str:
    return reverse("tournaments:event", args=[event.slug])
