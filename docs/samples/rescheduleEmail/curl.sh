# Changes the time of a scheduled message to two hours from now.
# Fails with `not_reschedulable` and exit code 22 if it is already sent.
at=$(($(date +%s) + 7200))
time=$(date -u -d "@$at" +%FT%TZ 2>/dev/null || date -u -r "$at" +%FT%TZ) # Linux or macOS
curl --fail-with-body -sS -w '\n' -X PATCH \
  https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R \
  -H "Authorization: Bearer $EMAIL_API_KEY" \
  -H "Content-Type: application/json" \
  -d "{ \"scheduled_at\": \"$time\" }"
