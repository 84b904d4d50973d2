"""What brings a statement to the database: a call, a helper's call or a return, and how values go with it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from burnish.fixers._locals import only_value
from burnish.fixers._names import qualified
from burnish.fixers._python import Edit, Module, NotRepaired, arguments, keyword
from burnish.fixers._sql_driver import SQLALCHEMY, drivers, uses_sqlalchemy
from burnish.fixers._sql_text import Bound, Dialect, Mark
from burnish.fixers._sql_values import merged, passed

EXECUTES = frozenset(
    {"execute", "raw", "RawSQL", "read_sql", "read_sql_query", "exec_driver_sql", "execute_fetchall"}
    | {"fetch", "fetchrow", "fetchval", "fetch_all", "fetch_one"}
)
QUERY_NAMES = ("sql", "query", "statement", "operation", "raw_query", "clause")
VALUE_NAMES = ("params", "parameters", "vars", "args", "values")
BY_NAME = frozenset({"read_sql", "read_sql_query"})


@dataclass(frozen=True)
class Carrier:
    """`given` are the values that go with the statement already, `keyword` is their name where they must be
    named, `spread` that each is an argument of its own, and `plain` that SQLAlchemy gets a bare string."""

    file: str
    holder: ast.Call | ast.Return
    query: ast.expr
    dialect: Dialect
    given: ast.expr | None = None
    keyword: str = ""
    spread: bool = False
    plain: bool = False

    @property
    def named(self) -> bool:
        return self.dialect.mark is Mark.COLON

    def give(self, module: Module, bound: Bound, named: bool, told: str = "") -> list[Edit]:
        """Let the values go with the statement; `told` is the variable that has them."""
        if self.given is not None and not _is_empty(self.given):
            if told or self.spread:
                raise NotRepaired("where the new values belong cannot be told")
            source = module.source(self.given)
            written = merged(source, self.given, bound, named)
            return [Edit(module.start(self.given), module.end(self.given), written)]
        if self.spread:
            written = f"*{told}" if told else ", ".join(bound.fresh)
        else:
            written = told or passed(self.dialect, bound, named)
        if self.given is not None:
            return [Edit(module.start(self.given), module.end(self.given), written)]
        return self.add(module, written)

    def add(self, module: Module, written: str) -> list[Edit]:
        """Pass one more thing right behind the statement, or by its name."""
        holder = self.holder
        if isinstance(holder, ast.Call) and _is_text(module, holder):
            if not written.startswith("{"):
                return [_behind(module, holder, f".bindparams(**{written})")]
            pairs = ast.parse(written, mode="eval").body
            assert isinstance(pairs, ast.Dict)
            told = ", ".join(
                f"{key.value!s}={ast.unparse(value)}"
                for key, value in zip(pairs.keys, pairs.values, strict=True)
                if isinstance(key, ast.Constant)
            )
            return [_behind(module, holder, f".bindparams({told})")]
        if self.keyword and isinstance(holder, ast.Call):
            last = module.end(arguments(module, holder)[-1])
            return [Edit(last, last, f", {self.keyword}={written}")]
        argument = self._argument
        place = module.end(argument) + _closing(module, argument)
        return [Edit(place, place, f"{_apart(module, argument, place)}{written}")]

    @property
    def _argument(self) -> ast.expr:
        """The argument that the statement is, or is a part of: `text(...)` in `execute(text(...))`."""
        if isinstance(self.holder, ast.Call):
            for one in self.holder.args:
                if any(node is self.query for node in ast.walk(one)):
                    return one
            raise NotRepaired("the statement is passed by name")
        return self.query


def _apart(module: Module, argument: ast.expr, place: int) -> str:
    """A comma, and a new line where the arguments have lines of their own."""
    line = module.starts[argument.lineno - 1]
    margin = module.text[line : module.start(argument)]
    alone = not margin.strip() and argument.lineno != argument.end_lineno
    ended = re.match(r"[ \t]*\r?\n", module.text[place:]) is not None
    return f",{module.newline}{margin}" if alone and ended else ", "


def _behind(module: Module, node: ast.expr, text: str) -> Edit:
    return Edit(module.end(node), module.end(node), text)


def _closing(module: Module, node: ast.expr) -> int:
    """How many letters there are to the bracket that closes one around this argument alone."""
    start, end, more = module.start(node), module.end(node), 0
    before = module.text[:start].rstrip()
    while before.endswith("("):
        rest = module.text[end + more :]
        closing = len(rest) - len(rest.lstrip())
        if not rest.lstrip().startswith(")") or not _is_group(before):
            break
        more += closing + 1
        before = before[:-1].rstrip()
    return more


def _is_group(before: str) -> bool:
    """Whether the bracket at the end opens a group and not the arguments of a call."""
    return before[:-1].rstrip()[-1:] in ("(", ",", "=", "[") or before[:-1].endswith(("return ", "return"))


def _is_empty(node: ast.expr) -> bool:
    return (isinstance(node, ast.List | ast.Tuple) and not node.elts) or (
        isinstance(node, ast.Constant) and node.value is None
    )


def _is_text(module: Module, call: ast.Call) -> bool:
    return qualified(module, call.func) in (
        "sqlalchemy.text",
        "sqlalchemy.sql.text",
        "sqlalchemy.sql.expression.text",
    ) or (isinstance(call.func, ast.Attribute) and call.func.attr == "text")


def sink_of(file: str, module: Module, calls: list[ast.Call], dialect: object) -> Carrier:
    """The call on the finding's line that takes a statement; `dialect()` tells the driver's way."""
    assert callable(dialect)
    for call in calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in EXECUTES:
            query = call.args[0] if call.args else _by_name(call, QUERY_NAMES)
            if query is None or isinstance(query, ast.Starred):
                continue
            if isinstance(query, ast.Call) and _is_text(module, query) and query.args:
                return _carrier(file, call, query.args[0], SQLALCHEMY)
            if (made := _made_by_text(module, query)) is not None:
                return Carrier(file, made, made.args[0], SQLALCHEMY)
            if name == "execute" and uses_sqlalchemy(module) and not drivers(module):
                return replace(_carrier(file, call, query, SQLALCHEMY), plain=True)
            return _carrier(file, call, query, dialect())
        if _is_text(module, call) and len(call.args) == 1:
            outer = module.parents.get(call)
            if isinstance(outer, ast.Call) and outer.args[:1] == [call]:
                return _carrier(file, outer, call.args[0], SQLALCHEMY)
            return Carrier(file, call, call.args[0], SQLALCHEMY)
    raise NotRepaired("there is no statement on that line")


def _made_by_text(module: Module, query: ast.expr) -> ast.Call | None:
    """The `text(...)` that a local variable was given."""
    try:
        value = only_value(module, query) if isinstance(query, ast.Name) else None
    except NotRepaired:
        return None
    return value if isinstance(value, ast.Call) and value.args and _is_text(module, value) else None


def _carrier(file: str, call: ast.Call, query: ast.expr, dialect: Dialect) -> Carrier:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    spread = dialect.mark is Mark.DOLLAR
    if any(one.arg is None for one in call.keywords) or any(
        isinstance(one, ast.Starred) for one in call.args
    ):
        raise NotRepaired("what is passed cannot be told")
    given = _by_name(call, VALUE_NAMES)
    if given is None and len(call.args) > 1 and name not in BY_NAME:
        if spread or len(call.args) > 2:
            raise NotRepaired("it is called in an unusual way")
        given = call.args[1]
    by_name = "params" if name in BY_NAME or not call.args else ""
    return Carrier(file, call, query, dialect, given, by_name, spread)


def _by_name(call: ast.Call, names: tuple[str, ...]) -> ast.expr | None:
    found = [one for name in names if (one := keyword(call, name)) is not None]
    return found[0].value if found else None
