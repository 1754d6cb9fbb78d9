import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "https://api.example.com/api/v1/newsletter/contacts"
contact = {
    "email": "grace@readers.example",
    "list_id": 1,
    "first_name": "Grace",
    "fields": {"city": "Leeds"},
    "consent": {"detail": "Ticked the box at the counter on 31 January"},
}
request = Request(url, data=json.dumps(contact).encode())
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")
request.add_header("Content-Type", "application/json")
request.add_header("Idempotency-Key", "sign-up-1042")  # safe to retry

try:
    with urlopen(request, timeout=30) as response:
        print(json.load(response)["status"])
except HTTPError as failure:
    error = json.loads(failure.read() or "{}").get("error", {})  # a 500 may have no body
    sys.exit(f"{failure.code} {error.get('type')}: {error.get('message')}")
