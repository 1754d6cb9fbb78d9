// Sends a message, looks it up, reads an error, and keeps a contact in sync.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	openapi "client"
	"client/reliable"

	"github.com/oapi-codegen/runtime/types"
)

func main() {
	ctx := context.Background()
	doer := reliable.New(os.Getenv("EMAIL_API_KEY"), 2*time.Minute)
	client := must(openapi.NewClientWithResponses(os.Getenv("EMAIL_API_URL"), openapi.WithHTTPClient(doer)))

	html, text := "<p>Come and get it.</p>", "Come and get it."
	message := openapi.ContentSend{
		From:    "hello@bakery.example",
		To:      []types.Email{"ada@readers.example"},
		Subject: "Your order is ready",
		Html:    &html,
		Text:    &text,
	}
	key := "order-7312-go"
	params := openapi.SendEmailParams{IdempotencyKey: &key}
	sent := must(client.SendEmailWithResponse(ctx, &params, request(message))).JSON202
	fmt.Println("sent:", sent.Id)

	found := must(client.GetEmailWithResponse(ctx, sent.Id)).JSON2XX
	fmt.Println("status:", found.Status)

	message.To = []types.Email{"gone@readers.example"} // who cannot receive email
	_, err := client.SendEmailWithResponse(ctx, nil, request(message))
	var failure *reliable.Error
	if errors.As(err, &failure) {
		fmt.Println("rejected:", failure.Status, failure.Type)
	}

	firstName, consent := "Grace", "Ticked the box at the counter on 31 January"
	contact := openapi.ContactRequest{
		Email:     "grace+go@readers.example",
		ListId:    2,
		FirstName: &firstName,
		Consent:   &openapi.Consent{Detail: &consent},
	}
	must(client.UpsertContactWithResponse(ctx, nil, contact))
	lookedUp := must(client.GetContactWithResponse(ctx, contact.Email)).JSON2XX
	fmt.Println("contact:", lookedUp.Lists[0].Status)

	unsubscribe := openapi.UnsubscribeRequest{ListId: &contact.ListId}
	left := must(client.UnsubscribeContactWithResponse(ctx, contact.Email, unsubscribe)).JSON2XX
	fmt.Println("contact:", left.Lists[0].Status)
}

func request(message openapi.ContentSend) (body openapi.SendRequest) {
	if err := body.FromContentSend(message); err != nil {
		log.Fatal(err)
	}
	return body
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
