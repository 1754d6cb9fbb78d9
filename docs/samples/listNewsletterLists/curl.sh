# Prints the newsletter lists of the account with their ids.
# An error has the exit code 22 and its type in `error.type`.
curl --fail-with-body -sS -w '\n' \
  https://api.example.com/api/v1/newsletter/lists \
  -H "Authorization: Bearer $EMAIL_API_KEY"
