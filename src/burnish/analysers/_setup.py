"""The setup under the name that analysers use."""

from __future__ import annotations

from burnish.process.tool_setup import TIMEOUT_S, ToolSetup

AnalyserSetup = ToolSetup
__all__ = ["TIMEOUT_S", "AnalyserSetup"]
