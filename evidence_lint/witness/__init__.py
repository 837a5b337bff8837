"""Witnesses: the crossing of the boundaries that a record cannot be trusted about, each made once.

A witness takes the model and returns facts: frozen values that rules read. What the records claim, what Git, the
network and the pages say, and what a claim has earned by that, is worked out here and nowhere else, so that selection
and suppression of rules never change it.
"""
