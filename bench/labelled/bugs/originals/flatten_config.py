"""Merge nested settings and look into them."""


class MissingSetting(KeyError):
    pass


def merge(base, other):
    """A new mapping: mappings are merged, lists are joined, all else is replaced."""
    result = dict(base)
    for key, value in other.items():
        known = result.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            result[key] = merge(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            joined = list(known)
            joined.extend(value)
            result[key] = joined
        else:
            result[key] = value
    return result


def flatten(settings, prefix=""):
    flat = {}
    for key, value in settings.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict):
            flat.update(flatten(value, path))
        else:
            flat[path] = value
    return flat


def lookup(settings, path):
    value = settings
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            raise MissingSetting(path)
        value = value[key]
    return value
