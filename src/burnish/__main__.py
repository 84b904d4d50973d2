"""`python -m burnish`."""

import os
import sys

# `python -m` looks for modules in the current folder first: code of the repository we stand in is not run.
if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109 - no import more
    del sys.path[0]

from burnish.cli.main import main

main()
