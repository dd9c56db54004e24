"""Tracking: one MLflow run per tournament or study, kept up to date while it is played.

The runner's part (`tracked`) starts a process and tells it now and then how far play has come; that process
(`tournaments.tracking.process`) reads the folder and writes to the store. So the second that the import of mlflow takes, the
seconds in which a store is created, and the minutes in which one does not answer are nobody's who plays.

By default the runs of all tournaments in one folder (``runs/first``, ``runs/second``) are in one store beside them
(``runs/mlflow.db``, artifacts in ``runs/mlflow``), so that one ``mlflow ui`` compares them. A run is found again by the
tournament's id, so that a tournament which goes on, or gets more blocks, goes on in its run.

Curves are worked out from the ledger at fixed numbers of blocks (`tournaments.tracking.tournaments`), never from what
happened to have arrived: whatever is missing in the store, and be it all, is written later and the same.

What is different for a study is in `tuning.reports.tracking`.
"""

from __future__ import annotations

from tournaments.tracking.runs import default_tracking_uri, experiment_of, experiment_page, reason_of, without_password
from tournaments.tracking.tracker import FINISHED, KILLED, TOURNAMENTS, RunType, ledger_names, tracked

__all__ = [
    "FINISHED",
    "KILLED",
    "TOURNAMENTS",
    "RunType",
    "default_tracking_uri",
    "experiment_of",
    "experiment_page",
    "ledger_names",
    "reason_of",
    "tracked",
    "without_password",
]
