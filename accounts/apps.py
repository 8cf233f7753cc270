"""Configuration of the app ``accounts``."""

from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """App configuration of accounts and sign-in."""

    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Let account mails be delivered, once the models are loaded."""
        import_module("accounts.account_mail")
