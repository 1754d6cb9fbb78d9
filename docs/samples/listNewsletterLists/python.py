import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request("https://api.example.com/api/v1/newsletter/lists")
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")

try:
    with urlopen(request, timeout=30) as answer:
        for newsletter in json.load(answer)["lists"]:
            print(newsletter["id"], newsletter["name"])
except HTTPError as refused:
    error = json.loads(refused.read() or "{}").get("error", {})  # a 500 may be empty
    sys.exit(f"{refused.code} {error.get('type')}: {error.get('message')}")
