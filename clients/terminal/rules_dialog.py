"""Show the rules of a game."""

from cadogan.terminal.app import TerminalApp
from cadogan.terminal.dialogs import TextDialog
from cadogan.terminal.html_to_markdown import html_to_markdown


async def open_rules(app: TerminalApp, slug: str) -> None:
    """Show the rules with this slug. Raises NotFound or Unreachable."""
    rules = await app.client.rules(slug)
    await app.push_screen(TextDialog(html_to_markdown(rules.page)))
