"""What a test command printed, read: which tests failed, which passed, and where. Pure text in, data out."""

from burnish.suite_output.places import Layout, Place
from burnish.suite_output.reading import count_of, failures, passes
from burnish.suite_output.text import Failure

__all__ = ["Failure", "Layout", "Place", "count_of", "failures", "passes"]
