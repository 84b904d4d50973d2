"""Analysers made of another one: what they do not change is the inner one's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from burnish.model.assessment import Analysis
from burnish.ports import Analyser, Source

Analyse = Callable[[Analyser, Source, tuple[str, ...]], Awaitable[Analysis]]


@dataclass(frozen=True)
class Around:
    """Goes by the inner analyser's name and wants the same files; `how` asks it, and sees its answer."""

    inner: Analyser
    how: Analyse

    @property
    def name(self) -> str:
        return self.inner.name

    def missing(self) -> str:
        return self.inner.missing()

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return self.inner.wants(files)

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        return await self.how(self.inner, source, files)
