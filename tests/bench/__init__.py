"""The benchmark itself: that it measures what it says."""
