"""How addresses begin that several features share."""

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"
PLAYERS = f"{MANAGE}players/"
PLAYER = f"{PLAYERS}<int:number>/"
DESK = f"{EVENT}desk/"
ROUND = f"{DESK}rounds/<int:ordinal>/"
MATCH = f"{EVENT}matches/<int:match_id>/"
