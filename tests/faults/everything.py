"""All kinds of faults and of harmless edits, registered."""

from __future__ import annotations

from tests.faults import (
    faults_receipt,
    faults_repository,
    faults_web,
)
from tests.faults.kinds import FAULTS, HARMLESS

MODULES = (faults_receipt, faults_repository, faults_web)

__all__ = ["FAULTS", "HARMLESS", "MODULES"]
