# Prints the account and the abilities of the API key.
# Fails with `unauthorized` and exit code 22 if the key is invalid.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/me \
  -H "Authorization: Bearer $EMAIL_API_KEY"
