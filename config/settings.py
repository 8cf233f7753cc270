"""All settings, by topic. Values that depend on the machine are read through ``config.env``.

Without any environment variable this is a development set-up on the local machine. Every
variable is listed in ``.env.example``; the file ``.env`` of the data folder sets them for
the site and for every command.
"""

from collections.abc import Sequence
from ipaddress import ip_address

from csp.constants import NONE, SELF

from config import env, logs, sheets
from config.data_folder import PROGRAM, data_folder

BASE_DIR = PROGRAM
DATA = data_folder()
env.ensure_folder(DATA, "GIRONE_DATA")
ENV_FILE = env.environment_file(DATA)
env.load_file(ENV_FILE)
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")

# --- Where it runs -----------------------------------------------------------------------
DEBUG = env.boolean("DEBUG", default=True)
HTTPS = env.boolean("HTTPS", default=False)
ALLOWED_HOSTS = env.comma_separated_values("ALLOWED_HOSTS", THIS_MACHINE)
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
TRUSTED_PROXIES = env.number("TRUSTED_PROXIES", 0)
PORT = env.number("PORT", 8000)  # of `make run`
LISTEN = env.text("LISTEN", f"127.0.0.1:{PORT}")
# A hall served from a laptop (``config.venue``): others reach it by an address that the laptop
# itself does not use, and often on plain HTTP.
SITE_ADDRESS = "".join(env.origins("SITE_ADDRESS")[:1]).rstrip("/")
VENUE_AUTHORITY = env.text("VENUE_AUTHORITY")
# Where the sheets of each published round are written, for events whose organisers switch that on.
PAPER_FOLDER = env.text("PAPER_FOLDER")
THREADS = env.number("THREADS", 8, minimum=2)  # of each process of the server
# Nobody else reaches the site: it may make its own key, and the demo has known passwords.
ONLY_HERE = DEBUG or set(ALLOWED_HOSTS) <= set(THIS_MACHINE)
MAY_CREATE = ONLY_HERE or env.boolean("LAN", default=False)
SECRET_KEY = env.secret_key("SECRET_KEY", kept_in=DATA / ".secret-key", may_create=MAY_CREATE)
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

# --- Apps --------------------------------------------------------------------------------
INSTALLED_APPS = [
    "config",
    "accounts",
    "decks",
    "tournaments",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.apps.SiteStaticFilesConfig",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "lucide",
    "rest_framework",
    "knox",
    "drf_spectacular",
]
EXTENSIONS = env.comma_separated_values("EXTENSIONS")
MIDDLEWARE = [
    "config.middleware.request_id_middleware",
    "config.middleware.record_route_middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.NoStoreMiddleware",  # outside: what views mark themselves is not compressed
    "config.static_files.CompressionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.middleware.SlashMiddleware",
    "config.sizes.BodyLimitMiddleware",  # before the first who reads a form
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tournaments.staff.second_factor.SecondFactorMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.ApiETagMiddleware",
    "config.middleware.RuleErrorMiddleware",
    "tournaments.public.storage.DamagedEventMiddleware",  # asked before them
    "decks.stored_formats.format_cache_middleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "config.ui",
                "config.sheets",
                "django.templatetags.i18n",
                "django.templatetags.static",
                "decks.templatetags.lists",
                "tournaments.templatetags.table_rows",
                "tournaments.templatetags.event_head",
                "tournaments.templatetags.people",
                "tournaments.templatetags.series_head",
                "tournaments.templatetags.series_rows",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# --- Database ----------------------------------------------------------------------------
# Writers queue for at most 20 s instead of failing, and an acknowledged write survives a
# pulled plug. config.checks refuses any other way of running SQLite.
DATABASES = {"default": env.database("DATABASE_URL", DATA / "db.sqlite3")}
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
SQLITE = str(DATABASES["default"]["ENGINE"]).endswith("sqlite3")
if SQLITE:
    DATABASES["default"]["ENGINE"] = "config.databases.sqlite3"
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA cache_size=-20000;",
    }
else:
    waits = {"connect_timeout": 5, "options": "-c lock_timeout=20s"}
    DATABASES["default"]["OPTIONS"] = waits | dict(DATABASES["default"].get("OPTIONS", {}))  # type: ignore[call-overload]
