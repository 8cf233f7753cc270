"""Settings of a hall that is served from a laptop: others reach it, by an address that the laptop
itself does not use, and often on plain HTTP. ``config.venue`` sets the variables.
"""

from config import env

SITE_ADDRESS = "".join(env.origins("SITE_ADDRESS")[:1]).rstrip("/")
VENUE_AUTHORITY = env.text("VENUE_AUTHORITY")
# Without https browsers ignore it, with an error for each page in their console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if env.flag("HTTPS", default=False) else None
# Where the sheets of each published round are written, for events whose organisers switch that on.
PAPER_FOLDER = env.text("PAPER_FOLDER")
