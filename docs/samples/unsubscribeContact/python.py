import json
import os
import sys
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

email = quote("subscribed@readers.example", safe="")
url = f"https://api.example.com/api/v1/newsletter/contacts/{email}/unsubscribe"
# Without list_id: from all lists. The API cannot undo either.
body = {"list_id": 2, "reason": "Asked for it on the phone"}
request = Request(url, data=json.dumps(body).encode())
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")
request.add_header("Content-Type", "application/json")

try:
    with urlopen(request, timeout=30) as response:
        for membership in json.load(response)["lists"]:
            print(membership["list_id"], membership["status"])
except HTTPError as failure:
    error = json.loads(failure.read() or "{}").get("error", {})  # a 500 may have no body
    sys.exit(f"{failure.code} {error.get('type')}: {error.get('message')}")
