# Puts an address on list 1, or updates it there, and prints its status.
# If it is refused, the answer says why in `error.type`, and curl ends with status 22.
# With the same Idempotency-Key it can be run again: it is done once.
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
