"""``python -m airlag`` is ``airlag``."""

from airlag.cli import main

main()
