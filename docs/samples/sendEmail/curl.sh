# Sends one message and prints the answer, with its id.
# If it is refused, the answer says why in `error.type`, and curl ends with status 22.
# With the same Idempotency-Key it can be run again: the message goes out once.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/emails \
  -H "Authorization: Bearer $EMAIL_API_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: order-1042-ready" \
  -d @- <<'JSON'
{
  "from": "hello@bakery.example",
  "to": ["ada@readers.example"],
  "subject": "Your bread is ready",
  "html": "<p>Come and get it.</p>",
  "text": "Come and get it."
}
JSON
