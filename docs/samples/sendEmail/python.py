import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "https://api.example.com/api/v1/emails"
message = {
    "from": "hello@bakery.example",
    "to": ["ada@readers.example"],
    "subject": "Your bread is ready",
    "html": "<p>Come and get it.</p>",
    "text": "Come and get it.",
}
request = Request(url, data=json.dumps(message).encode())
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")
request.add_header("Content-Type", "application/json")
request.add_header("Idempotency-Key", "order-1042-ready")  # safe to retry

try:
    with urlopen(request, timeout=30) as response:
        print("Accepted:", json.load(response)["id"])
except HTTPError as failure:
    error = json.loads(failure.read() or "{}").get("error", {})  # a 500 may have no body
    sys.exit(f"{failure.code} {error.get('type')}: {error.get('message')}")
