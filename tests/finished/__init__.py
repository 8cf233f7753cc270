"""A finished event, and what every service still does with it or refuses."""
