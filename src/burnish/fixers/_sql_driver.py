"""Which database driver a module talks to, by its imports: that decides how placeholders are written."""

from __future__ import annotations

from burnish.fixers._names import packages
from burnish.fixers._python import Module
from burnish.fixers._sql_text import Dialect, Mark

_SQLITE = Dialect(Mark.QUESTION, loose=True)
_MYSQL = Dialect(Mark.PERCENT, loose=True, limit_binds=False)
_POSTGRES = Dialect(Mark.PERCENT)
DRIVERS = {
    "sqlite3": _SQLITE,
    "aiosqlite": _SQLITE,
    "pysqlite3": _SQLITE,
    "pyodbc": Dialect(Mark.QUESTION),
    "duckdb": Dialect(Mark.QUESTION),
    "psycopg": _POSTGRES,
    "psycopg2": _POSTGRES,
    "psycopg_pool": _POSTGRES,
    "aiopg": _POSTGRES,
    "pymssql": _POSTGRES,
    "MySQLdb": _MYSQL,
    "pymysql": _MYSQL,
    "aiomysql": _MYSQL,
    "mysql.connector": _MYSQL,
    "flask_mysqldb": _MYSQL,
    "flaskext.mysql": _MYSQL,
    "asyncpg": Dialect(Mark.DOLLAR, opening="", server_binds=True),
    "django.db": Dialect(Mark.PERCENT, opening="[", limit_binds=False),
}
SQLALCHEMY = Dialect(Mark.COLON, opening="{")
_TEXT = ("sqlalchemy", "flask_sqlalchemy", "sqlmodel")


def drivers(module: Module) -> set[Dialect]:
    named = packages(module)
    return {dialect for name, dialect in DRIVERS.items() if name in named}


def uses_sqlalchemy(module: Module) -> bool:
    return not packages(module).isdisjoint(_TEXT)
