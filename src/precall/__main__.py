"""`python -m precall` is the command `precall`."""

from __future__ import annotations

import sys

from precall.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
