"""Invented events for trials, made through the services.

``site.demo_site`` makes one event at each point of its life, ``brackets`` those with brackets;
``people`` makes the accounts, ``playing`` fills and plays events by chance from a fixed seed.
"""
