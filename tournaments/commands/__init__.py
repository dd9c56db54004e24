"""Commands around tournaments: reports, exports, experiments, A/A tests and analyses."""
