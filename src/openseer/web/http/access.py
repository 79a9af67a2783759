"""Host names the site answers to, requests from pages of other sites, origins that may read the API."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from openseer.core.settings import Settings

LOCAL_NAMES = ("localhost", "ip6-localhost", "ip6-loopback")
ANY = "*"
MAX_ORIGIN_LENGTH = 300


class SiteAccess:
    """Decides by the headers of a request; settings `site.address`, `web.hosts` and `web.cross_origin`."""

    def __init__(self, settings: Settings, listening_host: str = "") -> None:
        self._address = urlsplit(settings.site.address).netloc.lower()
        own_name = socket.gethostname().lower()
        names = [*LOCAL_NAMES, own_name, f"{own_name}.local", settings.web.host, listening_host, *settings.web.hosts]
        self._any_host = ANY in settings.web.hosts
        self._names = {name.lower().rstrip(".") for name in names if name} | {host_name(self._address)} - {""}
        self._origins = {origin.rstrip("/").lower() for origin in settings.web.cross_origin}

    def accepts_host(self, host: str) -> bool:
        """True for a name of this site or an IP address; a page of another site can be neither (DNS rebinding)."""
        name = host_name(host.lower())
        if self._any_host or name in self._names or not host:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.endswith(".localhost")
        return True

    def is_cross_site(self, headers: Headers) -> bool:
        """True if a browser sent the request for a page of another site; programs send neither of the two headers."""
        if site := headers.get("sec-fetch-site"):
            return site not in ("same-origin", "none")
        if (origin := headers.get("origin")) is None:
            return False
        return origin.partition("://")[2].lower() not in {headers.get("host", "").lower(), self._address} - {""}

    def allowed_origin(self, origin: str) -> str:
        """Value of Access-Control-Allow-Origin for an origin, or ""."""
        if ANY in self._origins:
            return ANY
        return origin if len(origin) <= MAX_ORIGIN_LENGTH and origin.lower() in self._origins else ""

    @property
    def varies_by_origin(self) -> bool:
        """True if responses of the API differ by origin."""
        return bool(self._origins) and ANY not in self._origins


def host_name(host: str) -> str:
    """A Host header without port, brackets and final dot.

    >>> host_name("localhost:8000"), host_name("[::1]:80"), host_name("Example.org.")
    ('localhost', '::1', 'Example.org')
    """
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        return name if rest[:1] in ("", ":") else host
    return host.partition(":")[0].rstrip(".")
