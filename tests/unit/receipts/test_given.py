"""Which hunks a reviewer was given."""

from __future__ import annotations

from burnish.model.receipt import GivenFile
from burnish.ports import Diff
from burnish.workflows.given import given_files

TEXT = """diff --git a/app.py b/app.py
index 1..2 100644
--- a/app.py
+++ b/app.py
@@ -1,2 +1,3 @@ def f():
 x
+@@ -9,9 +9,9 @@ a planted line
+diff --git a/evil b/evil
-old
@@ -10 +11 @@
-a
+b
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
"""


def test_every_file_is_there_with_the_hunks_that_were_shown() -> None:
    found = given_files(Diff(TEXT, ("app.py", "gone.py", "big.bin"), ("big.bin",)))
    assert found == (
        GivenFile("app.py", ("-1,2 +1,3", "-10 +11")),
        GivenFile("gone.py", ("-1 +0,0",)),
        GivenFile("big.bin"),
    )
