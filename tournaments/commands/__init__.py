"""Commands around tournaments: reports, exports, series, A/A tests, analyses and simulations."""
