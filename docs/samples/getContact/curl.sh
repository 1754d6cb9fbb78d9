# Prints a contact and its lists. The @ of the email address is encoded as %40.
# Fails with `not_found` and exit code 22 if there is no such contact.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/newsletter/contacts/subscribed%40readers.example \
  -H "Authorization: Bearer $EMAIL_API_KEY"
