"""Imported last by the server that tests fork from: what every command would make anew is made once.

Nothing of it changes what a command does: modules, readers of types and templates are made when first
needed, and kept, in any process.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil

import burnish
from burnish import codec, registry
from burnish.app.spec import RunSpec
from burnish.model import events
from burnish.model.assessment import Analysis, DimensionReport
from burnish.model.change import Change
from burnish.model.gate import GateResult
from burnish.model.landing import Landing
from burnish.model.receipt import Receipt
from burnish.model.review import Review
from burnish.prompts import book

PACKAGES = (
    "agents",
    "analysers",
    "app",
    "contracts",
    "git",
    "profiles",
    "render",
    "render.formats",
    "store",
    "tools",
    "workflows",
)
OTHERS = (
    "concurrent.futures.thread",
    "encodings.ascii",
    "rich.live",
    "rich.table",
    "sqlalchemy.dialects.sqlite",
)
STORED = (
    RunSpec,
    Receipt,
    Review,
    Change,
    Landing,
    GateResult,
    Analysis,
    DimensionReport,
    *(events.RunStarted, events.StepStarted, events.StepFinished, events.RunFinished, events.Noticed),
)

for _package in PACKAGES:
    _found = importlib.import_module(f"{burnish.__name__}.{_package}")
    for _module in pkgutil.iter_modules(_found.__path__, f"{_found.__name__}."):
        importlib.import_module(_module.name)
for _name in OTHERS:
    importlib.import_module(_name)
for _kind in STORED:
    codec._adapter(_kind)
for _name in (*book.NAMES, *book.SLOT_NAMES, *book.LOOP_NAMES):
    book._compiled(book.PromptBook().source(_name))
for _name in book.PARTS:
    book._environment().get_template(f"parts/{_name}.md")
for _folder in ("agents", "analysers", "contracts", "fixers", "policies", "profiles"):
    registry.names(_folder)

# A child looks only at what it made itself, and shares the rest with the server.
gc.collect()
gc.freeze()
