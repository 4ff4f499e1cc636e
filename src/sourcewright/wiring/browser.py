"""The browser that shows pages which build themselves, where there is one."""

from sourcewright.domain.ports import NoBrowser, RendersPages
from sourcewright.net.network import Network
from sourcewright.settings import Settings


def browser(settings: Settings, network: Network) -> RendersPages:
    del settings, network
    return NoBrowser("no Chromium was found; install one, or set CHROME_PATH")
