# Prints the newsletter lists of the account, with their ids.
# If it is refused, the answer says why in `error.type`, and curl ends with status 22.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/newsletter/lists \
  -H "Authorization: Bearer $EMAIL_API_KEY"
