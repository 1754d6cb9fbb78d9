import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R"
request = Request(url, method="DELETE")
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")

try:
    with urlopen(request, timeout=30) as answer:
        print(json.load(answer)["status"])
except HTTPError as refused:
    error = json.loads(refused.read() or "{}").get("error", {})  # a 500 may be empty
    sys.exit(f"{refused.code} {error.get('type')}: {error.get('message')}")
