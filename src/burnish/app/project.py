"""What agents are told of a repository: its languages, its test command and its words for reviewers."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath

from burnish.app.place import Place
from burnish.git.committed import read_file
from burnish.git.export import tree_files
from burnish.git.run_store import RunStore
from burnish.workflows.agent_task import Project

GUIDELINES = ("REVIEW.md", "AGENTS.md", ".github/REVIEW.md", "docs/REVIEW.md")
MOST_LANGUAGES = 8
LANGUAGES = {
    ".py": "Python", ".pyi": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript",
    ".jsx": "JavaScript", ".ts": "TypeScript", ".tsx": "TypeScript", ".go": "Go", ".java": "Java",
    ".kt": "Kotlin", ".rs": "Rust", ".rb": "Ruby", ".sh": "Shell", ".bash": "Shell", ".c": "C", ".h": "C",
    ".cc": "C++", ".cpp": "C++", ".hpp": "C++", ".cs": "C#", ".php": "PHP", ".swift": "Swift",
    ".scala": "Scala", ".sql": "SQL", ".html": "HTML", ".css": "CSS", ".vue": "Vue", ".tf": "Terraform",
    ".lua": "Lua", ".ex": "Elixir", ".exs": "Elixir", ".hs": "Haskell", ".dart": "Dart", ".r": "R",
}  # fmt: skip


async def project_of(place: Place, store: RunStore, base: str, test_command: str) -> Project:
    """From the base commit: a change under review does not say how it is to be reviewed."""
    tree = await place.repository.tree(base)
    paths = (await tree_files(store, tree)).files
    count = Counter(
        language for path in paths if (language := LANGUAGES.get(PurePosixPath(path).suffix.lower()))
    )
    guidelines = [
        (path, data.decode("utf8", "replace"))
        for path in GUIDELINES
        if path in paths and (data := await read_file(place.repository, base, path))
    ]
    most = tuple(language for language, _ in count.most_common(MOST_LANGUAGES))
    return Project(most, test_command, tuple(guidelines))
