# Prints the status of a message.
# Fails with `not_found` and exit code 22 if there is no such message.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R \
  -H "Authorization: Bearer $EMAIL_API_KEY"
