"""The doctor's checks of external services: other nodes, mail, sign-in providers, the beacon, push services."""

from collections.abc import Sequence

from cadogan.server.config import Settings, contact_of
from cadogan.server.operations.doctor import Finding, error, ok, warning

SLOW_WAKE_UP_MILLISECONDS = 1_000
"""A slower wake-up is a warning."""


def check_bus(kind: str, milliseconds: int | None) -> Finding:
    """Check the latency of a wake-up between two nodes (None: it did not arrive). `kind` names the bus."""
    if kind == "local":
        return ok("bus", "none is needed: there is only one node")
    if milliseconds is None:
        advice = "see that it runs and that CADOGAN_BUS reaches it; a pooler before PostgreSQL must keep sessions"
        return error("bus", f"no wake-up arrived through {kind}", advice)
    if milliseconds > SLOW_WAKE_UP_MILLISECONDS:
        advice = "look at its machine and at the network to it"
        return warning("bus", f"a wake-up took {milliseconds} ms through {kind}", advice)
    return ok("bus", f"a wake-up took {milliseconds} ms through {kind}")


def check_mail(settings: Settings, problem: str | None) -> Finding:
    """Check the mail settings, given what is wrong with the SMTP server (None: nothing)."""
    if not settings.smtp_url and not settings.mail_from:
        return ok("mail", "no mails are sent")
    if not settings.smtp_url or not settings.mail_from:
        advice = "set CADOGAN_SMTP_URL and CADOGAN_MAIL_FROM, both or neither"
        return warning("mail", "only one of its two settings is set, so no mails are sent", advice)
    if problem is not None:
        return warning("mail", f"the SMTP server does not take mails: {problem}", "check CADOGAN_SMTP_URL")
    return ok("mail", "the SMTP server takes mails")


def check_provider(settings: Settings, problem: str | None) -> Finding:
    """Check the settings for sign-in by a provider, given what is wrong with the provider (None: nothing)."""
    given = (settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret)
    if not any(given):
        return ok("provider", "nobody signs in by a provider")
    if not all(given):
        advice = "set CADOGAN_OIDC_ISSUER, CADOGAN_OIDC_CLIENT_ID and CADOGAN_OIDC_CLIENT_SECRET, all or none"
        return warning("provider", "only some of its three settings are set, so nobody signs in by it", advice)
    if problem is not None:
        advice = "compare CADOGAN_OIDC_ISSUER, letter by letter, with the `issuer` that the provider's own page says"
        return warning("provider", f"nobody can sign in by it: {problem}", advice)
    return ok("provider", "it answers, and names itself as the settings do")


def check_beacon(chain: str | None, problem: str | None) -> Finding:
    """Check the beacon, given its chain's name and what is wrong with it (both None: the server has no beacon)."""
    if problem is not None:
        advice = "check CADOGAN_BEACON and the way to it; days whose beacon is away open from the secret alone"
        return warning("beacon", f"the beacon does not tell its rounds: {problem}", advice)
    if chain is None:
        return ok("beacon", "there is none: the cards of each day follow from the host's secret alone")
    return ok("beacon", f"the chain {chain} tells its rounds, and they are signed")


def check_webhooks(names: Sequence[str]) -> Finding:
    """Check that webhooks are delivered; `names` are those whose last delivery was abandoned."""
    if names:
        message = f"the last delivery was given up: {', '.join(names[:3])}"
        return warning("webhooks", message, "see on the page /house, under News, why; correct or remove them")
    return ok("webhooks", "no delivery was given up lately")


def check_digests(settings: Settings, readers: int, failed: int) -> Finding:
    """Check that digests are sent to their `readers`; `failed` is how many could not be sent the last time."""
    if readers and not (settings.smtp_url and settings.mail_from and settings.origin):
        advice = "set CADOGAN_SMTP_URL, CADOGAN_MAIL_FROM and CADOGAN_ORIGIN"
        return warning("digests", f"players who get the digest of the week: {readers}, and none is sent", advice)
    if failed:
        message = f"players who get the digest of the week: {readers}, of whom the last one was not taken: {failed}"
        return warning("digests", message, "the log of the server says why, as `mail_failed` and `digest_sent`")
    return ok("digests", f"players who get the digest of the week: {readers}")


def check_notifications(settings: Settings, has_key: bool, problem: str | None, devices: int) -> Finding:
    """Check that notifications can be sent: whether there is a key, what is wrong, and how many devices subscribe."""
    if problem is not None:
        advice = (
            "restore the table `notification_keys` from a backup; or empty it, and every device has to subscribe again"
        )
        return error("notifications", f"the key of the server cannot be used: {problem}", advice)
    if not has_key and devices:
        advice = (
            "restore the table `notification_keys` from a backup; with another key every device has to subscribe again"
        )
        return error("notifications", f"the key is gone with which {devices} devices have subscribed", advice)
    if not has_key:
        return ok("notifications", "the key of the server is made when it is first needed")
    if devices and not contact_of(settings):
        message = (
            f"push services are not told whom to turn to, and some then refuse what the {devices} devices are sent"
        )
        return warning("notifications", message, "write an address with https:// in CADOGAN_ORIGIN")
    return ok("notifications", f"the key of the server can be used, and {devices} devices get notifications")
