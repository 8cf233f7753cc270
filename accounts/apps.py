"""The app of people with an account."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """People who sign in."""

    name = "accounts"
    verbose_name = _("Accounts")
