"""The Django project: settings, mounting of the apps, and the web kit that knows no app."""
