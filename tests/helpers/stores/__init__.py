"""What tests of tracking share: servers of MLflow, the processes that write runs, and looks at runs."""
