"""Say in one sentence when the Python that make found is too old."""

import sys

if sys.version_info < (3, 11):
    found = ".".join(str(part) for part in sys.version_info[:3])
    sys.exit("Burnish needs Python 3.11 or newer, found %s. Try: make PYTHON=python3.12" % found)  # noqa: UP031