_beside = str(DATABASES["default"]["NAME"]) if SQLITE else str(DATA / "postgresql")
# Who was erased is kept outside the database too, as a restored backup is older than that.
ERASURES_FILE = env.text("ERASURES_FILE", str(DATA / "erasures.jsonl"))
ALIVE_FILE = f"{_beside}.alive"  # config.alive
OUTBOX_FILE = f"{_beside}.outbox"  # accounts.outbox
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = env.caches("CACHE_URL", folder=f"{_beside}.pages")
CACHES_OFF = env.choices("CACHES_OFF", ("facts", "values"))  # docs/caches.md
FINISHED_PAGES = env.boolean("FINISHED_PAGES", default=not DEBUG)
FRONT = "tournaments.public.page_cache.wrap_in_page_cache"

# --- People ------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "accounts.forms.PasswordLengthValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "django.contrib.auth.password_validation.NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.forms.NameForm"
ACCOUNT_FORMS = {"login": "accounts.sign_in.SignInForm", "signup": "accounts.sign_in.SignUpForm"}
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
# A hall full of people shares one address: limits by address are wide. Keys hold who asks
# (accounts.devices): nobody locks out another, nor a device on which an account has signed in.
ACCOUNT_RATE_LIMITS = {
    "login": "",  # "passwords" counts each password that is tried, by who asks
    "passwords": "600/m/key",
    "login_failed": "10/5m/key",  # by account and who asks
    "signup": "600/m/ip",
    "signup_taken": "20/10m/ip",  # answers that an address is taken, where no mail is set up
    "reset_password": "",  # accounts.mail counts mails
    "reset_password_from_key": "600/m/ip",
}

