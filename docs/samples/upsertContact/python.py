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
request.add_header("Idempotency-Key", "sign-up-1042")  # run again, it is done once

try:
    with urlopen(request, timeout=30) as answer:
        print(json.load(answer)["status"])
except HTTPError as refused:
    error = json.loads(refused.read() or "{}").get("error", {})  # a 500 may be empty
    sys.exit(f"{refused.code} {error.get('type')}: {error.get('message')}")
