"""A bare Django view that says hello, behind the middleware of ``startproject``: the yardstick."""

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

settings.configure(
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="of-a-page-without-secrets-0123456789-0123456789",  # noqa: S106
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes"],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    DATABASES={},
    USE_TZ=True,
    SITE_ADDRESS="",
    ALIVE_FILE="/dev/null/alive",  # nobody asks when it ran, and nothing can be written there
)


def hello(_request: HttpRequest) -> HttpResponse:
    """Return a trivial response."""
    return HttpResponse("hello", content_type="text/plain")


urlpatterns = [path("hello", hello)]
application = get_wsgi_application()
