"""``python -m girone``."""

import sys

from girone import main

sys.exit(main())
