"""The app of events, from sign-up to the final table."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Watch the rows that the log tells of, begin chains, and know who may sign up.

        Events without a chain get one; who is invited to the staff of an event may make an
        account.
        """
        from accounts.invitations import KINDS
        from tournaments.chain.begin import begin_chains
        from tournaments.chain.columns import LEFT_OUT
        from tournaments.models.touched import watch
        from tournaments.services.invitations import ToTheStaff

        watch(self.get_model(name) for name in LEFT_OUT)
        post_migrate.connect(begin_chains, sender=self)
        KINDS.append(ToTheStaff())
