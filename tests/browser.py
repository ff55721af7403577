"""A real, headless Chromium for tests: import `browser`, then open pages with `visit`.

Without Playwright or Chromium the tests skip and say why; with THEGAME_REQUIRE_CHROMIUM set they fail instead.
"""

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def absent(reason):
    """Skip, or fail where a browser is required."""
    if os.environ.get("THEGAME_REQUIRE_CHROMIUM"):
        pytest.fail(f"THEGAME_REQUIRE_CHROMIUM is set, but {reason}")
    pytest.skip(reason)


# Of the module and not of the session: pytest sets an imported fixture up once per importing module, and a second
# Playwright in one thread refuses to start while the first one runs. It takes less than a second.
@pytest.fixture(scope="module")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright is not installed")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        absent(f"none of {', '.join(NAMES)} is on the PATH")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield running
        running.close()


@dataclass
class Seen:
    """What a page asked for and complained about while it was open."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


@contextmanager
def visit(browser, path, **options):
    """Open a file as a reader would, from file://; yields the page and what is seen of it."""
    context = browser.new_context(**options)
    try:
        page, seen = context.new_page(), Seen()

        def dismiss(dialog):
            seen.dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on("console", lambda said: seen.errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("dialog", dismiss)
        page.goto(path.as_uri())
        yield page, seen
    finally:
        context.close()
