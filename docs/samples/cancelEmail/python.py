import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R"
request = Request(url, method="DELETE")
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")

try:
    with urlopen(request, timeout=30) as response:
        print(json.load(response)["status"])
except HTTPError as failure:
    error = json.loads(failure.read() or "{}").get("error", {})  # a 500 may have no body
    sys.exit(f"{failure.code} {error.get('type')}: {error.get('message')}")
