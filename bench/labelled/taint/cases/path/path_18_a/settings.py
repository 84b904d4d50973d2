from contextlib import contextmanager

PROFILES = {"default": "default.ini", "debug": "debug.ini"}


@contextmanager
def open_profile(profile):
    name = profile if profile.endswith(".ini") else profile + ".ini"
    handle = open("/etc/service/profiles/" + name)
    try:
        yield handle
    finally:
        handle.close()
