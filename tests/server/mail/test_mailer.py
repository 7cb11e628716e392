"""Mails are taken by a real SMTP server, with or without a password; what goes wrong is said without an address."""

from urllib.parse import quote

import pytest

from cadogan.server.core.mailer import Mailer, MailFailed, SmtpServer, is_address, read_sender
from tests.harness.smtp_server import PASSWORD, USER, Post

SENDER = "The club <club@patience.example>"
TEXT = "Grüße aus Győr.\n\nhttps://patience.example/access/" + "x" * 100 + "\n"


async def test_a_mail_arrives_as_it_was_written(post: Post) -> None:
    await Mailer(SmtpServer.read(post.url), SENDER).send("ada@mail.example", "Dein Passwort für den Klub", TEXT)
    mail = await post.next()
    assert (mail["From"], mail["To"], mail["Subject"]) == (SENDER, "ada@mail.example", "Dein Passwort für den Klub")
    assert mail.get_content().splitlines() == TEXT.splitlines()
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Message-ID"].endswith("@patience.example>")
    assert mail["Date"]
    assert post.recipients == ["ada@mail.example"]


async def test_a_mail_has_html_beside_its_text_and_headers_that_no_folding_breaks(post: Post) -> None:
    headers = {"List-Unsubscribe": "<https://patience.example/" + "x" * 200 + ">"}
    mailer = Mailer(SmtpServer.read(post.url), SENDER)
    await mailer.send("ada@mail.example", "Grüße " * 30, TEXT, "<p>Grüße</p>\n", headers)
    mail = await post.next()
    assert dict(mail.raw_items())["List-Unsubscribe"] == headers["List-Unsubscribe"]
    assert mail["Subject"].strip() == ("Grüße " * 30).strip()
    text, html = mail.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert text.get_content().splitlines() == TEXT.splitlines()
    assert html.get_content().splitlines() == ["<p>Grüße</p>"]
    for wrong in ("a\r\nBcc: eve@mail.example", "ä"):
        with pytest.raises(ValueError, match="header"):
            await mailer.send("ada@mail.example", "Hello", "Hello", headers={"List-Unsubscribe": wrong})


async def test_a_server_is_signed_in_to_with_the_password_of_the_url(guarded_post: Post) -> None:
    url = guarded_post.url.replace("//", f"//{USER}:{quote(PASSWORD, safe='')}@")
    await Mailer(SmtpServer.read(url), SENDER).send("ada@mail.example", "Hello", "Hello")
    assert (await guarded_post.next())["To"] == "ada@mail.example"
    with pytest.raises(MailFailed) as failed:
        await Mailer(SmtpServer.read(url.replace(USER, "other")), SENDER).send("ada@mail.example", "Hello", "Hello")
    assert "ada" not in str(failed.value)
    assert "other" not in str(failed.value)


async def test_a_recipient_who_is_refused_and_a_server_that_is_down_are_said(post: Post) -> None:
    post.refused.add("gone@mail.example")
    with pytest.raises(MailFailed, match="SMTPRecipientsRefused"):
        await Mailer(SmtpServer.read(post.url), SENDER).send("gone@mail.example", "Hello", "Hello")
    with pytest.raises(MailFailed, match=r"127\.0\.0\.1:1"):
        await Mailer(SmtpServer.read("smtp://127.0.0.1:1"), SENDER).send("ada@mail.example", "Hello", "Hello")


@pytest.mark.parametrize(
    "text",
    [
        "ada",
        "ada@",
        "@mail.example",
        "a b@mail.example",
        "ada@mail.example\nBcc: eve@mail.example",
        "Ada <a@b.example>",
        "a@b@c.example",
        "ä@mail.example",
        "a@" + "b" * 260 + ".example",
        "a,b@mail.example",
        "",
    ],
)
async def test_a_text_that_is_no_address_is_told_from_one(post: Post, text: str) -> None:
    assert not is_address(text)
    with pytest.raises(ValueError, match="not an address"):
        await Mailer(SmtpServer.read(post.url), SENDER).send(text, "Hello", "Hello")
    assert is_address("ada.byron+patience@mail.example")


@pytest.mark.parametrize(
    "url", ["", "mail.example", "http://mail.example", "smtp://", "smtp://mail.example:0", "smtp://mail.example:x",
            "smtp://user:secret@mail.example/path", "smtp://user:secret@mail.example?tls=1"],
)  # fmt: skip
def test_a_url_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="smtp://user:password@") as refused:
        SmtpServer.read(url)
    assert "secret" not in str(refused.value)


def test_the_port_follows_from_the_scheme() -> None:
    assert SmtpServer.read("smtps://mail.example") == ("mail.example", 465, True, None, None)
    assert SmtpServer.read("smtp://mail.example").port == 25


@pytest.mark.parametrize("text", ["club", "The club", "<club>", "club@patience.example\nBcc: eve@mail.example"])
def test_a_sender_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"club@patience\.example"):
        read_sender(text)
