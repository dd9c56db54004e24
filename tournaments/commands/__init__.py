"""Commands around tournaments: reports, exports, series, A/A tests and analyses."""
