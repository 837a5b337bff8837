"""What walls, consent pages, script-only pages and error pages look like: data for :mod:`.pages`.

All patterns ignore case. Their quantifiers are bounded, and inside a tag they stop at the next ``<``: the
source is hostile, and the time to search it must stay linear.
"""

from __future__ import annotations

import re


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


TITLE = re.compile(r"<title\b[^<>]{0,300}>([^<]{0,500})", re.I)
HEADING = re.compile(r"<h1\b[^<>]{0,300}>(.{0,500}?)</h1", re.I | re.S)
TAG = re.compile(r"<[^<>]{0,2000}>")
UNSEEN = re.compile(r"<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)", re.I | re.S)

#: Whole titles of bot walls.
WALL_TITLE = _any_of(
    r"just a moment(\.\.\.|…)?",
    r"attention required!? \| cloudflare",
    r"(please wait|one moment,? please)(\.\.\.|…)?( \| cloudflare)?",
    r"access denied|request rejected|blocked|you have been blocked",
    r"pardon our interruption(\.\.\.)?",
    r"are you (a robot|human)\??|robot check|captcha.*",
    r"security check(point)?|vercel security checkpoint|ddos-guard|client challenge",
    r"verify(ing)?( that)? you('re| are) (a )?human.*|human verification|bot verification",
    r"checking your browser.*|unusual traffic.*",
    r"making sure you('re| are) not a bot!?",
)

#: Source marks of products (in lower case): each is enough on a page that says little.
WALL_MARKS: tuple[tuple[str, str], ...] = (
    ("_cf_chl_opt", "Cloudflare challenge"),
    ("cf-error-details", "Cloudflare block page"),
    ("cf-browser-verification", "Cloudflare challenge"),
    ("captcha-delivery.com", "DataDome captcha"),
    ("px-captcha", "PerimeterX captcha"),
    ("incapsula incident id", "Imperva block page"),
    ("errors.edgesuite.net", "Akamai block page"),
    ("sec-if-cpt-container", "Akamai challenge"),
    ("sec-cpt-if", "Akamai challenge"),
    ("awswafcookiedomainlist", "AWS WAF challenge"),
    ("window.gokuprops", "AWS WAF challenge"),
    ("bobcmn", "F5 challenge"),
    ("anubis_challenge", "Anubis challenge"),
    ("ddos-guard/js-challenge", "DDoS-Guard challenge"),
    ("validatecaptcha", "captcha page"),
)

#: Marks that these products also put into the pages behind the wall: they count where there is next to no text.
WEAK_WALL_MARKS: tuple[tuple[str, str], ...] = (
    ("_incapsula_resource", "Imperva block page"),
    ("awswafintegration", "AWS WAF challenge"),
    ("kpsdk", "Kasada challenge"),
)

#: What bot walls say; it takes a short page to make these count.
WALL_WORDS = _any_of(
    r"verify (that )?you are (a )?human",
    r"you are not a (ro)?bot|i'?m not a robot",
    r"unusual (traffic|activity) from|our systems have detected unusual",
    r"complete the (security check|captcha)|solve (the|this) (captcha|challenge)",
    r"checking your browser before|checking if the site connection is secure",
    r"needs to review the security of your connection",
    r"sorry, you have been blocked|the requested url was rejected",
    r"automated (access|requests|queries) (to|from)",
    r"press (&|and) hold to confirm",
)

CONSENT_HOST = re.compile(r"(^|\.)(consent\.[a-z0-9-]{1,63}\.[a-z.]{2,20}|guce\.[a-z0-9-]{1,63}\.[a-z.]{2,20})$", re.I)
CONSENT_TITLE = _any_of(
    r"before you continue\b.*",
    r"bevor (sie|du) (fortfahren|fortfährst)\b.*",
    r"avant d['’]accéder\b.*",
)
CONSENT_WORDS = _any_of(
    r"before you continue to",
    r"we use cookies and data to",
    r"accept all (cookies )?to continue|to continue, (please )?accept",
    r"your privacy choices .{0,80}(accept|reject) all",
)

NEEDS_SCRIPT = _any_of(
    r"(enable|activate|turn on|requires?|needs?|without) java ?script",
    r"java ?script (is|to be|must be) (required|disabled|enabled)",
    r"java ?script (is )?(not available|not enabled)",
    r"java ?script aktivieren|activer java ?script",
)
EMPTY_ROOT = re.compile(
    r"<(div|main|section)\b[^<>]{0,300}\bid\s{0,9}=\s{0,9}[\"']?"
    r"(root|app|__next|__nuxt|main-app|react-root|svelte|q-app)[\"']?[^<>]{0,300}>\s*</\1",
    re.I,
)
META_REFRESH = re.compile(
    r"<meta\b[^<>]{0,300}http-equiv\s{0,9}=\s{0,9}[\"']?refresh[\"']?[^<>]{0,300}\burl\s{0,9}=", re.I
)

#: Path segments that can only be a log-in, and those that may be one.
LOGIN_SEGMENT = _any_of(
    r"(user|users|account|accounts|customer|member|wp)?[-_.]?(log-?_?in|sign-?_?in|log-?on)(\.(php|aspx?|html?|jsp|do))?"
)
WEAK_LOGIN_SEGMENT = _any_of(r"auth|authenticate|authorize|oauth2?|sso|saml2?|cas|sessions?|accounts?")
LOGIN_HOST = _any_of(r"(login|signin|sign-in|auth|sso|idp|accounts?|id)[.-]")
RETURN_QUERY = _any_of(
    r"(^|&)(next|return|return_?to|return_?url|redirect|redirect_?(uri|url|to)?|continue|service|goto|target|dest"
    r"|destination|samlrequest|back|ref|referer|came_from|forward)="
)

_THING = r"\b(page|file|article|document|content|resource|site|url)"
#: Whole titles and headings of error pages.
GONE_TITLE = _any_of(
    r"(error )?(404|410)\b.*|not found\b.*|.*[|–—:·-] ?(404|not found)( error)?",
    rf".*{_THING} (was |is |has |can ?not |could not )?(be )?(not found|found|no longer available|missing)\b.*",
    rf".*{_THING} (was |is |has )?(been )?(removed|deleted|moved)\b.*",
    r".*\b(we )?can['’]?t find (that|this|the) page\b.*|nothing (was )?found( here)?|oops\b.*",
    r".*\b(seite|page|página|pagina) (wurde )?(nicht gefunden|introuvable|no encontrada|non trovata)\b.*",
    r".*ページが見つかりません.*|.*页面不存在.*",
)
NOT_GONE = _any_of(rf"{_THING} (was |is |has )?found\b")
#: What error pages say in few words.
GONE_TEXT = _any_of(
    rf"{_THING}( you('re| are| were)? (looking for|requested|tried))?[^.]{{0,40}}"
    r"(not found|(does not|doesn't|no longer) exists?|(could not|cannot|can't|couldn't) be found"
    r"|(is )?no longer available|(has|have) been (removed|deleted|moved))",
    r"error 404|404 error|404 not found",
    r"we (can't|couldn't|could not|cannot) find (the|that|this) page",
)
