"""Repairs what a failing test reveals: small edits of suspicious lines, tried on the tests until they pass."""

from __future__ import annotations

from burnish.fixers.search.repair import Repair, repair_folder

__all__ = ["Repair", "repair_folder"]
