# ruff: noqa: E501 - tables of vectors read best unbroken
"""Spellings of targets that are never contacted."""

from __future__ import annotations

# Every way to write an address that is not public. A host alone becomes http://host/.
HOSTILE_HOSTS = [
    # plain
    "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "198.18.0.1", "192.0.2.1", "224.0.0.1", "255.255.255.255", "240.0.0.1",
    # short, whole, hexadecimal, octal, mixed
    "127.1", "127.0.1", "0", "0x0", "00", "0x", "0.0", "10.1", "192.168.257", "2130706433", "017700000001",
    "0x7f000001", "0X7F000001", "0x7f.1", "0x7f.0.0.1", "0x7f.0x0.0x0.0x1", "0177.0.0.1", "0177.1", "0177.0.0.01",
    "00000177.0.0.1", "127.0x1", "127.0.0x1", "0x7f.00.0x0.01", "127.000.000.001", "127.00.00.01", "0x00000000007f.1",
    "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "025177524776", "0xa9.254.0251.254", "169.254.43518",
    "169.16689662", "0xA9.0xFE.0xA9.0xFE", "3232235777", "0xc0a80101", "0300.0250.1.1", "167772161", "0xa000001",
    "012.1", "0x0a.1", "4294967295", "0xffffffff", "037777777777",
    # overflowing or broken
    "4294967296", "0x100000000", "040000000000", "256.0.0.1", "127.0.0.256", "1.2.3.4.5", "127.0.0.0x100", "1.16777216",
    "127.0.0.1.", "127.1.", "2130706433.", "127.0.0.1..", "127..1", ".127.0.0.1", "08.8.8.8", "0x7g.1.1.1", "1.2.3.09",
    "example.127", "foo.0x7f", "0xdeadbeefdeadbeefdeadbeef", "99999999999999999999", "-1", "127.0.0.-1", "+127.0.0.1",
    # characters that mapping turns into digits and dots
    "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "１２７.０.０.１", "１２７．０．０．１", "①②⑦.⓪.⓪.①", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "¹²⁷.⁰.⁰.¹",
    "₁₂₇.₀.₀.₁", "127\u00ad.0.0.1", "1\u200b27.0.0.1", "127.0.0.1\u2060", "127.0.0.1。", "２１３０７０６４３３", "0ｘ7f.1",
    "０x７f000001", "169｡254｡169｡254", "②①③⓪⑦⓪⑥④③③", "127.0.0.1\ufeff", "१२७.0.0.1",
    # percent-encoded
    "127%2e0%2e0%2e1", "%31%32%37.0.0.1", "127.0.0.1%00", "127.0.0.1%20", "127.0.0.1%2f", "%6c%6f%63alhost", "local%68ost",
    "example.org%2f@127.0.0.1", "%5b::1%5d", "%E2%91%A0.0.0.1",
    # local names
    "localhost", "LOCALHOST", "LocalHost", "localhost.", "localhost:22", "foo.localhost", "a.b.localhost.", "localhost..",
    "localhost.localdomain", "localhost6", "ip6-localhost", "printer.local", "PRINTER.LOCAL.", "metadata.google.internal",
    "vault.internal", "internal", "local", "intranet", "wiki", "router.home.arpa", "x.onion", "ｌｏｃａｌｈｏｓｔ", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "lo\u00adcalhost", "local\u200bhost", "loc\u2060alhost", "foo.ｌｏｃａｌ", "foo。local", "foo｡internal｡",
    "𝓁𝑜𝒸𝒶𝓁𝒽𝑜𝓈𝓉", "localhoſt", "ﬀ", "localhost\u034f",
    # IPv6
    "[::1]", "[::1]:80", "[::]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[0::1]", "[::0001]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:127.0.0.1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:169.254.169.254]",
    "[::ffff:0:127.0.0.1]", "[::127.0.0.1]", "[::7f00:1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]",
    "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2001:0:7f00:1::]", "[fe80::1]", "[fe80::1%eth0]",
    "[fe80::1%25eth0]", "[::1%1]", "[::1%251]", "[2606:4700::1111%25eth0]", "[fd00::2]", "[fd00:ec2::254]", "[fc00::]",
    "[fec0::1]", "[ff02::1]", "[2001:db8::1]", "[100::1]", "[3fff::1]", "[5f00::1]", "[2a00::5efe:10.0.0.1]", "[4000::1]",
    "[::1", "::1]", "::1", "[::1]x", "[::1]:", "[]", "[:]", "[1.2.3.4]", "[127.0.0.1]", "[v1.::1]", "[::1]]", "[[::1]]", "[::１]",
    "[::ffff:127.0.0.1.]", "[::ffff:0177.0.0.1]", "[0:0:0:0:0:0:0:0:1]", "[::1]@x", "fe80::1", "[::ffff:127.1]",
    # credentials, and characters that parsers disagree about
    "user@example.org", "user:pass@example.org", "@example.org", ":@example.org", "example.org@127.0.0.1",
    "127.0.0.1:80@example.org", "127.0.0.1:6666\\@1.1.1.1", "example.org\\.evil.example", "example.org\\@127.0.0.1",
    "127.0.0.1\\example.org", "a.example\t.evil.example", "a.example\n.evil.example", "a.example\r\nHost: x", "a.example .evil",
    "a.example\x00.evil.example", "a.example\x7f", "a.example\x85", "a.example\u00a0", "a.example\u2028", "a.example\u3000",
    "\x01example.org", " example.org", "example.org ", "example.org＠127.0.0.1", "127.0.0.1＃.example.org", "127.0.0.1／.example.org",
    "127.0.0.1？.example.org", "example.org：80", "a℀b.example", "example.org﹕80", "exam\ud800ple.org",
    # ports and names that are none
    "example.org:0", "example.org:65536", "example.org:99999999", "example.org:-1", "example.org:+80", "example.org:8o",
    "example.org:80:80", "example.org: 80", "example.org:８０", "example.org:0x50", "example.org:1e3", ":80", "", ".", "..",
    ".example.org", "example..org", "example.org..", "exa$mple.org", "exa,mple.org", "<host>", "a'b.example", "exa(mple).org",
    "xn--a.xn--\u00fc.example", "\u0301.example", "-.\u200d.example", "a" * 64 + ".example", ".".join(["a" * 60] * 5),
]  # fmt: skip

HOSTILE_URLS = [
    "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "javascript:alert(1)", "data:text/html,x",
    "ws://example.org/", "unix:///run/x.sock", "http+unix://%2frun%2fx/", "//example.org/", "example.org", "/x", "", "http://",
    "https://", "http:///example.org/", "http:example.org", "http:/example.org", "http:\\\\example.org", "http:/\\example.org",
    "http//example.org", "ht\ttp://example.org/", " http://example.org/", "http://example.org/ ", "http://example.org/a b",
    "http://example.org/\x00", "http://example.org/a\\b", "http://example.org/a\nb", "http ://example.org", "http://?x", "http://#x",
    "http://example.org/\u2029", "view-source:http://example.org/", "jar:http://example.org/!/", "blob:http://example.org/",
    "http://example.org/" + "a" * 9000, "httpſ://example.org/", "h\u200bttp://example.org/", "http:|/example.org/",
]  # fmt: skip
