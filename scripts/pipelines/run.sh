#!/usr/bin/env bash
# The step of action.yml that runs a command of the package: reports, annotations, the summary of the job.
set -uo pipefail

fail() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=email-api-contract::%s\n' "${text//$'\n'/%0A}"
  exit 2
}

case "$ALLOW_NOT_VERIFIED" in
  true | false) ;;
  *) fail "allow-not-verified must be true or false (got \"$ALLOW_NOT_VERIFIED\")" ;;
esac

program=(node "$GITHUB_ACTION_PATH/bin/email-api-contract.js")
words=$(xargs -r -n1 printf '%s\n' <<< "$ARGUMENTS" 2> /dev/null) || fail "the arguments have a quotation mark without its end: $ARGUMENTS"
arguments=()
[ -z "$words" ] || mapfile -t arguments <<< "$words"
mkdir -p "$REPORTS" || fail "the folder of the reports cannot be created: $REPORTS"
report="$REPORTS/report.json"
summary="$REPORTS/report.md"
annotations="$REPORTS/annotations.txt"
# Those of an earlier run are none of this one.
rm -f "$REPORTS"/report.{json,html,xml,md} "$REPORTS/badge.svg" "$annotations"

case "$COMMAND" in
  contract | client | observe)
    "${program[@]}" "$COMMAND" "${arguments[@]}" --json "$report" --html "$REPORTS/report.html" \
      --junit "$REPORTS/report.xml" --markdown "$summary" --badge "$REPORTS/badge.svg" --annotations "$annotations"
    code=$?
    # Such as --help or --dry-run.
    [ "$code" != 0 ] || [ -s "$report" ] || fail "nothing was tested: the command wrote no report ($COMMAND $ARGUMENTS)"
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
[ "$code" != 3 ] || [ "$ALLOW_NOT_VERIFIED" = false ] || exit 0
exit "$code"
