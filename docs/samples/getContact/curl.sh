# Prints a contact and its lists. The @ of the address is written %40.
# If nobody has this address, the answer says `not_found`, and curl ends with status 22.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/newsletter/contacts/subscribed%40readers.example \
  -H "Authorization: Bearer $EMAIL_API_KEY"
