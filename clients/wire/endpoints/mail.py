"""The endpoints of mail addresses."""

from cadogan.wire import mail
from cadogan.wire.endpoint import API, Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{API}/account/mail",
        "show_mail_address",
        "Show whether this server sends mails, and the address of the player who asks",
        response=mail.MailAddress,
        scope="session",
    ),
    Endpoint(
        "PUT",
        f"{API}/account/mail",
        "set_mail_address",
        "Set the address of the player, and send a link there that confirms it",
        request=mail.NewMailAddress,
        response=mail.MailAddress,
        refusals=("conflict",),
        role="player",
        confirmed=True,
    ),
    Endpoint(
        "DELETE",
        f"{API}/account/mail",
        "remove_mail_address",
        "Forget the address of the player",
        response=mail.MailAddress,
        role="player",
    ),
    Endpoint(
        "PUT",
        f"{API}/account/mail/confirmation",
        "confirm_mail_address",
        "Confirm an address with the code from the mail",
        request=mail.ConfirmMailAddress,
        response=mail.MailAddress,
        refusals=("not_found",),
    ),
    Endpoint(
        "PUT",
        f"{API}/account/mail/digest",
        "set_mail_digest",
        "Have the digest of the week sent to the confirmed address of the player, or no more",
        request=mail.MailDigest,
        response=mail.MailAddress,
        refusals=("conflict",),
        role="player",
    ),
    Endpoint(
        "PUT",
        f"{API}/account/mail/digest/end",
        "end_mail_digest",
        "Have no more digests sent, with the code of the link in one of them; asked for again, nothing more",
        request=mail.EndMailDigest,
        response=mail.MailAddress,
        refusals=("not_found",),
    ),
    Endpoint(
        "PUT",
        f"{API}/account/mail/recovery",
        "recover_by_mail",
        "Send a link that sets a new password to an address; the answer is the same whether or not somebody has it",
        request=mail.MailRecovery,
        response=mail.MailAddress,
        refusals=("conflict",),
    ),
)
