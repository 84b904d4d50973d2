"""`burnish completion`: the script that makes a shell complete verbs, options and task numbers."""

from __future__ import annotations

import click

VARIABLE = "_BURNISH_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    bash:  echo 'eval "$(burnish completion bash)"' >> ~/.bashrc
    zsh:   echo 'eval "$(burnish completion zsh)"' >> ~/.zshrc
    fish:  burnish completion fish > ~/.config/fish/completions/burnish.fish
    """
    from click.shell_completion import get_completion_class

    from burnish.cli.main import burnish

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(burnish, {}, "burnish", VARIABLE)
    # Not `script.source()`: for bash that starts a bash, only to ask for its version.
    click.echo(script.source_template % script.source_vars())
