"""The page in a real browser: the policy lets its own script run, the filters filter, nothing hostile runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time

import pytest

from evidence_lint.model.result import FormatOptions
from evidence_lint_plugins.formats.html import render
from tests.plugins.formats import format_support as made

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
BASH = shutil.which("bash")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None or BASH is None, reason="no Chromium on PATH"),
]


class Browser:
    """A headless Chromium spoken to over its debugging pipe: JSON messages that end in a zero byte."""

    def __init__(self, profile):
        theirs, self._write = os.pipe()
        self._read, ours = os.pipe()
        command = (
            f'exec "$0" --headless --no-sandbox --disable-gpu --remote-debugging-pipe --user-data-dir="$1" '
            f"3<&{theirs} 4>&{ours} 2>/dev/null"
        )
        self._process = subprocess.Popen([BASH, "-c", command, CHROMIUM, str(profile)], pass_fds=(theirs, ours))
        os.close(theirs)
        os.close(ours)
        self._number = 0
        self._rest = b""

    def close(self):
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._read)
        os.close(self._write)

    def call(self, method, session=None, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._rest:
                block = os.read(self._read, 65536)
                assert block, "the browser has gone"
                self._rest += block
            raw, _, self._rest = self._rest.partition(b"\0")
            answer = json.loads(raw)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, path):
        target = self.call("Target.createTarget", url=path.as_uri())["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        ready = "document.readyState === 'complete' && location.protocol === 'file:'"
        deadline = time.monotonic() + 20
        while not self.value(session, ready):
            assert time.monotonic() < deadline, "the page did not load"
            time.sleep(0.02)
        return session

    def value(self, session, expression):
        answer = self.call("Runtime.evaluate", session, expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture
def session(browser, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "results.html"
    path.write_text(render(getattr(made, request.param)(tmp_path), FormatOptions()), encoding="utf-8")
    return browser.open(path)


SHOWN = "[...document.querySelectorAll('details.verdict')].filter(d => d.offsetParent !== null).length"
CHANGE = "(() => {{ const f = document.getElementById('filters'); {change}; f.dispatchEvent(new Event('input')); }})()"


@pytest.mark.parametrize("session", ["typical"], indirect=True)
def test_filters(browser, session):
    assert browser.value(session, "document.getElementById('filters').hidden") is False
    assert browser.value(session, SHOWN) == 8
    browser.value(session, CHANGE.format(change="f.elements.rule.value = 'CIT101'"))
    assert browser.value(session, SHOWN) == 1
    browser.value(session, CHANGE.format(change="f.elements.rule.value = ''"))
    uncheck = "f.querySelector('input[value=skipped]').checked = false"
    browser.value(session, CHANGE.format(change=uncheck))
    assert browser.value(session, SHOWN) == 5
    browser.value(session, CHANGE.format(change="f.elements.confidence.value = 'medium'"))
    status = browser.value(session, "document.getElementById('shown').textContent")
    assert status == "1 of 3 findings and 5 of 8 listed checks are shown."
    browser.value(session, "document.getElementById('open').click()")
    assert browser.value(session, "document.querySelectorAll('details.verdict[open]').length") == 5


@pytest.mark.parametrize("session", ["hostile"], indirect=True)
def test_hostile_page_is_quiet_and_fits_a_phone(browser, session):
    assert browser.value(session, "document.scripts.length") == 1
    assert browser.value(session, "performance.getEntriesByType('resource').length") == 0
    browser.call("Emulation.setDeviceMetricsOverride", session, width=360, height=800, deviceScaleFactor=1, mobile=True)
    browser.value(session, "document.getElementById('open').click()")
    assert browser.value(session, "document.documentElement.scrollWidth") <= 360
