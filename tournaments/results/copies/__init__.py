"""Agents against copies of themselves: noise, and tests of the set-up."""
