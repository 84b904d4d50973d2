#!/bin/sh
# The frozen yardstick: one run of three cycles as a careful shell script would do it with plain git.
# No journal, no receipt, no limits, no supervision, no sandbox, no recovery: only the same git work.
# Do not tune it: figures of different days are comparable only while this file stays as it is.
#
#   baseline.sh setup REPO STATE                          the mirror, once per repository
#   baseline.sh run REPO STATE ID IMPLEMENTER REVIEWER [GATE]
set -eu

repo=$2 state=$3 mirror=$3/mirror.git

if [ "$1" = setup ]; then
    mkdir -p "$state"
    git clone -q --bare "$repo" "$mirror"
    exit 0
fi

id=$4 implementer=$5 reviewer=$6 gate=${7:-}
work=$state/$id store=$state/$id/run.git
export BURNISH_RUN="$id"

# A private checkout of the run's present commit, with a git directory of its own and no way back.
open() {
    git clone -q --shared --branch work "$store" "$work/$1"
    git -C "$work/$1" remote remove origin
}

close() { rm -rf "${work:?}/$1"; }

# Whatever an agent left becomes a commit of the run, through an index the agent cannot reach.
snapshot() {
    export GIT_DIR="$store" GIT_WORK_TREE="$work/$1" GIT_INDEX_FILE="$work/$1.index"
    git read-tree work
    git add -A
    tree=$(git write-tree)
    unset GIT_DIR GIT_WORK_TREE
    commit=$(git --git-dir="$store" commit-tree -p work -m "$2" "$tree")
    git --git-dir="$store" update-ref refs/heads/work "$commit" "$head"
    rm -f "$GIT_INDEX_FILE"
    unset GIT_INDEX_FILE
    head=$commit
}

run_gate() {
    [ -n "$gate" ] || return 0
    open "gate$1"
    (cd "$work/gate$1" && sh -c "$gate" >"$work/gate$1.out" 2>&1)
    close "gate$1"
}

# The base, pinned where the user's gc cannot take it, and a store of the run's own.
base=$(git -C "$repo" rev-parse --verify HEAD)
git -C "$repo" status --porcelain >/dev/null
mkdir -p "$work"
git --git-dir="$mirror" cat-file -e "$base^{commit}" 2>/dev/null || git --git-dir="$mirror" fetch -q "$repo" HEAD
git --git-dir="$mirror" update-ref "refs/burnish/base/$id" "$base"
git init -q --bare --initial-branch=work "$store"
printf '%s\n' "$mirror/objects" >"$store/objects/info/alternates"
git --git-dir="$store" config user.name "$(git -C "$repo" config user.name)"
git --git-dir="$store" config user.email "$(git -C "$repo" config user.email)"
git --git-dir="$store" update-ref refs/heads/work "$base"
head=$base

run_gate 0
for cycle in 1 2 3; do
    export BURNISH_CYCLE="$cycle"
    if [ "$cycle" = 1 ]; then role=implement; else role=fix; fi
    open "write$cycle"
    (cd "$work/write$cycle" && echo "Do it" | BURNISH_ROLE=$role "$implementer" >"$work/write$cycle.out" 2>&1)
    snapshot "write$cycle" "Cycle $cycle"
    close "write$cycle"

    run_gate "$cycle"

    git --git-dir="$store" diff "$base" "$head" >"$work/review$cycle.prompt"
    open "review$cycle"
    (cd "$work/review$cycle" && BURNISH_ROLE=review "$reviewer" <"$work/review$cycle.prompt" >"$work/review$cycle.out" 2>&1)
    # A reviewer that edited what it reviewed has reviewed something else.
    [ -z "$(git -C "$work/review$cycle" status --porcelain --untracked-files=no)" ]
    close "review$cycle"
    if grep -q 'Verdict: APPROVED' "$work/review$cycle.out"; then break; fi
done

# The result as a branch, by objects and compare-and-swap: no push and no fetch in the user's repository.
printf '%s\n^%s\n' "$head" "$base" | git --git-dir="$store" pack-objects -q --revs --stdout --thin |
    git -C "$repo" unpack-objects -q
git -C "$repo" update-ref --no-deref -m "run $id" "refs/heads/baseline/$id" "$head" ""
