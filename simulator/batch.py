"""Plays ranges of games on all cores: the Python face of the simulator.

Chunks of games go to threads; the kernel lets go of the interpreter, so threads are cores. A game's
outcome depends on nothing but its number, so neither threads nor chunks can change a count.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from simulator.errors import InputError, StrategyError
from simulator.kernel import FINISHED, GAME
from simulator.landmarks import Landmarks, find_landmarks, merge_landmarks
from simulator.loader import load
from simulator.replay import fault, kernel_table, record
from simulator.result import LEFTOVERS, Experiment, Ranges, Result, count_games, join_ranges
from simulator.rules import Rules, Starter, whole_number
from simulator.strategy import Strategy, Value

MOST_GAMES = 2**63 - 1
WORD = 2**64
CHUNK_SECONDS = 0.1  # long enough to cost nothing, short enough for Ctrl-C and progress
FIRST_CHUNK = 1  # a strategy may take a second a game
SHORT_CHUNK = 64  # cutting shorter gains nothing, even in a short batch
LARGEST_CHUNK = 2**20
LAST_CHANCE = 0.5  # seconds that Ctrl-C leaves to the chunks under way
PATIENCE = 60.0  # seconds for one game, before the strategy is said to be stuck

Progress = Callable[[int], None]
Announce = Callable[[str], None]


def say_nothing(_: Any) -> None:
    """The progress or announcement that nobody wants."""


def tell(progress: Progress, before: int, played: int) -> None:
    """Tell how many games are done, those of earlier blocks included."""
    progress(before + played)


def simulate(
    strategy: str | Strategy,
    players: int | None = None,
    games: int = 1_000_000,
    seed: int = 1,
    *,
    first_game: int = 0,
    rules: Rules | None = None,
    expert: bool = False,
    smaller_hands: bool = False,
    hand_size: int | None = None,
    minimum: int | None = None,
    silent: bool = False,
    starter: Starter = "first",
    params: Mapping[str, Value] | None = None,
    threads: int | None = None,
    progress: Progress = say_nothing,
    announce: Announce = say_nothing,
) -> Result:
    """Play games of a seed and count their leftovers.

    ``strategy`` is a name as in ``greedy:extra_gap=3`` or ``my_bot.py``, or a Strategy. Give either
    ``rules`` or the number of players with any of the switches. ``threads`` are all cores unless given.
    ``progress`` is called now and then with the number of games done, ``announce`` with the name of a
    strategy that must be compiled first. Ctrl-C ends early with the games done so far, ``complete`` False.
    """
    loaded = load(strategy).with_params(params or {})
    rules = make_rules(rules, players, expert, smaller_hands, hand_size, minimum, silent, starter)
    batch = Batch(loaded, rules, games, seed, first_game, threads, announce)
    batch.compile()
    started, clock = timestamp(), time.perf_counter()
    batch.run(progress)
    if batch.done == 0:
        raise KeyboardInterrupt
    return Result(
        counts=batch.counts,
        experiment=experiment(loaded, rules, batch.seed),
        ranges=batch.ranges,
        started=started,
        seconds=time.perf_counter() - clock,
        complete=batch.done == batch.games and not batch.interrupted,
        landmarks=batch.landmarks,
    )


def experiment(strategy: Strategy, rules: Rules, seed: int) -> Experiment:
    """What is played, as results keep it."""
    return Experiment(strategy.label, strategy.plain_params(), strategy.fingerprint().hex, rules, seed)


def timestamp() -> str:
    """The time now, as results keep it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def play_out(
    strategy: str | Strategy,
    players: int | None = None,
    seed: int = 1,
    games: range | int = 1000,
    *,
    threads: int | None = None,
    announce: Announce = say_nothing,
    params: Mapping[str, Value] | None = None,
    **switches: Any,
) -> np.ndarray:
    """The leftover of each game, as uint8, in the order of a range of game numbers; an int counts from 0."""
    numbers = range(games) if isinstance(games, int) else games
    if not isinstance(numbers, range) or (len(numbers) > 1 and numbers.step != 1):
        raise InputError(
            f"games must be a number or a range of consecutive games such as range(100, 200), not {games!r}."
        )
    loaded = load(strategy).with_params(params or {})
    rules = make_rules(players=players, **switches)
    batch = Batch(loaded, rules, len(numbers), seed, numbers.start if len(numbers) else 0, threads, announce)
    batch.leftovers = np.empty(len(numbers), dtype=np.uint8)
    batch.run(say_nothing)
    if batch.interrupted:
        raise KeyboardInterrupt
    return batch.leftovers