# --- Mail --------------------------------------------------------------------------------
globals().update(env.mail("EMAIL_URL"))
# With mail an address is verified before use, so that sign-up responds the same whether it has an
# account or not; a venue often has no mail.
SENDS_MAIL = bool(env.text("EMAIL_URL"))
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SENDS_MAIL else "none"
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_EMAIL_NOTIFICATIONS = SENDS_MAIL  # of changed passwords and addresses
ACCOUNT_CHANGE_EMAIL = True  # one address; a new one replaces it once verified
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Girone: "
PASSWORD_RESET_TIMEOUT = 3600
# Without mail an open sign-up must say that an address is taken, which invitations keep from
# strangers.
SIGN_UP = env.choice("SIGN_UP", "open", ("open", "invitation"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Girone <girone@localhost>")

# --- Ceilings ----------------------------------------------------------------------------
# How much one account may hold (accounts.ceilings); programs made by `api_token --create` and the
# site's staff have no ceiling.
CEILINGS = {
    "events": env.number("CEILING_EVENTS", 200),
    "events_an_hour": env.number("CEILING_EVENTS_AN_HOUR", 30),
    "restores_a_day": env.number("CEILING_RESTORES_A_DAY", 5),
    "formats": env.number("CEILING_FORMATS", 50),
    "catalogues": env.number("CEILING_CATALOGUES", 20),
    "megabytes": env.number("CEILING_MEGABYTES", 200),
}

# --- Second factor -----------------------------------------------------------------------
SECOND_FACTOR = env.choice("SECOND_FACTOR", "offered", ("offered", "demanded"))
MFA_ADAPTER = "accounts.second_factor.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "accounts.second_factor.SecondFactorForm",
    "reauthenticate": "accounts.second_factor.ConfirmIdentityForm",
    "activate_totp": "accounts.second_factor.ActivateAuthenticatorForm",
    "add_webauthn": "accounts.second_factor.AddPasskeyForm",
    "edit_webauthn": "accounts.second_factor.RenamePasskeyForm",
}
# Without mail no address is ever verified; with mail nobody signs in before theirs is. A lost
# second factor is removed by `manage.py remove_second_factor`.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1  # steps of 30 s either way: clocks in a hall may be off
MFA_RATE_LIMITS = {"webauthn_login": "200/m/ip"}


def authenticator_types(https: bool, hosts: Sequence[str]) -> list[str]:
    """Return allauth's authenticator types: codes, and passkeys if the site can use them.

    Passkeys need HTTPS and a domain name. hosts: ``ALLOWED_HOSTS``.
    """
    usual = ["totp", "recovery_codes"]
    return [*usual, "webauthn"] if https and any(map(is_domain, hosts)) else usual


def is_domain(host: str) -> bool:
    """Return whether a host is a domain name with a dot, not an IP address."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return "." in host.strip(".")
    return False


MFA_SUPPORTED_TYPES = authenticator_types(HTTPS, ALLOWED_HOSTS)
MFA_PASSKEY_LOGIN_ENABLED = "webauthn" in MFA_SUPPORTED_TYPES

# --- Language and time -------------------------------------------------------------------
LANGUAGE_CODE = "it"
LANGUAGES = [("it", "Italiano"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.time_zone("TIME_ZONE", "Europe/Rome")
USE_TZ = True

# --- Sessions and cookies ----------------------------------------------------------------
SESSION_COOKIE_AGE = 14 * 24 * 3600  # an event and the week around it, without signing in anew
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "config.problems.csrf_failure"
if HTTPS:
    SESSION_COOKIE_NAME = "__Host-girone"
    CSRF_COOKIE_NAME = "__Host-csrf"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    # A promise that browsers keep for so long, for other sites of the domain too: only on request.
    SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 0)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.boolean("HSTS_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = env.boolean("HSTS_PRELOAD", default=False)
    SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W005", "security.W021"]
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]
    if TRUSTED_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
else:
    SESSION_COOKIE_NAME = "girone"
    CSRF_COOKIE_NAME = "csrf"

# --- Headers -----------------------------------------------------------------------------
SECURE_REFERRER_POLICY = "same-origin"
# Without https browsers ignore it, with an error for each page in their console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF, *sheets.csp_hashes()],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# --- Static files ------------------------------------------------------------------------
# Served straight from the packages; after `collectstatic` hashed, compressed, for a year.
STATIC_URL = "static/"
# WhiteNoise warns about a missing folder.
STATIC_ROOT = env.ensure_folder(DATA / env.text("STATIC_ROOT", "staticfiles"), "STATIC_ROOT")
STATICFILES_DIRS = sorted(BASE_DIR.glob("tournaments/*/static"))  # each feature brings its own
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.CollectedStaticFilesStorage"},
}

# --- Uploads -----------------------------------------------------------------------------
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
LARGEST_BODY = 49 * 1024 * 1024  # of any request: a published catalogue of cards

# --- API ---------------------------------------------------------------------------------
REQUESTS_PER_MINUTE = env.number("API_REQUESTS_PER_MINUTE", 3000, minimum=1)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.tokens.ApiTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.problems.LenientNegotiation",
    "DEFAULT_PARSER_CLASSES": ["decks.api.parsing.StrictParser"],
    "URL_FORMAT_OVERRIDE": None,  # ?format= is the format of decks
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.api.api_exception_handler",
    "DEFAULT_THROTTLE_CLASSES": [
        "config.clients.AnonymousThrottle",
        "config.clients.AccountThrottle",
        "config.clients.CostlyCallThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": f"{REQUESTS_PER_MINUTE}/min",  # a whole venue behind one address
        "user": f"{REQUESTS_PER_MINUTE}/min",
        "heavy": f"{max(1, REQUESTS_PER_MINUTE // 10)}/min",  # rank, restore, files …
    },
    "NUM_PROXIES": TRUSTED_PROXIES,  # 0: none is trusted
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
KNOX_TOKEN_MODEL = "knox.AuthToken"  # noqa: S105 - the name of a model
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Girone",
    "DESCRIPTION": "Events, players, decklists, pairings, results and standings.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.schema.add_error_responses",
    ],
    "ENUM_NAME_OVERRIDES": {
        "EventStatus": "tournaments.models.Event.State",
        "PlayerStatus": "tournaments.models.Entry.Status",
        "RoundState": "tournaments.models.Round.State",
        "MatchState": "tournaments.models.Match.State",
        "CorrectionWay": "tournaments.corrections.api.WAYS",
        "PlayerCorrectionWay": "tournaments.corrections.api.PLAYER_WAYS",
    },
}

# --- What is watched ---------------------------------------------------------------------
LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", logs.LEVELS)
LOGGING = logs.logging_config(LOG_LEVEL, env.file_path("LOG_FILE"), reports=True)
ACCESS_LOG = env.boolean("ACCESS_LOG", default=False)
METRICS_FROM = env.networks("METRICS_FROM")  # /metrics is not there for anybody else
ADMINS = [("", address) for address in env.comma_separated_values("ADMINS")]  # told of errors
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_SUBJECT_PREFIX = "Girone: "
SENTRY_DSN = env.text("SENTRY_DSN")
