"""The deck formats for programs."""
