"""Properties of the contracts are about answers; how long they may take has a test of its own."""

from hypothesis import settings

settings.register_profile("contracts", deadline=None)
settings.load_profile("contracts")
