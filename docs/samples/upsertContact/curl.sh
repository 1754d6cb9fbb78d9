# Adds a contact to list 1 or updates it, and prints its status.
# An error has the exit code 22 and its type in `error.type`.
# Safe to retry with the same Idempotency-Key.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/newsletter/contacts \
  -H "Authorization: Bearer $EMAIL_API_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: sign-up-1042" \
  -d @- <<'JSON'
{
  "email": "grace@readers.example",
  "list_id": 1,
  "first_name": "Grace",
  "fields": { "city": "Leeds" },
  "consent": { "detail": "Ticked the box at the counter on 31 January" }
}
JSON
