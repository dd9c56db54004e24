"""Tracking: one MLflow run per tournament or study, kept up to date while it is played.

The driver's part (`tracked`) starts a process and sends it the progress of play now and then. That process
(`tag.tournaments.tracking.process`) reads the folder and writes to the store. So play never waits for the import of mlflow
(a second), the creation of a store (seconds) or a store that does not answer (minutes).

By default the runs of all tournaments in one folder (``runs/first``, ``runs/second``) are in one store beside them
(``runs/mlflow.db``, artifacts in ``runs/mlflow``). So one ``mlflow ui`` compares them. A run is found by the
tournament's id, so a tournament that goes on, or gets more blocks, goes on in its run.

Curves are computed from the ledger at fixed numbers of blocks (`tag.tournaments.results.curves`), never from the
games that have arrived so far. Points missing in the store are written later, with the same values.

The differences for a study are in `tag.tuning.reports.tracking`.
"""
