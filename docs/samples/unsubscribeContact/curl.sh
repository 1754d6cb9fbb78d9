# Unsubscribes a contact from list 2. The @ of the email address is encoded as %40.
# Without list_id: from all lists. The API cannot undo either.
# An error has the exit code 22 and its type in `error.type`.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/newsletter/contacts/subscribed%40readers.example/unsubscribe \
  -H "Authorization: Bearer $EMAIL_API_KEY" \
  -H "Content-Type: application/json" \
  -d @- <<'JSON'
{
  "list_id": 2,
  "reason": "Asked for it on the phone"
}
JSON
