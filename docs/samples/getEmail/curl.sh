# Prints what became of a message.
# If it is not found or refused, the answer says so in `error.type`, and curl ends with status 22.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/emails/01JD7Q2M4T8VX3W5 \
  -H "Authorization: Bearer $EMAIL_API_KEY"
