"""A person taken out of an event, or of the whole site: names, addresses and links go.

What was played stays: numbers, results, seats, places, and who won, as "Player 7".
"""
