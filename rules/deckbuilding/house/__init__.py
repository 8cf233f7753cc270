"""House formats: ``formats`` builds one, ``json`` stores it."""
