"""What the commands of ``aboveboard score`` share."""

import click

as_json = click.option("--json", "json_", is_flag=True, help="Print one JSON object.")
