package runs

import (
	"context"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
)

// SendMessage sends a message to a run. One with the same id is sent only once.
func (r *Runs) SendMessage(ctx context.Context, id string, message launch.Message) (holder.Record, error) {
	return r.ask(ctx, id, holder.Request{Do: holder.DoSend, Message: &message})
}

// Withdraw drops the messages that wait for the end of a turn.
func (r *Runs) Withdraw(ctx context.Context, id string, by shelf.Actor) (holder.Record, error) {
	return r.ask(ctx, id, holder.Request{Do: holder.DoWithdraw, By: actorText(by)})
}

// Lines is Follow without the pieces of messages.
func (r *Runs) Lines(ctx context.Context, id string, from int64, give func(holder.Frame) error) error {
	return r.store.Follow(ctx, id, holder.FollowOptions{From: from}, give)
}

// Logged calls give with every line that is in the log of a run.
func (r *Runs) Logged(id string, give func(line []byte) error) error {
	return holder.Logged(r.store, id, give)
}

// AddImage stores a picture with a run, so that messages can name it.
func (r *Runs) AddImage(id string, data []byte) (holder.StoredImage, error) {
	return holder.AddImage(r.store, id, data)
}

// Images lists the pictures that are stored with a run, oldest first.
func (r *Runs) Images(id string) ([]holder.StoredImage, error) { return holder.Images(r.store, id) }

// Image returns a picture that is stored with a run.
func (r *Runs) Image(id, image string) (launch.Image, error) { return holder.Image(r.store, id, image) }
