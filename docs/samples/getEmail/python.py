import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request("https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R")
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")

try:
    with urlopen(request, timeout=30) as response:
        message = json.load(response)
        print(message["status"], message["status_description"])
        if message["bounce"]:
            print(message["bounce"]["summary"], message["bounce"]["what_to_do"])
except HTTPError as failure:
    error = json.loads(failure.read() or "{}").get("error", {})  # a 500 may have no body
    sys.exit(f"{failure.code} {error.get('type')}: {error.get('message')}")
