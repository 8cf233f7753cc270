"""Pages of joining: of the phone that asks, of the staff that confirms, of who is signed in."""
