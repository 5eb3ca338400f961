"""What whoever runs a server for a long time needs besides: logs, metrics, backups."""
