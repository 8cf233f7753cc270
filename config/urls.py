"""Root URL configuration."""

from django.contrib import admin
from django.urls import include, path

from accounts import views
from config import health, offline, pages, watching
from config.api_docs import api_docs
from config.apps import extension_urls
from config.schema import SchemaView

handler400 = "config.problems.bad_request"
handler403 = "config.problems.forbidden"
handler404 = "config.problems.not_found"
handler429 = "config.problems.too_many_requests"
handler500 = "config.problems.server_error"

urlpatterns = [
    path("health/live", health.liveness, name="health-live"),
    path("health/ready", health.readiness, name="health-ready"),
    path("health/version", health.version, name="health-version"),
    path("metrics", watching.metrics, name="metrics"),
    path("favicon.svg", pages.favicon, name="favicon"),
    path("favicon.ico", pages.favicon),
    path("sw.js", offline.service_worker, name="service-worker"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("offline/<slug:code>/", offline.offline_page, name="offline"),
    path("robots.txt", pages.robots, name="robots"),
    path("girone-ca.crt", pages.root_certificate, name="venue-authority"),
    path("privacy/", views.privacy, name="privacy"),
    path("help/", pages.help_index, name="help"),
    path("help/<slug:page>/", pages.help_page, name="help-page"),
    path("accessibility/", pages.accessibility, name="accessibility"),
    path("style/", pages.style_guide, name="style"),
    path("language/<slug:code>/", pages.set_language, name="language"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/second-factor/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", api_docs, name="api-docs"),
    path("api/docs/<slug:subject>/", api_docs, name="api-subject"),
    path("api/v1/", include("decks.api.formats")),
    path("api/v1/", include("tournaments.api_urls")),
    path("", include("decks.urls")),
    path("", include("tournaments.urls")),
    *extension_urls(),
]
