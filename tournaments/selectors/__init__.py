"""Reads for display and for the services; each says how many queries it makes."""
