// Makes a client testable: reads a call per line, calls the client, writes a reply per line.
//
// Put your client in place of the type Client, and an entry for each of its operations into operations.
// Log to standard error: standard output is for the replies.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

type Call struct {
	Call           int               `json:"call"`
	Operation      string            `json:"operation"`
	Path           map[string]string `json:"path"`
	Body           json.RawMessage   `json:"body"`
	IdempotencyKey *string           `json:"idempotencyKey"`
	Timeout        int               `json:"timeout"` // milliseconds; 0: the default of the client
}

// APIError says that the service responded with an error.
type APIError struct {
	Status int
	Body   struct {
		Error struct {
			Type      *string             `json:"type"`
			Fields    map[string][]string `json:"fields"`
			RequestID *string             `json:"request_id"`
		} `json:"error"`
	}
}

func (e *APIError) Error() string { return fmt.Sprintf("status %d", e.Status) }

// Client stands for your client, with one operation.
type Client struct{ baseURL, key string }

func (c *Client) GetMe(timeout time.Duration) (map[string]any, error) {
	request, err := http.NewRequest("GET", c.baseURL+"/api/v1/me", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Accept", "application/json")
	client := http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		failure := &APIError{Status: response.StatusCode}
		_ = json.NewDecoder(response.Body).Decode(&failure.Body)
		return nil, failure
	}
	var account map[string]any
	return account, json.NewDecoder(response.Body).Decode(&account)
}

// Each operation of the client: a function that returns the response body with the property names of the API, for example
//
//	"getContact": func(c *Client, call Call) (any, error) { return c.GetContact(call.Path["email"]) },
var operations = map[string]func(*Client, Call) (any, error){
	"getMe": func(c *Client, call Call) (any, error) {
		return c.GetMe(time.Duration(call.Timeout) * time.Millisecond)
	},
}

func replyTo(client *Client, call Call) map[string]any {
	result, err := operations[call.Operation](client, call)
	if err == nil {
		return map[string]any{"call": call.Call, "result": result}
	}
	return map[string]any{"call": call.Call, "error": detailsOf(err)}
}

func detailsOf(err error) map[string]any {
	var failure *APIError
	var timeout interface{ Timeout() bool }
	var syntax *json.SyntaxError
	details := map[string]any{"kind": "connection", "message": err.Error()}
	switch {
	case errors.As(err, &failure):
		detail := failure.Body.Error
		details["kind"], details["status"] = "response", failure.Status
		details["type"], details["fields"], details["requestId"] = detail.Type, detail.Fields, detail.RequestID
	case errors.As(err, &timeout) && timeout.Timeout():
		details["kind"] = "timeout"
	case errors.As(err, &syntax): // the client could not read the response
		details["kind"] = "unreadable"
	}
	return details
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	var start struct{ BaseURL, Key string }
	read(input, &start)
	client := &Client{start.BaseURL, start.Key}
	names := []string{}
	for name := range operations {
		names = append(names, name)
	}
	output.Encode(map[string]any{
		"protocol": 1, "client": "my client 1.0",
		"operations": names, "implementation": map[string]string{"name": "my client", "version": "1.0"},
		"retries":         false,      // whether the client sends a failed request again
		"idempotencyKeys": "explicit", // "automatic" if it creates them
		"timeouts":        true,       // whether it ends a call after the timeout
	})
	for {
		var call Call
		if !read(input, &call) {
			return
		}
		output.Encode(replyTo(client, call))
	}
}

// read reads a line of any length. It returns false at the end.
func read(input *bufio.Reader, value any) bool {
	line, err := input.ReadBytes('\n')
	return err == nil && json.Unmarshal(line, value) == nil
}
