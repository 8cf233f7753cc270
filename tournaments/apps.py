"""The app of events, from sign-up to the final table."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Watch the rows that the log tells of, and begin the chains of events without one."""
        from tournaments.chain.begin import begin_chains
        from tournaments.chain.columns import LEFT_OUT
        from tournaments.models.touched import watch

        watch(self.get_model(name) for name in LEFT_OUT)
        post_migrate.connect(begin_chains, sender=self)