def play_decks(strategy: str | Strategy, rules: Rules, decks: np.ndarray, seed: int = 0) -> np.ndarray:
    """The leftover of each game when these decks, one a row in the order of the deal, are played."""
    from simulator.compiler import compile_kernel

    loaded = load(strategy)
    decks = np.ascontiguousarray(decks, dtype=np.uint8)
    whole_deck = np.arange(rules.deck.lowest, rules.deck.highest + 1)
    if decks.ndim != 2 or decks.shape[1] != len(whole_deck) or not (np.sort(decks, axis=1) == whole_deck).all():
        raise InputError(f"Every deck must hold each card from {whole_deck[0]} to {whole_deck[-1]} once.")
    leftovers = np.empty(len(decks), dtype=np.uint8)
    beat = np.zeros(2, dtype=np.uint64)
    status = compile_kernel(loaded, rules.deck, "given")(
        kernel_table(rules), np.uint64(seed), np.uint64(0), len(decks), loaded.values(),
        np.zeros(LEFTOVERS, dtype=np.int64), leftovers, None, decks, beat,
    )  # fmt: skip
    if status != FINISHED:
        broken = int(beat[GAME])
        raise StrategyError(
            f"{loaded.label} {record(loaded, rules, seed, broken, decks[broken]).complaint()} in deck {broken}."
        )
    return leftovers


def make_rules(
    rules: Rules | None = None,
    players: int | None = None,
    expert: bool = False,
    smaller_hands: bool = False,
    hand_size: int | None = None,
    minimum: int | None = None,
    silent: bool = False,
    starter: Starter = "first",
) -> Rules:
    """The rules given as such, or put together from the number of players and switches."""
    numbers = {"hand_size": hand_size, "minimum": minimum}
    switches: dict[str, Any] = {name: value for name, value in numbers.items() if value is not None}
    if rules is not None:
        if players is not None or switches or expert or smaller_hands or silent or starter != "first":
            raise InputError("Give either rules=Rules(...) or the number of players with its switches, not both.")
        return rules
    if players is None:
        raise InputError("The number of players is missing; give players=1 to players=5.")
    if switches.get("hand_size") == 0:
        raise InputError("The hand size must be from 1 to 10, not 0.")
    if smaller_hands and not expert:
        raise InputError("smaller_hands is the second step of the expert rules; it goes with expert=True.")
    if expert and minimum is not None:
        raise InputError("Give either expert or a minimum, not both.")
    if expert:
        return Rules.expert(players, smaller_hands, silent=silent, starter=starter, **switches)
    return Rules.standard(players, silent=silent, starter=starter, **switches)


def interruptible(work: Callable[[], Any]) -> Any:
    """What the work returns. It is done beside the main thread, where Ctrl-C does not wait for compiled code."""
    outcome: dict[str, Any] = {}
    finished = threading.Event()

    def run() -> None:
        try:
            outcome["value"] = work()
        except BaseException as problem:
            outcome["problem"] = problem
        finally:
            finished.set()

    threading.Thread(target=run, daemon=True).start()
    while not finished.wait(CHUNK_SECONDS):
        pass
    if "problem" in outcome:
        raise outcome["problem"]
    return outcome["value"]


