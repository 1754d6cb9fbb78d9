import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "https://api.example.com/api/v1/emails/batch"
ready = {"from": "hello@bakery.example", "subject": "Your order is ready"}
messages = [
    {**ready, "to": ["ada@readers.example"], "text": "Come and get it, Ada."},
    {**ready, "to": ["grace@readers.example"], "text": "Come and get it, Grace."},
]
request = Request(url, data=json.dumps({"emails": messages}).encode())
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")
request.add_header("Content-Type", "application/json")
request.add_header("Idempotency-Key", "monday-orders")  # safe to retry

try:
    with urlopen(request, timeout=30) as response:
        for message in json.load(response)["data"]:
            print(message["id"])
except HTTPError as failure:
    error = json.loads(failure.read() or "{}").get("error", {})  # a 500 may have no body
    sys.exit(f"{failure.code} {error.get('type')}: {error.get('message')}")
