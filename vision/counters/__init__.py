"""Striped counters without a code: found, measured and told apart."""
