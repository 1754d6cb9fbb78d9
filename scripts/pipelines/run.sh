#!/usr/bin/env bash
# The step of action.yml that runs a command of the package: reports, annotations, the summary of the job.
set -uo pipefail

fail() {
  printf '::error title=email-api-contract::%s\n' "$1"
  exit 2
}

case "$FAIL_ON" in
  failure | not-verified) ;;
  *) fail "fail-on must be failure or not-verified (got \"$FAIL_ON\")" ;;
esac

program=(node "$GITHUB_ACTION_PATH/bin/email-api-contract.js")
words=$(xargs -r -n1 printf '%s\n' <<< "$ARGUMENTS" 2> /dev/null) || fail "the arguments have a quotation mark without its end: $ARGUMENTS"
arguments=()
[ -z "$words" ] || mapfile -t arguments <<< "$words"
mkdir -p "$REPORTS" || fail "the folder of the reports cannot be created: $REPORTS"
summary="$REPORTS/report.md"
annotations="$REPORTS/annotations.txt"

case "$COMMAND" in
  contract | client | observe)
    "${program[@]}" "$COMMAND" "${arguments[@]}" --json "$REPORTS/report.json" --html "$REPORTS/report.html" \
      --junit "$REPORTS/report.xml" --markdown "$summary" --badge "$REPORTS/badge.svg" --annotations "$annotations"
    code=$?
    ;;
  diff)
    "${program[@]}" diff "${arguments[@]}" --format markdown > "$summary"
    code=$?
    "${program[@]}" diff "${arguments[@]}" --format github > "$annotations"
    ;;
  *) fail "command must be contract, client, observe or diff (got \"$COMMAND\")" ;;
esac

[ ! -s "$annotations" ] || cat "$annotations"
rm -f "$annotations"
[ ! -s "$summary" ] || cat "$summary" >> "$GITHUB_STEP_SUMMARY"
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
# 3: no requirement fails, but some are not verified.
[ "$code" != 3 ] || [ "$FAIL_ON" = not-verified ] || exit 0
exit "$code"
