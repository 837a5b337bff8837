"""All kinds of faults and of harmless edits, registered."""

from __future__ import annotations

from tests.faults import (
    faults_findings,
    faults_index,
    faults_receipt,
    faults_records,
    faults_repository,
    faults_sections,
    faults_web,
    harmless_records,
    harmless_report,
)
from tests.faults.kinds import FAULTS, HARMLESS

MODULES = (
    faults_findings,
    faults_index,
    faults_receipt,
    faults_records,
    faults_repository,
    faults_sections,
    faults_web,
    harmless_records,
    harmless_report,
)

__all__ = ["FAULTS", "HARMLESS", "MODULES"]
