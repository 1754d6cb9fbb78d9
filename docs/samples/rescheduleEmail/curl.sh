# Changes the time of a scheduled message.
# Fails with `not_reschedulable` and exit code 22 if it is already sent.
curl --fail-with-body -sS -w '\n' -X PATCH \
  https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R \
  -H "Authorization: Bearer $EMAIL_API_KEY" \
  -H "Content-Type: application/json" \
  -d @- <<'JSON'
{
  "scheduled_at": "2026-12-31T18:00:00+01:00"
}
JSON