class Batch:
    """A range of games being played: counts so far, and how far it is."""

    def __init__(
        self,
        strategy: Strategy,
        rules: Rules,
        games: int,
        seed: int,
        first_game: int = 0,
        threads: int | None = None,
        announce: Announce = say_nothing,
    ) -> None:
        self.strategy = strategy
        self.rules = rules
        self.games = whole_number("The number of games", games, 1, MOST_GAMES)
        self.seed = whole_number("The seed", seed, 0, WORD - 1)
        self.first_game = whole_number("The first game", first_game, 0, WORD - self.games)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.threads = cores if threads is None else whole_number("The number of threads", threads, 1, 1024)
        self.announce = announce
        # Short enough that no thread is left playing alone for long at the end.
        self.largest_chunk = min(max(self.games // (8 * self.threads), SHORT_CHUNK), LARGEST_CHUNK)
        self.counts = np.zeros(LEFTOVERS, dtype=np.int64)
        self.landmarks: Landmarks = {}
        self.leftovers: np.ndarray | None = None  # of every game, if somebody wants them
        self.ranges: Ranges = ()  # the games counted
        self.taken = 0  # games that some worker has taken
        self.lock = threading.Lock()
        self.stopping = False
        self.interrupted = False  # by Ctrl-C; the games may be all there nevertheless
        self.closed = False
        self.problem: tuple[int, BaseException] | None = None
        self.play_games: Callable[..., int] | None = None

    def compile(self) -> Callable[..., int]:
        """The kernel of the strategy; the first call may take seconds."""
        from simulator.compiler import compile_kernel  # numba is imported by whoever plays

        if self.play_games is None:
            self.play_games = interruptible(
                lambda: compile_kernel(self.strategy, self.rules.deck, "batch", self.announce)
            )
        return self.play_games

    @property
    def done(self) -> int:
        """How many games are counted."""
        return count_games(self.ranges)

    def run(self, progress: Progress) -> None:
        """Play all games; Ctrl-C stops after the chunks under way, or without those that take too long."""
        play_games = self.compile()
        workers = [Worker(self, play_games) for _ in range(min(self.threads, self.games))]
        for worker in workers:
            worker.start()
        try:
            self.watch(workers, progress)
        except KeyboardInterrupt:
            self.stopping = self.interrupted = True
            deadline = time.monotonic() + LAST_CHANCE
            for worker in workers:
                worker.finished.wait(max(deadline - time.monotonic(), 0))
            self.close()
        if self.problem is not None:
            raise self.problem[1]

    def watch(self, workers: Sequence["Worker"], progress: Progress) -> None:
        """Wait for the workers, tell how far they are, and notice one that no longer moves."""
        while not all(worker.finished.is_set() for worker in workers):
            for worker in workers:
                worker.finished.wait(CHUNK_SECONDS / len(workers))
                if worker.is_stuck():
                    self.give_up(workers, worker.game)
            progress(self.done)
        progress(self.done)  # they may have ended before anybody looked

    def give_up(self, workers: Sequence["Worker"], noticed: int) -> None:
        """Raise the error of the lowest game that is stuck or broken, after a last chance for the others."""
        self.stopping = True
        deadline = time.monotonic() + PATIENCE
        for worker in workers:
            worker.finished.wait(max(deadline - time.monotonic(), 0))
        # The game that was noticed may end in the meantime: it took too long all the same.
        game = min([noticed, *(worker.game for worker in workers if not worker.finished.is_set())])
        if self.problem is not None and self.problem[0] < game:
            raise self.problem[1]
        raise fault(self.strategy, self.rules, self.seed, game, stuck_after=PATIENCE)

    def take(self, wanted: int) -> tuple[int, int]:
        """The next chunk of games: its start, counted from the first game, and its length."""
        with self.lock:
            start = self.taken
            length = 0 if self.stopping else min(wanted, self.games - start)
            self.taken += length
            return start, length

    def add(self, counts: np.ndarray, landmarks: Landmarks, first: int, length: int) -> None:
        """Count a finished chunk."""
        with self.lock:
            if self.closed:
                return
            self.counts += counts
            self.landmarks = merge_landmarks(self.landmarks, landmarks)
            self.ranges = join_ranges(self.ranges, ((first, length),), self.strategy.label)

    def close(self) -> None:
        """Count nothing more: what is there is the result."""
        with self.lock:
            self.closed = True

    def fail(self, game: int, problem: BaseException) -> None:
        """Stop everybody. All earlier games are being played, so the lowest game with a problem is always the same."""
        with self.lock:
            self.stopping = True
            if self.problem is None or game < self.problem[0]:
                self.problem = game, problem


class Worker(threading.Thread):
    """Plays chunk after chunk. A daemon: a strategy that never returns must not keep the program alive."""

    def __init__(self, batch: Batch, play_games: Callable[..., int]) -> None:
        super().__init__(daemon=True)
        self.batch = batch
        self.play_games = play_games
        self.beat = np.zeros(2, dtype=np.uint64)
        self.seen = (-1, 0.0)
        # Not join(): interrupted by Ctrl-C, it takes a running thread for an ended one (Python 3.11).
        self.finished = threading.Event()

    @property
    def game(self) -> int:
        """The number of the game being played."""
        return int(self.beat[GAME])

    def is_stuck(self) -> bool:
        """Whether the same game has been played for too long."""
        now = time.monotonic()
        if self.game != self.seen[0]:
            self.seen = (self.game, now)
        return not self.finished.is_set() and now - self.seen[1] > PATIENCE

    def run(self) -> None:
        """Take chunks, each about as long as CHUNK_SECONDS, until there are none."""
        wanted = FIRST_CHUNK
        try:
            while True:
                start, length = self.batch.take(wanted)
                if length == 0:
                    return
                clock = time.perf_counter()
                self.play(start, length)
                pace = CHUNK_SECONDS / max(time.perf_counter() - clock, 1e-6)
                wanted = int(min(max(length * min(pace, 8.0), 1), self.batch.largest_chunk))
        except BaseException as problem:
            self.batch.fail(self.game, problem)
        finally:
            self.finished.set()

    def play(self, start: int, length: int) -> None:
        """Play one chunk and count it."""
        batch = self.batch
        counts = np.zeros(LEFTOVERS, dtype=np.int64)
        kept = batch.leftovers
        leftovers = np.empty(length, dtype=np.uint8) if kept is None else kept[start : start + length]
        first = batch.first_game + start
        try:
            status = self.play_games(
                kernel_table(batch.rules), np.uint64(batch.seed), np.uint64(first), length,
                batch.strategy.values(), counts, leftovers, None, None, self.beat,
            )  # fmt: skip
        except Exception as error:  # the strategy's own
            raise fault(batch.strategy, batch.rules, batch.seed, self.game) from error
        if status != FINISHED:
            raise fault(batch.strategy, batch.rules, batch.seed, self.game)
        batch.add(counts, find_landmarks(leftovers, first), first, length)
