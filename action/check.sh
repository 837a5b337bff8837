#!/usr/bin/env bash
# Runs the check for the action: annotations on standard output, SARIF and the job summary in files. The inputs come
# as environment variables and are only ever used as whole arguments.
set -euo pipefail

arguments=(--format github)
if [ -n "${SARIF:-}" ]; then
  arguments+=(--format sarif --output "$SARIF")
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  arguments+=(--format markdown --output "$GITHUB_STEP_SUMMARY")
fi
# `github` has no file of its own, so it goes to standard output.
if [ -n "${POLICY_FROM:-}" ]; then
  arguments+=(--policy-from "$POLICY_FROM")
fi
if [ "${OFFLINE:-false}" = "true" ]; then
  arguments+=(--offline)
fi
arguments+=(--fail-on "${FAIL_ON:-error}")

paths=()
while IFS= read -r path; do
  if [ -n "$path" ]; then
    paths+=("$path")
  fi
done <<<"${PATHS:-.}"
if [ "${#paths[@]}" -eq 0 ]; then
  paths=(.)
fi

exec evidence-lint check "${arguments[@]}" -- "${paths[@]}"
