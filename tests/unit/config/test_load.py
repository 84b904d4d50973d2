"""Where settings come from, which source wins, and what each is told when it is wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.config.files import MAX_BYTES, ConfigFile
from burnish.config.load import Flag, Loaded, Sources, load, load_for, user_folder
from burnish.config.schema import FIELDS, Settings, value_of
from burnish.errors import UsageError
from burnish.model.landing import Land
from burnish.model.review import Severity
from burnish.model.sandbox_mode import SandboxMode

BASE = "burnish.toml at 1a2b3c4"


def toml(text: str) -> Loaded:
    return load(Sources(repository=(ConfigFile(BASE, text.encode("utf8")),)))


def refused(text: str | bytes, *, yaml: bool = False) -> UsageError:
    data = text if isinstance(text, bytes) else text.encode("utf8")
    with pytest.raises(UsageError) as caught:
        load(Sources(repository=(ConfigFile(BASE, data, yaml=yaml),)))
    return caught.value


def test_without_any_source_every_value_is_its_default() -> None:
    loaded = load(Sources())
    assert loaded.settings == Settings()
    assert set(loaded.origins) == set(FIELDS)
    assert set(loaded.origins.values()) == {"default"}


def test_the_defaults_are_the_published_ones() -> None:
    settings = load(Sources()).settings
    timeouts = settings.timeouts
    assert (timeouts.implement_s, timeouts.review_s, timeouts.fix_s, timeouts.gate_s) == (
        3600,
        600,
        1800,
        900,
    )
    assert (settings.land.how, settings.land.branch_prefix) == (Land.BRANCH, "burnish/")
    assert (settings.sandbox.mode, settings.sandbox.network) == (SandboxMode.AUTO, True)
    assert (settings.review.diff_cap_chars, settings.state.keep_days) == (50_000, 30)


def test_a_file_sets_every_kind_of_value() -> None:
    settings = toml("""
        profile = "task"
        [agents]
        reviewer = "codex exec -"
        [limits]
        cycles = 4
        stop_on_no_progress = true
        budget_usd = 2
        [gate]
        protect = ["conftest.py", "ci/**"]
        [land]
        how = "apply"
        [review]
        fail_on = "medium"
        [sandbox]
        mode = "require"
    """).settings
    assert (settings.profile, settings.agents.reviewer, settings.limits.cycles) == ("task", "codex exec -", 4)
    assert (settings.limits.stop_on_no_progress, settings.budget.run_cost_usd) == (True, 2.0)
    assert settings.gate.protect == ("conftest.py", "ci/**")
    assert (settings.land.how, settings.review.fail_on) == (Land.APPLY, Severity.MEDIUM)
    assert settings.sandbox.mode is SandboxMode.REQUIRE


def test_settings_cannot_be_changed_after_loading() -> None:
    loaded = load(Sources())
    with pytest.raises(ValueError, match="frozen"):
        loaded.settings.limits.cycles = 9  # type: ignore[misc]
    with pytest.raises(TypeError):
        loaded.origins["profile"] = "elsewhere"  # type: ignore[index]


LAYERS = ("user", "repository", "environ", "flags")
ORIGINS = {
    "user": "user file /u/burnish.toml",
    "repository": BASE,
    "environ": "environment BURNISH_STATE_KEEP_DAYS",
    "flags": "flag --keep-days",
}


@given(st.dictionaries(st.sampled_from(LAYERS), st.integers(0, 10_000)))
def test_the_last_source_that_says_something_wins_and_is_named(said: dict[str, int]) -> None:
    def files(layer: str) -> tuple[ConfigFile, ...]:
        text = f"[state]\nkeep_days = {said[layer]}\n" if layer in said else ""
        return (ConfigFile(ORIGINS[layer], text.encode()),)

    environ = {"BURNISH_STATE_KEEP_DAYS": str(said["environ"])} if "environ" in said else {}
    flags = {"state.keep_days": Flag("--keep-days", said.get("flags"))}
    loaded = load(Sources(files("user"), files("repository"), environ, flags))
    winner = next((layer for layer in reversed(LAYERS) if layer in said), None)
    assert loaded.settings.state.keep_days == (said[winner] if winner else 30)
    assert loaded.origins["state.keep_days"] == (ORIGINS[winner] if winner else "default")


def test_sources_are_merged_key_by_key() -> None:
    user = ConfigFile("user file", b"[timeouts]\nreview_s = 1\nfix_s = 2\n")
    repository = ConfigFile(BASE, b"[timeouts]\nfix_s = 3\n")
    timeouts = load(Sources((user,), (repository,))).settings.timeouts
    assert (timeouts.review_s, timeouts.fix_s, timeouts.gate_s) == (1, 3, 900)


@pytest.mark.parametrize(("weaker", "stronger"), [("cycles", "fixes"), ("fixes", "cycles")])
def test_one_way_to_say_the_limit_takes_the_place_of_the_other(weaker: str, stronger: str) -> None:
    repository = ConfigFile(BASE, f"[limits]\n{weaker} = 9\n".encode())
    loaded = load(Sources((), (repository,), {}, {f"limits.{stronger}": Flag(f"--{stronger}", 2)}))
    assert (getattr(loaded.settings.limits, weaker), getattr(loaded.settings.limits, stronger)) == (None, 2)
    assert loaded.origins[f"limits.{weaker}"] == "default"
    assert loaded.origins[f"limits.{stronger}"] == f"flag --{stronger}"


def test_both_ways_to_say_the_limit_in_one_place_are_refused() -> None:
    assert refused("[limits]\ncycles = 3\nfixes = 2\n").message == (
        f"{BASE}, line 3: limits.cycles and limits.fixes are two ways to say one limit"
    )
    flags = {"limits.cycles": Flag("--cycles", 3), "limits.fixes": Flag("--fixes", 2)}
    with pytest.raises(UsageError, match="--cycles and --fixes are two ways"):
        load(Sources(flags=flags))


@pytest.mark.parametrize(
    ("text", "line", "unknown", "meant"),
    [
        ("[limits]\ncycels = 3", 2, "key 'limits.cycels'", "limits.cycles"),
        ("[limit]\ncycles = 3", 1, "table 'limit'", "limits"),
        ("# one\n\ncycles = 3", 3, "key 'cycles'", "limits.cycles"),
        ("[gate]\nkeep_days = 3", 2, "key 'gate.keep_days'", "state.keep_days"),
        ("reviewMaxFixAttempt = 3", 1, "key 'reviewMaxFixAttempt'", "reviewMaxFixAttempts"),
        ('gate.comand = "x"', 1, "key 'gate.comand'", "gate.command"),
        ("[task_types.implment]\nmodel = 'x'", 1, "table 'task_types.implment'", "task_types.implement"),
        ("[task_types.plan]\nmodle = 'x'", 2, "key 'task_types.plan.modle'", "task_types.plan.model"),
        ("auto_review = true", 1, "key 'auto_review'", "defaults.auto_review"),
    ],
)
def test_an_unknown_name_is_refused_with_its_line_and_the_nearest_known_one(
    text: str, line: int, unknown: str, meant: str
) -> None:
    error = refused(text)
    assert error.message == f"{BASE}, line {line}: unknown {unknown}"
    assert error.hint == f"did you mean {meant}?"


def test_an_unknown_name_that_resembles_nothing_gets_the_names_that_are_known_there() -> None:
    assert refused("zzzzzz = 1").hint.startswith("known at the top: profile, contract, compat, agents, ")
    assert refused("[gate]\nzzzzzz = 1").hint == "known in gate: command, protect, allow_test_edits"
    known = "known in task_types: task, explore, plan, implement, review, improve"
    assert refused("[task_types]\nzzzzzz = 1").hint == known


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[limits]\ncycles = "three"', "limits.cycles must be a whole number from 1, found 'three'"),
        ("[limits]\ncycles = 0", "limits.cycles must be a whole number from 1, found 0"),
        ("[limits]\ncycles = true", "limits.cycles must be a whole number from 1, found true"),
        ("[limits]\ncycles = 2.5", "limits.cycles must be a whole number from 1, found 2.5"),
        ("[limits]\nbudget_usd = inf", "limits.budget_usd must be a number above 0, found inf"),
        ("[limits]\nbudget_usd = nan", "limits.budget_usd must be a number above 0, found nan"),
        (
            f"[limits]\nfixes = -1{'0' * 400}",
            "limits.fixes must be a whole number from 0, found a far larger number",
        ),
        ('[sandbox]\nnetwork = "no"', "sandbox.network must be true or false, found 'no'"),
        ("[sandbox]\nnetwork = 1", "sandbox.network must be true or false, found 1"),
        ('[land]\nhow = "push"', "land.how must be one of 'branch', 'apply', 'none', found 'push'"),
        ('[gate]\ncommand = ""', "gate.command must be a text that is not empty, found ''"),
        ('[gate]\ncommand = ["a"]', "gate.command must be a text that is not empty, found the list ['a']"),
        ('[gate]\nprotect = "a"', "gate.protect must be a list of texts, found 'a'"),
        ("[gate]\nprotect = [1]", "gate.protect must be a list of texts, found the list [1]"),
        (
            "[timeouts]\nfix_s = 1979-05-27",
            "timeouts.fix_s must be a number above 0, found the date 1979-05-27",
        ),
        ("[gate.command]\na = 1", "gate.command must be a text that is not empty, found a table"),
        ("review_timeout_minutes = 'x'", "review_timeout_minutes must be a number above 0, found 'x'"),
        (
            "[work]\nagents_at_once = ['claude']",
            "work.agents_at_once must be a list of texts such as 'claude=2', found the list ['claude']",
        ),
        (
            "[notify]\non = ['lunch']",
            "notify.on must be a list of 'needs_person', 'finished', 'failed', found the list ['lunch']",
        ),
        (
            "[notify]\nwebhook = 'ftp://x'",
            "notify.webhook must be a text such as 'https://example.com/hook', found 'ftp://x'",
        ),
        (
            "[task_types.task]\ntimeout_minutes = 0",
            "task_types.task.timeout_minutes must be a number above 0, found 0",
        ),
        ("[review]\nmin_confidence = 2", "review.min_confidence must be a number from 0 up to 1, found 2"),
    ],
)
def test_a_wrong_value_gets_one_sentence(text: str, sentence: str) -> None:
    error = refused(text)
    place, _, said = error.message.partition(": ")
    assert said == sentence
    assert place.startswith(BASE)
    assert error.hint.startswith("correct it, or remove it to have the default (")


def test_a_section_written_as_a_value_is_refused() -> None:
    error = refused("limits = 3")
    assert error.message == f"{BASE}, line 1: limits must be a table of settings, found 3"
    assert error.hint == "write [limits]"


def test_what_is_shown_of_a_wrong_value_is_short_and_cannot_steer_a_terminal() -> None:
    assert "\x1b" not in refused('"\\u001b[31m" = 1').message
    assert "\x1b" not in refused('[limits]\ncycles = "\\u001b[31m"').message
    assert len(refused(f'[limits]\ncycles = "{"x" * 5000}"').message) < 200


def test_a_file_that_is_not_toml_says_where() -> None:
    assert "is not valid TOML: " in refused("[limits\n").message
    assert "line 2" in refused("a = 1\nb = = 2\n").message
    assert "found the byte 0xff at offset 0" in refused(b"\xff\xfe").message
    assert "nested too deeply" in refused("a = " + "[" * 30_000).message
    assert "larger than 64 KB" in refused(b"#" * (MAX_BYTES + 1)).message


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    data = b"\xef\xbb\xbf[limits]\r\ncycles = 2\r\n"
    assert load(Sources(repository=(ConfigFile(BASE, data),))).settings.limits.cycles == 2


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf8", "surrogatepass")))
def test_whatever_is_in_a_file_the_answer_is_settings_or_a_sentence(data: bytes) -> None:
    try:
        load(Sources(repository=(ConfigFile(BASE, data),)))
    except UsageError as error:
        assert error.message.startswith(BASE)
        assert "\n" not in error.message


VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(), max_size=2),
    st.none(),
)


@given(st.sampled_from(sorted(FIELDS)), VALUES)
def test_whatever_a_flag_carries_the_answer_is_settings_or_a_sentence(key: str, value: Any) -> None:
    try:
        loaded = load(Sources(flags={key: Flag("--x", value)}))
    except UsageError as error:
        assert error.message.startswith(f"flag --x: {key} must be ")
    else:
        assert loaded.origins[key] == ("default" if value is None else "flag --x")
        assert value is None or value_of(loaded.settings, key) == value


@pytest.mark.parametrize(
    ("name", "text", "key", "value"),
    [
        ("BURNISH_PROFILE", "spec", "profile", "spec"),
        ("BURNISH_LIMITS_CYCLES", "7", "limits.cycles", 7),
        ("BURNISH_LIMITS_BUDGET_USD", "2.50", "budget.run_cost_usd", 2.5),
        ("BURNISH_TASK_TYPES_IMPLEMENT_MODEL", "opus", "task_types.implement.model", "opus"),
        ("BURNISH_TASK_TYPES_REVIEW_TIMEOUT_MINUTES", ".5", "task_types.review.timeout_minutes", 0.5),
        ("BURNISH_NOTIFY_ON", "failed,finished", "notify.on", ["failed", "finished"]),
        ("BURNISH_SANDBOX_NETWORK", "no", "sandbox.network", False),
        ("BURNISH_SANDBOX_MODE", "off", "sandbox.mode", "off"),
        ("BURNISH_GATE_PROTECT", "a.py, b/*.py", "gate.protect", ["a.py", "b/*.py"]),
    ],
)
def test_an_environment_variable_sets_its_key(name: str, text: str, key: str, value: Any) -> None:
    loaded = load(Sources(environ={name: text, "PATH": "/bin", "BURNISH_RUN": "r-1", "BURNISH_STATE": "/x"}))
    assert value_of(loaded.settings, key) == value
    assert loaded.origins[key] == f"environment {name}"
    assert list(loaded.origins.values()).count("default") == len(FIELDS) - 1


def test_an_empty_environment_variable_is_an_unset_one() -> None:
    assert load(Sources(environ={"BURNISH_GATE_COMMAND": ""})).origins["gate.command"] == "default"


def test_a_misspelt_environment_variable_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        load(Sources(environ={"BURNISH_LIMITS_CYCELS": "3"}))
    assert caught.value.message == "environment variable BURNISH_LIMITS_CYCELS names no setting"
    assert caught.value.hint.startswith("did you mean BURNISH_LIMITS_CYCLES?")


def test_a_wrong_environment_variable_gets_the_same_sentence() -> None:
    with pytest.raises(UsageError) as caught:
        load(Sources(environ={"BURNISH_LIMITS_CYCLES": "many"}))
    place, said = caught.value.message.split(": ")
    assert place == "environment variable BURNISH_LIMITS_CYCLES"
    assert said == "limits.cycles must be a whole number from 1, found 'many'"


def test_nothing_is_read_from_the_process_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNISH_LIMITS_CYCLES", "9")
    assert load(Sources()).settings.limits.cycles is None


def test_the_user_folder_follows_the_environment_that_was_handed_in(tmp_path: Path) -> None:
    assert user_folder({"XDG_CONFIG_HOME": os.fspath(tmp_path)}) == tmp_path / "burnish"
    assert user_folder({"XDG_CONFIG_HOME": "relative"}).name == "burnish"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "config" / "burnish").mkdir(parents=True)
    (tmp_path / "repo").mkdir()
    return {"XDG_CONFIG_HOME": os.fspath(tmp_path / "config")}


def test_the_users_file_is_read_from_their_folder(tmp_path: Path, environ: dict[str, str]) -> None:
    path = tmp_path / "config" / "burnish" / "burnish.toml"
    path.write_text('[agents]\nreviewer = "mine"\n')
    loaded = load_for(tmp_path / "repo", environ, None)
    assert loaded.settings.agents.reviewer == "mine"
    assert loaded.origins["agents.reviewer"] == f"user file {path}"
    assert loaded.notices == ()


def test_a_program_is_never_taken_from_the_checkout(tmp_path: Path, environ: dict[str, str]) -> None:
    (tmp_path / "repo" / "burnish.toml").write_text('[gate]\ncommand = "true"\n[agents]\nreviewer = "evil"\n')
    base = b'[gate]\ncommand = "pytest -q"\n'
    loaded = load_for(tmp_path / "repo", environ, base, base="1a2b3c4")
    assert (loaded.settings.gate.command, loaded.settings.agents.reviewer) == ("pytest -q", None)
    assert loaded.origins["gate.command"] == "burnish.toml at 1a2b3c4"
    (notice,) = loaded.notices
    assert notice.startswith("burnish.toml in your checkout is not what is there at 1a2b3c4, and is not used")


def test_a_file_that_is_only_in_the_checkout_is_named_and_not_used(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    (tmp_path / "repo" / "burnish.toml").write_text("this is not even TOML")
    loaded = load_for(tmp_path / "repo", environ, None)
    assert loaded.settings == Settings()
    assert len(loaded.notices) == 1


def test_an_unchanged_checkout_needs_no_notice(tmp_path: Path, environ: dict[str, str]) -> None:
    base = b"[limits]\ncycles = 2\n"
    (tmp_path / "repo" / "burnish.toml").write_bytes(base)
    assert load_for(tmp_path / "repo", environ, base).notices == ()


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop"])
def test_a_users_file_that_is_no_file_is_refused(tmp_path: Path, environ: dict[str, str], kind: str) -> None:
    path = tmp_path / "config" / "burnish" / "burnish.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path)
    with pytest.raises(UsageError) as caught:
        load_for(tmp_path / "repo", environ, None)
    assert str(path) in caught.value.message


def test_two_files_side_by_side_are_refused(tmp_path: Path, environ: dict[str, str]) -> None:
    for name in ("burnish.toml", "burnish.yaml"):
        (tmp_path / "config" / "burnish" / name).write_text("")
    with pytest.raises(UsageError, match=r"expected one configuration file, found two: user file .*yaml"):
        load_for(tmp_path / "repo", environ, None)
    for name in ("burnish.toml", "burnish.yaml"):
        (tmp_path / "config" / "burnish" / name).unlink()
    with pytest.raises(UsageError, match=r"burnish\.toml at abc and burnish\.yaml at abc"):
        load_for(tmp_path / "repo", environ, b"", base_yaml=b"", base="abc")


PRICED = (
    '[prices."gpt-6.1-sol"]\ninput = 2\noutput = 20.5\n[prices.mine]\ninput = 1\noutput = 1\ncached = 0\n'
)


def test_prices_are_taken_model_by_model_and_the_users_own_is_not_overruled() -> None:
    user = ConfigFile(
        "user file", b"[prices.mine]\ninput = 9\noutput = 9\n[prices.other]\ninput = 1\noutput = 1\n"
    )
    found = load(Sources((user,), (ConfigFile(BASE, PRICED.encode()),)))
    assert {name: (one.input, one.cached) for name, one in found.settings.prices.items()} == {
        "mine": (9, None), "other": (1, None), "gpt-6.1-sol": (2, None),
    }  # fmt: skip
    origins = {key: origin for key, origin in found.origins.items() if key.startswith("prices.")}
    assert origins == {
        'prices."mine"': "user file",
        'prices."other"': "user file",
        'prices."gpt-6.1-sol"': BASE,
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[prices."a.b"]\ninput = 1', 'line 1: prices."a.b" must have input and output'),
        (
            '[prices."a.b"]\ninput = 1\noutput = "2"',
            'prices."a.b".output must be dollars per million tokens, found',
        ),
        (
            '[prices."a.b"]\ninput = -1\noutput = 2',
            'prices."a.b".input must be dollars per million tokens, found -1',
        ),
        ('[prices."a.b"]\nimput = 1\noutput = 2', "unknown key 'imput' in prices.\"a.b\""),
        ("prices = 3", "prices must be a table for each model"),
        ("[prices]\nmine = 3", 'prices."mine" must have input and output'),
    ],
)
def test_a_price_that_is_none_is_told_by_its_model(text: str, said: str) -> None:
    assert said in refused(text).message


ALLOWS = "[sandbox]\nrun_unsandboxed = true\n"


def test_a_repository_does_not_allow_itself_to_run_unsandboxed() -> None:
    loaded = toml(ALLOWS)
    assert loaded.settings.sandbox.run_unsandboxed is False
    assert loaded.origins["sandbox.run_unsandboxed"] == "default"
    assert loaded.notices == (
        f"{BASE}, line 2: sandbox.run_unsandboxed is ignored: only you can allow that, with --run-unsandboxed"
        " or in your own file",
    )


def test_a_repository_does_not_take_away_either_what_the_user_allows() -> None:
    own = ConfigFile("user file", ALLOWS.encode())
    theirs = ConfigFile(BASE, b"[sandbox]\nrun_unsandboxed = false\n")
    assert load(Sources((own,), (theirs,))).settings.sandbox.run_unsandboxed is True


@pytest.mark.parametrize(
    "sources",
    [
        Sources(user=(ConfigFile("user file", ALLOWS.encode()),)),
        Sources(environ={"BURNISH_SANDBOX_RUN_UNSANDBOXED": "true"}),
        Sources(flags={"sandbox.run_unsandboxed": Flag("--run-unsandboxed", True)}),
    ],
    ids=["file", "environment", "flag"],
)
def test_the_user_allows_it_by_file_environment_or_flag(sources: Sources) -> None:
    loaded = load(sources)
    assert loaded.settings.sandbox.run_unsandboxed is True
    assert loaded.notices == ()


def test_what_the_repository_decided_is_told_apart_from_what_a_stronger_place_did() -> None:
    files = (ConfigFile(BASE, b"[sandbox]\nmode = 'off'\nnetwork = false\n"),)
    flags = {"sandbox.mode": Flag("--sandbox", "off")}
    assert load(Sources(repository=files)).of_repository == {"sandbox.mode", "sandbox.network"}
    assert load(Sources(repository=files, flags=flags)).of_repository == {"sandbox.network"}


def test_the_word_about_a_refused_setting_is_kept_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "burnish.toml").write_text("profile = 'task'\n")
    notices = load_for(tmp_path, {"XDG_CONFIG_HOME": str(tmp_path)}, ALLOWS.encode()).notices
    assert [text.partition(" ")[0] for text in notices] == ["burnish.toml", "burnish.toml"]
    assert "run_unsandboxed is ignored" in notices[0]
