"""A benchmark as people read it at a terminal."""

from collections.abc import Callable, Sequence

from benchmarks.recording import Recording
from benchmarks.speed import Spread, spread
from benchmarks.verdicts import LOST, Verdict
from reports.text import plural, rounded, text_table

BASELINE = "greedy"
MINUTE = 60


def matrix(first: str, names: Sequence[str], recording: Recording, cell: Callable[[str, int], str]) -> str:
    """A row for each name, a column for each number of players."""
    columns = {players: f"{plural(players, 'player')}" for players in recording.players}
    return text_table(
        [{first: name, **{title: cell(name, players) for players, title in columns.items()}} for name in names]
    )


def digits(value: float) -> str:
    """Three digits."""
    return f"{value:.0f}" if value >= 99.5 else f"{value:#.3g}"


def with_spread(found: Spread) -> str:
    """A median and half its interval, in percent."""
    return f"{digits(found.median)} ±{50 * (found.high - found.low) / found.median:.1f} %"


def speeds(recording: Recording) -> str:
    """Games per minute on one core."""

    def cell(name: str, players: int) -> str:
        return rounded(MINUTE * spread(recording.rates[name, players]).median)

    return matrix("strategy", recording.strategies, recording, cell)


def against_baseline(recording: Recording) -> str:
    """Every strategy against greedy."""
    names = [name for name in recording.strategies if name != BASELINE]
    return matrix(
        "strategy", names, recording, lambda name, players: with_spread(recording.ratio(name, BASELINE, players))
    )


def against_yardsticks(recording: Recording) -> str:
    """Greedy against every yardstick; where one is missing, why."""

    def cell(name: str, players: int) -> str:
        return "–" if name in recording.missing else with_spread(recording.ratio(BASELINE, name, players))

    table = matrix("yardstick", list(recording.yardsticks), recording, cell)
    return "\n".join([table, *(f"{name}: {why}." for name, why in recording.missing.items())])


def whole(recording: Recording) -> str:
    """Everything but the signature."""
    rounds = plural(recording.rounds, "interleaved round")
    parts = [f"Games per minute on one core, median of {rounds}:", speeds(recording), ""]
    if BASELINE in recording.strategies:
        if len(recording.strategies) > 1:
            parts += ["Against greedy, with the 95 % interval over rounds:", against_baseline(recording), ""]
        parts += ["Greedy, times as fast as the same play written as", against_yardsticks(recording), ""]
    return "\n".join([*parts, about(recording)])


def about(recording: Recording) -> str:
    """Machine and versions on one line."""
    said = dict(recording.machine)
    head = f"{said.pop('processor')}, {plural(int(said.pop('cores')), 'core')}, {said.pop('system')}"
    return f"{head}; " + ", ".join(f"{name} {version}" for name, version in said.items())


def differences(old: Recording, new: Recording) -> list[str]:
    """What makes a comparison less sure, a sentence each."""
    notes = []
    if old.machine.get("processor") != new.machine.get("processor"):
        notes.append(f"Recorded on another processor, {old.machine.get('processor')}: ratios may differ by that.")
    others = [name for name in new.machine if name != "processor" and old.machine.get(name) != new.machine[name]]
    if others:
        was = ", ".join(f"{name} {old.machine.get(name, 'unknown')}" for name in others)
        notes.append(f"Recorded with other versions: {was}.")
    changed = [
        name for name in new.strategies if name in old.signatures if old.signatures[name] != new.signatures[name]
    ]
    if changed:
        notes.append(f"Play has changed: {', '.join(changed)}. Other play takes other time.")
    return notes


def comparison(found: Sequence[Verdict], against: str, tolerance: float) -> str:
    """A row for each verdict, and what they come to."""
    table = text_table(
        [
            {
                "strategy": row.program,
                "players": str(row.players),
                "before": digits(row.before.median),
                "now": digits(row.now.median),
                "time": f"{100 * row.longer:+.1f} %",
                "95 % interval": f"{100 * row.low:+.1f} to {100 * row.high:+.1f} %",
                "verdict": row.verdict,
            }
            for row in found
        ]
    )
    lost = [row for row in found if row.verdict == LOST]
    end = f"No row takes over {100 * tolerance:g} % longer for sure."
    if lost:
        worst = max(lost, key=lambda row: row.longer)
        end = (
            f"{plural(len(lost), 'regression')} beyond {100 * tolerance:g} %; the worst is {worst.program} with "
            f"{plural(worst.players, 'player')}, which takes {100 * worst.longer:.0f} % longer."
        )
    return f"Speed in times of {against}, measured in the same rounds:\n{table}\n{end}"
