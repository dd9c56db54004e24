"""The ledger of a tournament: its folder, rows, games and replays."""
