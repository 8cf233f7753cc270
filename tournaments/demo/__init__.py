"""Invented events for trying things out, made through the services like any other."""
