"""The site's addresses as HTTPS and a domain make them: those of passkeys are among them."""

from django.urls import include, path

from config.urls import (  # noqa: F401 (Django finds the handlers here)
    handler400,
    handler403,
    handler404,
    handler429,
    handler500,
)
from config.urls import urlpatterns as usual

urlpatterns = [
    path("accounts/second-factor/webauthn/", include("allauth.mfa.webauthn.urls")),
    *usual,
]
