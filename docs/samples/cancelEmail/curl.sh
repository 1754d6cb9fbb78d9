# Cancels a scheduled message for good.
# If it has gone out already, the answer says `not_cancellable`, and curl ends with status 22.
curl --fail-with-body -sS -w '\n' -X DELETE \
  https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R \
  -H "Authorization: Bearer $EMAIL_API_KEY"
