"""`python -m cadogan` is the command."""

from cadogan.cli import main

main()
