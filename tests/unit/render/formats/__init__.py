"""Tests of every form a review can be told in."""
