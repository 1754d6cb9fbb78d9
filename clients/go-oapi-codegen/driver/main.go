// Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	openapi "client"
	"client/reliable"
)

type object = map[string]any

type call struct {
	Call           int
	Operation      string
	Path           struct{ Id, Email string }
	Body           json.RawMessage
	IdempotencyKey *string
	Timeout        int
}

// notSent is an error before the request.
type notSent struct{ error }

// bodyOf is the body of a call as a type of the client.
func bodyOf[B any](c call) (body B) {
	if err := json.Unmarshal(append([]byte{}, c.Body...), &body); len(c.Body) > 0 && err != nil {
		panic(notSent{err})
	}
	return body
}

// union creates a value of a union from the struct that the user of the client would fill in.
func union[C, T any](data json.RawMessage, fromContent func(C) error, fromTemplate func(T) error) {
	names := object{}
	_ = json.Unmarshal(data, &names)
	var err error
	if names["template_id"] == nil {
		err = fromContent(bodyOf[C](call{Body: data}))
	} else {
		err = fromTemplate(bodyOf[T](call{Body: data}))
	}
	if err != nil {
		panic(notSent{err})
	}
}

func sendBody(c call) (body openapi.SendRequest) {
	union(c.Body, body.FromContentSend, body.FromTemplateSend)
	return body
}

func batchBody(c call) (body openapi.BatchRequest) {
	for _, data := range bodyOf[struct{ Emails []json.RawMessage }](c).Emails {
		var message openapi.BatchMessage
		union(data, message.FromBatchContentMessage, message.FromBatchTemplateMessage)
		body.Emails = append(body.Emails, message)
	}
	return body
}

// operations have what each function of the client returns: a pointer to a struct with a field for each response.
var operations = map[string]func(context.Context, *openapi.ClientWithResponses, call) (any, error){
	"sendEmail": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.SendEmailWithResponse(ctx, &openapi.SendEmailParams{IdempotencyKey: c.IdempotencyKey}, sendBody(c))
	},
	"sendBatch": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.SendBatchWithResponse(ctx, &openapi.SendBatchParams{IdempotencyKey: c.IdempotencyKey}, batchBody(c))
	},
	"getEmail": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.GetEmailWithResponse(ctx, c.Path.Id)
	},
	"rescheduleEmail": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.RescheduleEmailWithResponse(ctx, c.Path.Id, bodyOf[openapi.RescheduleRequest](c))
	},
	"cancelEmail": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.CancelEmailWithResponse(ctx, c.Path.Id)
	},
	"listNewsletterLists": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.ListNewsletterListsWithResponse(ctx)
	},
	"listCustomFields": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.ListCustomFieldsWithResponse(ctx)
	},
	"upsertContact": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		params := openapi.UpsertContactParams{IdempotencyKey: c.IdempotencyKey}
		return api.UpsertContactWithResponse(ctx, &params, bodyOf[openapi.ContactRequest](c))
	},
	"getContact": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.GetContactWithResponse(ctx, openapi.ContactEmail(c.Path.Email))
	},
	"unsubscribeContact": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		email := openapi.ContactEmail(c.Path.Email)
		return api.UnsubscribeContactWithResponse(ctx, email, bodyOf[openapi.UnsubscribeRequest](c))
	},
	"getMe": func(ctx context.Context, api *openapi.ClientWithResponses, c call) (any, error) {
		return api.GetMeWithResponse(ctx)
	},
}

func replyTo(api *openapi.ClientWithResponses, c call) (reply object) {
	defer func() {
		if failure, ok := recover().(notSent); ok {
			reply = object{"error": object{"kind": "not sent", "message": failure.Error()}}
		}
	}()
	ctx, cancel := context.Background(), context.CancelFunc(func() {})
	if c.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(c.Timeout)*time.Millisecond)
	}
	defer cancel()
	result, err := operations[c.Operation](ctx, api, c)
	if err != nil {
		return object{"error": errorOf(err)}
	}
	return replyFrom(reflect.ValueOf(result).Elem())
}

func errorOf(err error) object {
	var failure *reliable.Error
	if errors.As(err, &failure) {
		return object{"kind": "response", "status": failure.Status, "type": textOrNil(failure.Type),
			"fields": failure.Fields, "requestId": textOrNil(failure.RequestID), "message": failure.Error()}
	}
	var lost *url.Error
	kind := "unreadable"
	switch {
	case errors.Is(err, reliable.ErrURL):
		kind = "not sent"
	case errors.Is(err, context.DeadlineExceeded):
		kind = "timeout"
	case errors.As(err, &lost), errors.Is(err, io.ErrUnexpectedEOF):
		kind = "connection"
	}
	return object{"kind": kind, "message": err.Error()}
}

// textOrNil is a string that is empty if it is missing.
func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// replyFrom reads the response from the field for its status.
func replyFrom(result reflect.Value) object {
	status := result.FieldByName("HTTPResponse").Interface().(*http.Response).StatusCode
	var parsed any
	for index := range result.NumField() {
		field := result.Field(index)
		if strings.HasPrefix(result.Type().Field(index).Name, "JSON") && !field.IsNil() {
			parsed = field.Interface()
		}
	}
	if status < 300 {
		return object{"result": parsed}
	}
	failure := object{"kind": "response", "status": status, "message": fmt.Sprintf("%+v", parsed)}
	if response, ok := parsed.(*openapi.ErrorResponse); ok {
		failure["type"], failure["fields"] = textOrNil(response.Error.Type), response.Error.Fields
		failure["requestId"] = textOrNil(response.Error.RequestId)
	}
	return object{"error": failure}
}

func newClient(baseURL, key string, isReliable bool) (*openapi.ClientWithResponses, error) {
	if isReliable {
		return openapi.NewClientWithResponses(baseURL, openapi.WithHTTPClient(reliable.New(key, 2*time.Minute)))
	}
	return openapi.NewClientWithResponses(baseURL, openapi.WithRequestEditorFn(func(_ context.Context, req *http.Request) error {
		req.Header.Set("Authorization", "Bearer "+key)
		return nil
	}))
}

func main() {
	isReliable := slices.Contains(os.Args, "--reliable")
	lines, replies := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	var start struct{ BaseUrl, Key string }
	if err := lines.Decode(&start); err != nil {
		panic(err)
	}
	api, err := newClient(start.BaseUrl, start.Key, isReliable)
	if err != nil {
		panic(err)
	}
	names := []string{}
	for name := range operations {
		names = append(names, name)
	}
	keys := map[bool]string{false: "explicit", true: "automatic"}[isReliable]
	_ = replies.Encode(object{"protocol": 1, "client": "oapi-codegen 2.8.2", "operations": names, "retries": isReliable,
		"idempotencyKeys": keys, "timeouts": true, "printed": fmt.Sprintf("%+v", api)})
	for {
		var c call
		if err := lines.Decode(&c); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		reply := replyTo(api, c)
		reply["call"] = c.Call
		_ = replies.Encode(reply)
	}
}
