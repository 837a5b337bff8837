"""Producing repository records, so that honest ones are easy: pins of code lines, receipts of test runs (chapter 5)."""
