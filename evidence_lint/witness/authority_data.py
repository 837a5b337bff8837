"""The built-in lists behind authority tiers (chapter 4); configuration extends them through the registry."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


GOVERNMENT_LABELS = frozenset({"gov", "govt", "gob", "gub", "gouv", "guv", "gc", "gv", "mil"})
"""Labels that make a public suffix of the ICANN section a government namespace (``gov.uk``, ``gob.mx``)."""

GO_COUNTRIES = frozenset({"ci", "cr", "id", "jp", "ke", "kr", "th", "tj", "tz", "ug"})
"""Countries whose ``go`` is the government's; ``go.it`` is the province of Gorizia."""

GOVERNMENT_HOSTS: dict[str, str] = {
    "admin.ch": "the Swiss federal administration",
    "belgium.be": "the Belgian federal government",
    "bund.de": "the German federal administration",
    "bundesregierung.de": "the German federal government",
    "bundestag.de": "the German parliament",
    "canada.ca": "the Government of Canada",
    "dep.no": "the Norwegian ministries",
    "europa.eu": "the institutions of the European Union",
    "fed.us": "United States federal bodies",
    "fgov.be": "the Belgian federal government",
    "gesetze-im-internet.de": "the German federal ministry of justice",
    "gov.scot": "the Scottish Government",
    "gov.wales": "the Welsh Government",
    "government.nl": "the Government of the Netherlands",
    "nsn.us": "Native sovereign nations of the United States",
    "overheid.nl": "the Government of the Netherlands",
    "parliament.nz": "the Parliament of New Zealand",
    "parliament.uk": "the Parliament of the United Kingdom",
    "regeringen.se": "the Government of Sweden",
    "regjeringen.no": "the Government of Norway",
    "rijksoverheid.nl": "the Government of the Netherlands",
    "riksdagen.se": "the Parliament of Sweden",
    "stat.no": "Norwegian state bodies",
    "valtioneuvosto.fi": "the Government of Finland",
}
"""Government namespaces that the public suffix list does not tell by a label."""

ACADEMIC_LABELS = frozenset({"edu", "ac"})

INSTITUTIONAL_HOSTS = frozenset(
    _words(
        """
    acm.org arxiv.org biorxiv.org cambridge.org cell.com cern.ch crossref.org doi.org ieee.org iop.org
    imf.org jstor.org mdpi.com medrxiv.org mpg.de nature.com nejm.org oecd.org oup.com plos.org pnas.org
    royalsocietypublishing.org sagepub.com science.org sciencedirect.com semanticscholar.org springer.com
    springeropen.com biomedcentral.com ssrn.com tandfonline.com thelancet.com bmj.com aps.org aip.org
    acs.org rsc.org usenix.org wiley.com worldbank.org un.org who.int unesco.org itu.int openreview.net
    aclanthology.org neurips.cc jmlr.org elsevier.com ethz.ch epfl.ch
    """
    )
)

NEWS_HOSTS = frozenset(
    _words(
        """
    reuters.com apnews.com bbc.com bbc.co.uk bloomberg.com ft.com wsj.com nytimes.com washingtonpost.com
    theguardian.com economist.com cnn.com cnbc.com npr.org aljazeera.com afp.com dw.com lemonde.fr
    spiegel.de zeit.de faz.net sueddeutsche.de elpais.com nikkei.com asahi.com nhk.or.jp yna.co.kr scmp.com
    xinhuanet.com caixin.com theverge.com arstechnica.com wired.com techcrunch.com theregister.com zdnet.com
    politico.com axios.com time.com forbes.com businessinsider.com usatoday.com latimes.com abc.net.au
    cbc.ca irishtimes.com independent.co.uk telegraph.co.uk thetimes.co.uk euronews.com lwn.net heise.de
    """
    )
)

FORUM_HOSTS = frozenset(
    _words(
        """
    reddit.com stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com
    mathoverflow.net news.ycombinator.com lobste.rs quora.com zhihu.com v2ex.com discord.com discourse.org
    twitter.com x.com facebook.com mastodon.social bsky.app threads.net weibo.com tieba.baidu.com 4chan.org
    segmentfault.com
    """
    )
)

PUBLISHING_HOSTS = frozenset(
    _words(
        """
    medium.com dev.to substack.com hashnode.dev hashnode.com wordpress.com blogspot.com blogger.com ghost.io
    tumblr.com wixsite.com weebly.com squarespace.com notion.site telegra.ph write.as hackernoon.com
    hubpages.com buzzfeed.com linkedin.com prnewswire.com businesswire.com globenewswire.com
    einpresswire.com accesswire.com prweb.com csdn.net jianshu.com cnblogs.com juejin.cn qiita.com zenn.dev
    note.com velog.io tistory.com beehiiv.com g2.com capterra.com
    """
    )
)
