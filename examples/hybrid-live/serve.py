"""Serve the one page that the hybrid bundles cite, on a loopback port.

    python examples/hybrid-live/serve.py            # http://127.0.0.1:8765/, until Ctrl-C

The bundles name that port. Captures reach public addresses only; this server is reached with
``--allow-network 127.0.0.0/8``, which the output tells, and what is fetched there never counts as T1.
"""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = 8765
PAGE = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Village library: lending rules</title></head>
<body>
<nav><a href="/">Home</a> <a href="/lending-rules">Lending rules</a></nav>
<main>
<h1>Lending rules</h1>
<p>You may keep an item for <b>three weeks</b>. A loan can be renewed twice.</p>
<p>We do not renew an item that another reader has reserved. Overdue items cost nothing, but please think of the
others.</p>
</main>
</body>
</html>
"""


class Site(BaseHTTPRequestHandler):
    """Two addresses: the rules, and an old name that redirects to them."""

    def do_GET(self) -> None:
        """Answer a request."""
        if self.path == "/rules":
            self.send_response(301)
            self.send_header("Location", "/lending-rules")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        found = self.path == "/lending-rules"
        body = PAGE.encode() if found else b"There is no such page."
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log each request, unless standard error is closed."""
        sys.stderr.write(f"{self.address_string()} {format % args}\n")


def make_server(port: int = PORT) -> ThreadingHTTPServer:
    """Bind the site to a loopback port; 0 takes a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), Site)


def main(arguments: list[str]) -> int:
    """Serve until the process is interrupted."""
    with make_server(int(arguments[0]) if arguments else PORT) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/lending-rules", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
