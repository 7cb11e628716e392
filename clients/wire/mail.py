"""The HTTP bodies of mail addresses, for links to set a new password and for the weekly digest."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.admin import Code
from cadogan.wire.values import LanguageTag, Value

Address = Annotated[str, Meta(max_length=254, examples=["ada@mail.example"])]


class MailAddress(Value, frozen=True, kw_only=True):
    """The player's address, if any, and whether it is confirmed. `offered` is false without an SMTP server.

    `digest` is whether the weekly digest is sent there, and `digest_offered` whether this server sends digests.
    """

    offered: bool
    address: Address | None = None
    confirmed: bool = False
    digest: bool = False
    digest_offered: bool = False


class NewMailAddress(Value, frozen=True, kw_only=True):
    """Set an address, and send a confirmation mail to it in a language of the pages."""

    address: Address
    language: LanguageTag = "en"


class ConfirmMailAddress(Value, frozen=True, kw_only=True):
    """Confirm an address with the code from the mail."""

    code: Code


class MailRecovery(Value, frozen=True, kw_only=True):
    """Request a link to set a new password, sent to a confirmed address."""

    address: Address


class MailDigest(Value, frozen=True, kw_only=True):
    """Subscribe to the weekly digest at the confirmed address, in a language of the pages, or unsubscribe."""

    on: bool
    language: LanguageTag = "en"


class EndMailDigest(Value, frozen=True, kw_only=True):
    """Unsubscribe from digests, with the code of the link in a digest."""

    code: Code
