# Takes a contact off list 2. The @ of the address is written %40.
# Without list_id it leaves everything. Neither can be undone through the API.
# If it is refused, the answer says why in `error.type`, and curl ends with status 22.
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
