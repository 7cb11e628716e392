"""The HTTP bodies of addresses for mails, to which links for a new password and the digest of the week are sent."""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.house import Code
from cadogan.wire.values import LanguageTag, Value

Address = Annotated[str, Meta(max_length=254, examples=["ada@mail.example"])]


class MailAddress(Value, frozen=True, kw_only=True):
    """The player's address, if any, and whether it is confirmed. Without an SMTP server it is not `offered`.

    `digest` says whether the digest of the week comes there, and `digest_offered` whether this server sends any.
    """

    offered: bool
    address: Address | None = None
    confirmed: bool = False
    digest: bool = False
    digest_offered: bool = False


class NewMailAddress(Value, frozen=True, kw_only=True):
    """Have an address confirmed by a mail, in a language of the pages."""

    address: Address
    language: LanguageTag = "en"


class ConfirmMailAddress(Value, frozen=True, kw_only=True):
    """Confirm an address with the code from the mail."""

    code: Code


class MailRecovery(Value, frozen=True, kw_only=True):
    """Ask for a link that sets a new password, to be sent to a confirmed address."""

    address: Address


class MailDigest(Value, frozen=True, kw_only=True):
    """Have the digest of the week sent to one's confirmed address, in a language of the pages, or no more."""

    on: bool
    language: LanguageTag = "en"


class EndMailDigest(Value, frozen=True, kw_only=True):
    """Have no more digests sent, with the code of the link in one of them."""

    code: Code
