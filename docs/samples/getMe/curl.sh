# Prints the account and the abilities of the key.
# If the key does not work, the answer says `unauthorized`, and curl ends with status 22.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/me \
  -H "Authorization: Bearer $EMAIL_API_KEY"
