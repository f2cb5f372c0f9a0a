"""The command line, with a file for each command."""

from typing import Any

#: Settings of every command.
HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
