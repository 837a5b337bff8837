from __future__ import annotations

import datetime
import ssl

import pytest
import trustme

from evidence_lint.model.capture import CaptureOutcome
from tests.sources.web.local_servers import Server, Web, always, by_path, reply


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


def server_context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def trusting(ca: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    ca.configure_trust(context)
    return context


def test_name_is_kept_for_sni_host_and_certificate(web: Web, ca: trustme.CA) -> None:
    web.ssl_context = trusting(ca)
    server = web.serve(always(reply("<p>hello")), "a.example", tls=server_context(ca.issue_cert("a.example")))
    capture = web.capture(f"https://a.example:{server.port}/x?y#z")
    assert capture.outcome is CaptureOutcome.OK
    assert not capture.insecure
    [request] = server.requests
    assert request.sni == "a.example"
    assert request.headers["host"] == f"a.example:{server.port}"
    assert request.path == "/x?y"


def test_two_names_on_one_address_share_no_connection(web: Web, ca: trustme.CA) -> None:
    web.ssl_context = trusting(ca)
    server = web.serve(
        always(reply("<p>hello")), "a.example", "b.example", tls=server_context(ca.issue_cert("a.example", "b.example"))
    )
    urls = [f"https://{host}:{server.port}/{n}" for n in range(3) for host in ("a.example", "b.example")]
    captures = web.capture_all(*urls, concurrency=1)
    assert {c.outcome for c in captures.values()} == {CaptureOutcome.OK}
    assert server.connections == len(urls)
    assert all(request.sni == request.headers["host"].partition(":")[0] for request in server.requests)


def test_an_address_as_host_needs_a_certificate_for_the_address(web: Web, ca: trustme.CA) -> None:
    web.ssl_context = trusting(ca)
    good = web.serve(always(reply("<p>hello")), tls=server_context(ca.issue_cert("127.0.0.1")))
    bad = web.serve(always(reply("<p>hello")), tls=server_context(ca.issue_cert("a.example")))
    assert web.capture(f"https://127.0.0.1:{good.port}/").outcome is CaptureOutcome.OK
    assert web.capture(f"https://127.0.0.1:{bad.port}/").outcome is CaptureOutcome.TLS_FAILURE


def expired(ca: trustme.CA) -> trustme.LeafCert:
    return ca.issue_cert("a.example", not_before=datetime.datetime(2019, 1, 1), not_after=datetime.datetime(2020, 1, 1))


def not_yet(ca: trustme.CA) -> trustme.LeafCert:
    return ca.issue_cert("a.example", not_before=datetime.datetime(2036, 1, 1), not_after=datetime.datetime(2037, 1, 1))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda ca: ca.issue_cert("b.example"), "is for another name than a.example"),
        (expired, "has expired"),
        (not_yet, "is not valid yet"),
        (lambda ca: trustme.CA().issue_cert("a.example"), "authority that is not trusted"),
    ],
    ids=["wrong-name", "expired", "not-yet", "unknown-authority"],
)
def test_faults_of_a_certificate_are_told_apart(web: Web, ca: trustme.CA, make, words: str) -> None:
    web.ssl_context = trusting(ca)
    server = web.serve(always(reply("<p>hello")), "a.example", tls=server_context(make(ca)))
    capture = web.capture(f"https://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.TLS_FAILURE
    assert words in capture.reason
    assert server.requests == []


def test_self_signed(web: Web, ca: trustme.CA, tmp_path) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a.example")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("a.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = tmp_path / "self.pem"
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    web.ssl_context = trusting(ca)
    server = web.serve(always(reply("<p>hello")), "a.example", tls=context)
    capture = web.capture(f"https://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.TLS_FAILURE
    assert "is self-signed" in capture.reason


def test_the_default_context_does_not_trust_a_private_authority(web: Web, ca: trustme.CA) -> None:
    server = web.serve(always(reply("<p>hello")), "a.example", tls=server_context(ca.issue_cert("a.example")))
    assert web.capture(f"https://a.example:{server.port}/").outcome is CaptureOutcome.TLS_FAILURE


def test_plain_http_behind_https_is_a_tls_failure(web: Web, ca: trustme.CA) -> None:
    web.ssl_context = trusting(ca)
    server = web.serve(always(reply("<p>hello")), "a.example")
    capture = web.capture(f"https://a.example:{server.port}/", hop_timeout=0.3)
    assert capture.outcome is CaptureOutcome.TIMEOUT
    assert server.requests == []


def test_old_tls_is_refused(web: Web, ca: trustme.CA) -> None:
    context = server_context(ca.issue_cert("a.example"))
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning):
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    web.ssl_context = trusting(ca)
    server = web.serve(always(reply("<p>hello")), "a.example", tls=context)
    assert web.capture(f"https://a.example:{server.port}/").outcome is CaptureOutcome.TLS_FAILURE


def test_https_to_http_is_followed_and_insecure(web: Web, ca: trustme.CA) -> None:
    web.ssl_context = trusting(ca)
    plain = web.serve(always(reply("<p>hello")), "plain.example")
    routes = {"/": reply("", 302, ("Location", f"http://plain.example:{plain.port}/"))}
    server = web.serve(by_path(routes), "a.example", tls=server_context(ca.issue_cert("a.example")))
    capture = web.capture(f"https://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.OK
    assert [hop.insecure for hop in capture.hops] == [False, True]
    assert capture.insecure
    assert any("plain http" in note for note in capture.notes)


def test_http_to_https_is_insecure_too(web: Web, ca: trustme.CA) -> None:
    web.ssl_context = trusting(ca)
    secure = web.serve(always(reply("<p>hello")), "a.example", tls=server_context(ca.issue_cert("a.example")))
    server = web.serve(always(reply("", 301, ("Location", f"https://a.example:{secure.port}/"))), "b.example")
    capture = web.capture(f"http://b.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.OK
    assert capture.insecure


@pytest.mark.parametrize(
    "greeting", [b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x03\x00\x02\x02\x28"]
)
def test_what_does_not_speak_tls_is_a_tls_failure(web: Web, ca: trustme.CA, greeting: bytes) -> None:
    web.ssl_context = trusting(ca)
    server = Server(always(b""), "127.0.0.1", None, greeting=greeting)
    web.servers.append(server)
    web.names["a.example"] = ["127.0.0.1"]
    capture = web.capture(f"https://a.example:{server.port}/")
    assert capture.outcome is CaptureOutcome.TLS_FAILURE
    assert "the encrypted connection to a.example failed" in capture.reason
