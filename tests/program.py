"""The program as tests run it: in a process of its own, at a terminal of its own, or its main() within the test."""

import contextlib
import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
import warnings
from dataclasses import dataclass

import pytest

from simulator import cli

PROGRAM = [sys.executable, "-m", "simulator"]
ROWS_AND_COLUMNS = 40, 100
PATIENCE = 60.0  # seconds that anything may take on a busy machine
PROMPT = 3.0  # seconds that Ctrl-C may take there


def run(*words, folder=None, timeout=120, **settings):
    """Run the program in a process of its own."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **settings}
    return subprocess.run([*PROGRAM, *map(str, words)], cwd=folder, timeout=timeout, check=False, **settings)


@dataclass
class Done:
    """What a call came to, named as in subprocess."""

    returncode: int
    stdout: str
    stderr: str


def call(*words, folder):
    """Run the program's main() here, as if started in the folder; a hundred times faster than a process."""

    def leave(code):
        raise SystemExit(code)

    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["thegame", *map(str, words)])
        patch.setattr(cli, "leave", leave)
        patch.setattr(warnings, "showwarning", warnings.showwarning)  # main() puts its own there
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            try:
                cli.main()
            except SystemExit as end:
                code = end.code
    return Done(code, *(stream.buffer.getvalue().decode() for stream in (stdout, stderr)))


def files_in(folder):
    """Everything below a folder, hidden or not: names, and the bytes of files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


class Terminal:
    """The program at a terminal, which shows stderr, and stdout as well unless it goes to a pipe."""

    def __init__(self, *words, folder=None, piped=True, **environment):
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, ROWS_AND_COLUMNS)
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [*PROGRAM, *map(str, words)],
            cwd=folder,
            env=kept | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if piped else slave,
            stderr=slave,
        )
        os.close(slave)
        self.shown = ""
        self.stdout = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self.master)

    def read(self, deadline):
        """Take in what the terminal was sent; whether there may be more."""
        ready, _, _ = select.select([self.master], [], [], max(deadline - time.monotonic(), 0))
        assert ready, f"nothing more came after {self.shown[-300:]!r}"
        try:
            news = os.read(self.master, 65536)
        except OSError:  # how Linux says that the program has ended
            return False
        self.shown += news.decode(errors="replace")
        return bool(news)

    def wait_for(self, pattern, patience=PATIENCE):
        """Watch until the terminal shows it."""
        deadline = time.monotonic() + patience
        while not re.search(pattern, self.shown):
            assert self.read(deadline), f"ended without {pattern!r}: {self.shown[-300:]!r}"

    def finish(self, patience=PATIENCE):
        """Watch until the program ends; its exit code."""
        deadline = time.monotonic() + patience
        while self.read(deadline):
            pass
        code = self.process.wait(max(deadline - time.monotonic(), 0.1))
        self.stdout = self.process.stdout.read().decode() if self.process.stdout is not None else ""
        return code

    def interrupt(self):
        """Press Ctrl-C; the exit code, which has to come promptly."""
        self.process.send_signal(signal.SIGINT)
        return self.finish(PROMPT)
