// Package reliable has retries, idempotency keys and errors for a client that oapi-codegen generated.
package reliable

import (
	"bytes"
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const attempts = 4

var withKey = regexp.MustCompile(`^POST .*/api/v1/(emails|emails/batch|newsletter/contacts)$`)

// ErrURL is an error before the request.
var ErrURL = errors.New("invalid URL")

// ErrUnreadable is a success whose body is not JSON.
var ErrUnreadable = errors.New("the response is not JSON")

// Error is an error response. Branch on Status and Type; Message is for people.
type Error struct {
	Status    int                 `json:"-"`
	Type      string              `json:"type"`
	Message   string              `json:"message"`
	Fields    map[string][]string `json:"fields"`
	RequestID string              `json:"-"`
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d %s: %s (request %s)", e.Status, e.Type, e.Message, e.RequestID)
}

// Doer sends the requests of a generated client: pass it to WithHTTPClient. It returns an *Error for an error response.
type Doer struct {
	key     string
	timeout time.Duration
	client  http.Client
}

// New returns a Doer. A call ends after the timeout, with all attempts and pauses.
func New(key string, timeout time.Duration) *Doer {
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Doer{key, timeout, http.Client{CheckRedirect: noRedirect}}
}

// String does not show the API key.
func (d *Doer) String() string { return "reliable.Doer" }

// Do sends a request up to four times, if that is safe.
func (d *Doer) Do(req *http.Request) (*http.Response, error) {
	if host := req.URL.Hostname(); req.URL.Scheme != "https" && host != "127.0.0.1" && host != "localhost" {
		return nil, fmt.Errorf("%w: it must start with https://", ErrURL)
	}
	req.Header.Set("Authorization", "Bearer "+d.key)
	req.Header.Set("Accept", "application/json")
	if req.Header.Get("Idempotency-Key") == "" && withKey.MatchString(req.Method+" "+req.URL.Path) {
		// One key for each piece of work: all attempts have it.
		req.Header.Set("Idempotency-Key", cryptorand.Text())
	}
	repeatable := req.Method == "GET" || req.Header.Get("Idempotency-Key") != ""
	ctx, cancel := context.WithTimeout(req.Context(), d.timeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		response, err := d.attempt(req.Clone(ctx))
		pause := time.Duration(float64(time.Second) * (0.5 + rand.Float64()) / 4 * float64(int(1)<<attempt))
		var failure *Error
		if errors.As(err, &failure) && failure.Status == 429 && failure.Type == "rate_limited" {
			pause += retryAfter(response.Header)
		} else if failure != nil && !slices.Contains([]int{500, 502, 503}, failure.Status) || !repeatable {
			// After a lost connection or a 5xx, the request may have been processed.
			return response, err
		}
		deadline, _ := ctx.Deadline()
		isFinal := err == nil || errors.Is(err, ErrUnreadable)
		if isFinal || attempt == attempts || time.Now().Add(pause).After(deadline) {
			return response, err
		}
		time.Sleep(pause)
	}
}

func (d *Doer) attempt(req *http.Request) (*http.Response, error) {
	if req.GetBody != nil {
		req.Body, _ = req.GetBody()
	}
	response, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	response.Header.Set("Content-Type", "application/json") // the generated code knows no other spelling
	if response.StatusCode < 300 && !json.Valid(body) {
		return response, ErrUnreadable
	} else if response.StatusCode < 300 {
		return response, nil
	}
	var parsed struct{ Error Error }
	_ = json.Unmarshal(body, &parsed) // a 500 may have no body, and a gateway sends HTML
	parsed.Error.Status, parsed.Error.RequestID = response.StatusCode, response.Header.Get("X-Service-Request-Id")
	return response, &parsed.Error
}

// retryAfter is the header as a duration, from seconds or a date; 0 without one.
func retryAfter(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(0, time.Until(date))
}
