"""Retries, idempotency keys and errors for a client that openapi-python-client generated."""

import random
import time
import uuid
from email.utils import parsedate_to_datetime

import httpx
from email_api_client import AuthenticatedClient

ATTEMPTS = 4
WITH_KEY = ("/api/v1/emails", "/api/v1/emails/batch", "/api/v1/newsletter/contacts")


class EmailApiError(Exception):
    """An error response. Branch on `status` and `type`; the message is for people."""

    def __init__(self, response: httpx.Response):
        try:
            detail = dict(response.json()["error"])
        except (KeyError, TypeError, ValueError):
            detail = {}  # a 500 may have no body, and a gateway sends HTML
        self.status = response.status_code
        self.type = detail.get("type")
        self.fields = detail.get("fields", {})
        self.request_id = response.headers.get("X-Service-Request-Id")
        super().__init__(f"{self.status} {self.type}: {detail.get('message')} (request {self.request_id})")


def retry_after(headers: httpx.Headers) -> float:
    """The header in seconds, from seconds or a date; 0 without one."""
    value = headers.get("Retry-After", "0")
    try:
        return float(value) if value.isdigit() else parsedate_to_datetime(value).timestamp() - time.time()
    except ValueError:
        return 0


class ReliableTransport(httpx.HTTPTransport):
    """Sends a request up to four times if that is safe, and raises `EmailApiError` for an error response."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.scheme != "https" and request.url.host not in ("127.0.0.1", "localhost"):
            raise httpx.InvalidURL("base_url must start with https://")
        request.headers["Accept"] = "application/json"
        if request.method == "POST" and request.url.path.endswith(WITH_KEY):
            # One key for each piece of work: all attempts have it.
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        repeatable = request.method == "GET" or "Idempotency-Key" in request.headers
        deadline = time.monotonic() + (request.extensions["timeout"]["read"] or 120)
        for attempt in range(1, ATTEMPTS + 1):
            pause = 0.5 * 2 ** (attempt - 1) * random.uniform(0.5, 1)
            request.extensions["timeout"] = httpx.Timeout(deadline - time.monotonic()).as_dict()
            try:
                response = super().handle_request(request)
                response.read()
                if response.is_success:
                    return response
                error: Exception = EmailApiError(response)
                if response.status_code == 429 and error.type == "rate_limited":
                    pause += max(0, retry_after(response.headers))
                elif response.status_code not in (500, 502, 503) or not repeatable:
                    raise error
            except httpx.TransportError as lost:
                # The request may have been processed.
                error = lost
                if not repeatable:
                    raise
            if attempt == ATTEMPTS or time.monotonic() + pause > deadline:
                raise error
            time.sleep(pause)


class ReliableClient(AuthenticatedClient):
    def __repr__(self) -> str:
        return f"ReliableClient({self._base_url})"  # without the API key


def reliable_client(base_url: str, key: str, timeout: float = 120) -> ReliableClient:
    """A client whose calls end after `timeout` seconds, with all attempts and pauses."""
    options = {"transport": ReliableTransport()}
    return ReliableClient(base_url=base_url, token=key, timeout=httpx.Timeout(timeout), httpx_args=options)
