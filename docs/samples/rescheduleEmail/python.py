import json
import os
import sys
from datetime import datetime, timedelta, timezone
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "https://api.example.com/api/v1/emails/sched_01JD7Q9V5N3K8R"
in_two_hours = (datetime.now(timezone.utc) + timedelta(hours=2)).isoformat()
change = json.dumps({"scheduled_at": in_two_hours})
request = Request(url, data=change.encode(), method="PATCH")
request.add_header("Authorization", f"Bearer {os.environ['EMAIL_API_KEY']}")
request.add_header("Content-Type", "application/json")

try:
    with urlopen(request, timeout=30) as response:
        print("Scheduled for", in_two_hours)
except HTTPError as failure:
    error = json.loads(failure.read() or "{}").get("error", {})  # a 500 may have no body
    sys.exit(f"{failure.code} {error.get('type')}: {error.get('message')}")
