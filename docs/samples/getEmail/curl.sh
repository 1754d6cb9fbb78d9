# Prints the status of a message.
# Fails with `not_found` and exit code 22 if there is no such message.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/emails/01JD7Q2M4T8VX3W5 \
  -H "Authorization: Bearer $EMAIL_API_KEY"
