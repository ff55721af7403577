"""``thegame strategies``: what there is."""

import json
from typing import Any

import click

from simulator.cli.options import complete_strategy
from simulator.strategy import Strategy


@click.command(short_help="List the strategies, or tell all about one.")
@click.argument("name", required=False, shell_complete=complete_strategy)
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def strategies(name: str | None, as_json: bool) -> None:
    """List the strategies that need no path, built-in and installed; or tell all about one.

    Example: thegame strategies reservation
    """
    from simulator.loader import all_names, load

    if as_json:
        click.echo(json.dumps([fields(load(known)) for known in ([name] if name else all_names())], indent=1))
        return
    if name is not None:
        click.echo(description(load(name)))
        return
    for known in all_names():
        strategy = load(known)
        click.echo(f"{known:12} {strategy.summary}")
        if strategy.params:
            click.echo(f"{'':12} {known}:{','.join(parameters(strategy))}")
    click.echo("\nAll about one: thegame strategies NAME. Your own: thegame simulate -s my_bot.py", err=True)


def fields(strategy: Strategy) -> dict[str, Any]:
    """What is known of a strategy, as plain data."""
    return {
        "name": strategy.label,
        "summary": strategy.summary,
        "params": strategy.plain_params(),
        "requests": strategy.request is not None,
        "content_hash": strategy.fingerprint().hex,
        "docs": strategy.docs.strip(),
    }


def parameters(strategy: Strategy) -> list[str]:
    """The parameters with their values, as they are typed; a list by its length."""
    from simulator.strategy import number_text

    return [
        f"{key}={f'[{len(value)} numbers]' if isinstance(value, list | tuple) else number_text(value)}"
        for key, value in strategy.params.items()
    ]


def description(strategy: Strategy) -> str:
    """The summary, parameters, docstring with its figures, and how to see it play."""
    lines = [f"{strategy.label}: {strategy.summary}" if strategy.summary else strategy.label, ""]
    if strategy.params:
        lines += ["parameters: " + ", ".join(parameters(strategy)), ""]
    lines += [f"requests: {'yes' if strategy.request is not None else 'none'}", ""]
    if strategy.docs.strip():
        lines += [strategy.docs.strip(), ""]
    lines += [f"thegame simulate -s {strategy.label} -p 1-5", f"thegame replay {strategy.label} -p 3 --game 0"]
    return "\n".join(lines)
