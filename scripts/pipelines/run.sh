#!/usr/bin/env bash
# The step of action.yml that runs a command of the package: reports, annotations, the summary of the job.
set -uo pipefail

# One annotation, and a paragraph in the summary of the job. The second argument is the exit code.
fail() {
  local text=${1//'%'/%25} code=${2:-2}
  text=${text//$'\r'/%0D}
  printf '::error title=email-api-contract::%s\n' "${text//$'\n'/%0A}"
  # Without markup, HTML, mentions or references.
  tr -s '\r\n ' ' ' <<< "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/[][\\`*_|~]/\\&/g; s/[@#]/&<!-- -->/g; s/ $/\n/' >> "$GITHUB_STEP_SUMMARY"
  echo "exit-code=$code" >> "$GITHUB_OUTPUT"
  exit "$code"
}

# Runs the program, and keeps what it prints on standard error.
run() {
  {
    "${program[@]}" "$@" 2>&1 >&3 3>&- | tee "$errors" >&2
    code=${PIPESTATUS[0]}
  } 3>&1
}

# The error that ended the program, with its hint.
last_error() {
  sed $'s/\e\\[[0-9;]*m//g' "$errors" | awk '/^error: /{text=""; found=1} found{text=text $0 "\n"} END{printf "%s", text}'
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
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
# Those of an earlier run are none of this one.
rm -f "$REPORTS"/report.{json,html,xml,md} "$REPORTS/badge.svg" "$annotations"

case "$COMMAND" in
  contract | client | observe)
    run "$COMMAND" "${arguments[@]}" --json "$report" --html "$REPORTS/report.html" \
      --junit "$REPORTS/report.xml" --markdown "$summary" --badge "$REPORTS/badge.svg" --annotations "$annotations"
    # Such as --help or --dry-run.
    [ "$code" != 0 ] || [ -s "$report" ] || fail "nothing was tested: the command wrote no report ($COMMAND $ARGUMENTS)"
    written=$report
    ;;
  diff)
    run diff "${arguments[@]}" --format markdown > "$summary"
    written=$summary
    [ ! -s "$summary" ] || "${program[@]}" diff "${arguments[@]}" --format github > "$annotations"
    ;;
  *) fail "command must be contract, client, observe or diff (got \"$COMMAND\")" ;;
esac

if [ ! -s "$written" ]; then
  text=$(last_error)
  fail "${text:-the command ended without a report, see the log ($COMMAND $ARGUMENTS)}" "$code"
fi
[ ! -s "$annotations" ] || cat "$annotations"
rm -f "$annotations"
[ ! -s "$summary" ] || cat "$summary" >> "$GITHUB_STEP_SUMMARY"
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
# 3: no requirement fails, but some are not verified.
[ "$code" != 3 ] || [ "$ALLOW_NOT_VERIFIED" = false ] || exit 0
exit "$code"
