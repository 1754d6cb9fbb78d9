# Cancels a scheduled message.
# Fails with `not_cancellable` and exit code 22 if it is already sent.
curl --fail-with-body -sS -w '\n' -X DELETE \
  https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R \
  -H "Authorization: Bearer $EMAIL_API_KEY"
