"""The composition root: requests in, wired workflows out; the only place that knows all adapters."""
