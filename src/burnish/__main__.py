"""`python -m burnish`."""

from burnish.cli.main import main

main()
