# Sends two messages in one request and prints the response with their ids.
# If one is invalid, none is sent, and the exit code is 22.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/emails/batch \
  -H "Authorization: Bearer $EMAIL_API_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: monday-orders" \
  -d @- <<'JSON'
{
  "emails": [
    {
      "from": "hello@bakery.example",
      "to": ["ada@readers.example"],
      "subject": "Your order is ready",
      "text": "Come and get it, Ada."
    },
    {
      "from": "hello@bakery.example",
      "to": ["grace@readers.example"],
      "subject": "Your order is ready",
      "text": "Come and get it, Grace."
    }
  ]
}
JSON
