# Sends a message and prints the response with its id.
# An error has the exit code 22 and its type in `error.type`.
# Safe to retry with the same Idempotency-Key: the message is sent once.
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
