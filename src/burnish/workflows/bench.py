"""The workspace of one group: opened when it is first needed, and at the right tree before each attempt."""

from __future__ import annotations

from contextlib import AsyncExitStack
from types import TracebackType

from burnish.ports import Workspace, Workspaces


class Bench:
    """A resumed group whose findings are all remembered never opens one."""

    def __init__(self, workspaces: Workspaces, label: str) -> None:
        self._workspaces = workspaces
        self._label = label
        self._stack = AsyncExitStack()
        self._workspace: Workspace | None = None
        self._tree = ""

    async def __aenter__(self) -> Bench:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def at(self, tree: str) -> Workspace:
        """The workspace with exactly this tree: whatever the last attempt left, new files too, is gone."""
        if self._workspace is None:
            self._workspace = await self._stack.enter_async_context(self._workspaces.open(tree, self._label))
        elif self._tree != tree:
            await self._workspace.restore(tree)
        self._tree = ""
        return self._workspace

    def holds(self, tree: str) -> None:
        """Say that there is nothing but this tree in the workspace, so that it need not be made anew."""
        self._tree = tree
