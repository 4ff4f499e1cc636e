"""Builds sign-in from the settings."""

from sourcewright.net.fetch.identity_provider import IdentityProvider
from sourcewright.settings import Settings
from sourcewright.web.refusals import RefusalLog
from sourcewright.web.signin.bearer import SignIn
from sourcewright.web.signin.key_set import KeySet
from sourcewright.web.signin.metadata import Challenge
from sourcewright.web.signin.tokens import TokenChecker
from sourcewright.wiring import Application


def build_sign_in(settings: Settings, application: Application, refusals: RefusalLog) -> SignIn:
    """Build what checks tokens and API keys; the keys of the issuer are fetched on first use."""
    parts = application.services.parts

    return SignIn(
        tokens=_tokens(settings, application),
        api_keys=parts.api_keys if settings.api_keys else None,
        credentials=parts.credentials,
        required_scopes=frozenset(settings.required_scopes),
        enforce_scopes=settings.enforce_scopes,
        challenge=Challenge(issuer=settings.oauth_issuer_url, public_url=settings.public_url),
        refusals=refusals,
        behind_proxy=settings.trust_proxy,
    )


def _tokens(settings: Settings, application: Application) -> TokenChecker | None:
    issuer, audience = settings.oauth_issuer_url, settings.oauth_audience
    if issuer is None or audience is None:
        return None
    parts = application.services.parts
    provider = IdentityProvider(parts.client, issuer, parts.clock)
    keys = KeySet(provider.keys, clock=parts.clock, refresh_seconds=settings.jwks_refresh_interval)
    return TokenChecker(
        issuer=issuer,
        audience=audience,
        tenant_claim=settings.tenant_claim,
        keys=keys,
        clock=parts.clock,
    )
