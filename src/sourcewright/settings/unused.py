"""Environment variables of comparable servers that have no effect here.

A client's configuration file that was written for one of them may set such a variable. It is no
error, because it may be meant for another program; `sourcewright doctor` names it.
"""

from collections.abc import Mapping
from types import MappingProxyType

UNUSED: Mapping[str, str] = MappingProxyType(
    {
        "AUDIT_BUFFER_SIZE": "every event is written before the answer is returned",
        "AUDIT_WEBHOOK_URL": "read the audit log instead, at AUDIT_OUTPUT_PATH",
        "BRANDFETCH_API_KEY": "brand_research reads the company's own pages",
        "DATA_REGION": "everything is kept on this machine, or in the Redis of REDIS_URL",
        "DOIGET_ADS_TOKEN": "ADS is not among the sources",
        "DOIGET_CACHE_DISABLED": "set SOURCEWRIGHT_CACHE=false instead",
        "DOIGET_CACHE_ROOT": "set CACHE_DIR instead",
        "DOIGET_COLOR": "set NO_COLOR to print without colours",
        "DOIGET_ENABLE_INSPIRE": "INSPIRE is not among the sources",
        "DOIGET_MODE": "use the option --json of a command",
        "DOIGET_PROGRESS": "progress is shown on a terminal only",
        "DOIGET_USER_AGENT": "sources are told the name and version of this program",
        "JINA_API_KEY": "no page is sent to Jina",
        "JINA_READER_DISABLED": "no page is sent to Jina",
        "LOG_FORMAT": "messages are printed as lines of text",
        "MAX_SCRAPE_CONCURRENCY_PER_TENANT": "MAX_SCRAPE_CONCURRENCY limits all tenants together",
        "METRICS_MAX_TENANTS": "metrics are not counted by tenant",
        "RATE_LIMIT_PERSIST": "the counts of requests are always kept",
        "SEARCH_THIN_THRESHOLD": "an engine without results is followed by the next one",
    }
)
"""Each variable, with the reason or what to use instead."""


def unused_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that are set and have no effect, with the reason."""
    return {name: why for name, why in UNUSED.items() if environment.get(name, "").strip()}
