"""Retries, idempotency keys and a timeout for a client that OpenAPI Generator generated."""

import json
import random
import time
import uuid
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import urllib3
from openapi_client import ApiClient, ApiException, Configuration, FieldValue

ATTEMPTS = 4
WITH_KEY = ("/api/v1/emails", "/api/v1/emails/batch", "/api/v1/newsletter/contacts")


read_value = FieldValue.from_dict
# The generated code cannot read null, which is the value of a field that was cleared.
FieldValue.from_dict = classmethod(lambda _, value: None if value is None else read_value(value))


def detail_of(error: ApiException) -> dict:
    """`type`, `message`, `fields` and `request_id` of an error response. A 500 may have none: branch on `error.status` then."""
    try:
        return dict(json.loads(error.body)["error"])
    except (KeyError, TypeError, ValueError):
        return {}


def retry_after(headers) -> float:
    """The header in seconds, from seconds or a date; 0 without one."""
    value = headers.get("Retry-After", "0")
    try:
        return float(value) if value.isdigit() else parsedate_to_datetime(value).timestamp() - time.time()
    except ValueError:
        return 0


class ReliableClient(ApiClient):
    """Sends a request up to four times if that is safe. A call ends after `timeout` seconds, with all attempts and pauses."""

    def __init__(self, base_url: str, key: str, timeout: float = 120):
        url = urlsplit(base_url)
        if url.scheme != "https" and url.hostname not in ("127.0.0.1", "localhost"):
            raise ValueError("base_url must start with https://")
        # urllib3 would follow redirects, and repeat a DELETE.
        super().__init__(Configuration(host=base_url, access_token=key, retries=urllib3.Retry(False)))
        self.timeout = timeout

    def call_api(self, method, url, header_params=None, body=None, post_params=None, _request_timeout=None):
        headers = dict(header_params or {})
        if method == "POST" and url.endswith(WITH_KEY):
            # One key for each piece of work: all attempts have it.
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        repeatable = method == "GET" or "Idempotency-Key" in headers
        deadline = time.monotonic() + (_request_timeout or self.timeout)
        for attempt in range(1, ATTEMPTS + 1):
            pause = 0.5 * 2 ** (attempt - 1) * random.uniform(0.5, 1)
            response = lost = None
            try:
                response = super().call_api(method, url, headers, body, post_params, deadline - time.monotonic())
                content = response.read()
                if response.status == 429 and b'"rate_limited"' in content:
                    pause += max(0, retry_after(response.headers))
                elif response.status not in (500, 502, 503) or not repeatable:
                    return response
            except urllib3.exceptions.HTTPError as error:
                # The request may have been processed.
                lost = error
                if not repeatable:
                    raise
            if attempt == ATTEMPTS or time.monotonic() + pause > deadline:
                if lost is not None:
                    raise lost
                return response
            time.sleep(pause)
