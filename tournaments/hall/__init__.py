"""The page *Phones in this hall*: the laptop's organiser opens the site to phones, and closes it.

``config.hall`` serves the hall; this page is found only in a browser on the laptop itself, where
``girone`` or ``make run`` serves.
"""
