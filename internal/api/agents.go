package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/bridge"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/stamp"
)

const aboutAgents = "agents"

// agentRoutes are the operations about agents, which are runs as clients of cli-bridge know
// them.
type agentRoutes struct{ *Server }

func (s agentRoutes) register(api huma.API) {
	if s.opts.Runs == nil {
		return
	}
	read := func(id, sum string) routeInfo {
		return routeInfo{id: id, sum: sum, tag: aboutAgents, role: access.Read}
	}
	act := func(id, sum string) routeInfo {
		return routeInfo{id: id, sum: sum, tag: aboutAgents, role: access.Operate}
	}
	get(api, "/agents", read("listRunningAgents", "List the runs that have not ended, as agents of cli-bridge"), s.list)
	create := act("createAgent", "Start or resume a session, as an agent of cli-bridge")
	create.status = http.StatusCreated
	post(api, "/agents", create, s.create)
	get(api, "/agents/{agent}", read("getAgent", "Show a run as an agent of cli-bridge"), s.show)
	add(api, http.MethodDelete, "/agents/{agent}", act("deleteAgent", "Stop an agent; its run and its session stay"), s.remove)
	get(api, "/agents/{agent}/images", read("listImages", "List the images that were uploaded for an agent"), s.images)
}

// LiveAgent is a run as clients of cli-bridge know it.
type LiveAgent struct {
	ID          string     `json:"id" doc:"ID of the agent, which is that of its run"`
	ProjectPath string     `json:"projectPath" doc:"Working directory"`
	SessionID   string     `json:"sessionId" doc:"ID of the session"`
	Model       string     `json:"model" doc:"Model; default if it is not known yet"`
	State       string     `json:"state" enum:"starting,idle,running,waiting_permission,waiting_input,recovering,stopped" doc:"State of the agent"`
	IsHelper    bool       `json:"isHelper" doc:"True if it was started as a helper"`
	CreatedAt   stamp.Time `json:"createdAt" doc:"When the agent was started"`
}

// LiveAgentRow is an agent in a list.
type LiveAgentRow struct {
	LiveAgent
	LastActivityAt      stamp.Time `json:"lastActivityAt" doc:"When its state last changed"`
	HasActiveConnection bool       `json:"hasActiveConnection" doc:"True if a socket is connected that may steer it"`
}

// LiveAgents are the agents that have not ended.
type LiveAgents struct {
	Agents []LiveAgentRow `json:"agents" doc:"Agents, newest first"`
	Unread []string       `json:"unread,omitempty" doc:"Runs that could not be read, or not whole, with the reason"`
}

// LiveAgentDetail is an agent with what it waits for.
type LiveAgentDetail struct {
	LiveAgent
	LastActivityAt       stamp.Time `json:"lastActivityAt" doc:"When its state last changed"`
	PermissionMode       string     `json:"permissionMode" enum:"default,acceptEdits,bypassPermissions" doc:"How it asks for permission; default also for the modes that cli-bridge does not have"`
	HasPendingPermission bool       `json:"hasPendingPermission" doc:"True if it waits for permission"`
	HasPendingQuestion   bool       `json:"hasPendingQuestion" doc:"True if it waits for the answer to a question"`
	HasQueuedInput       bool       `json:"hasQueuedInput" doc:"True if messages wait for the end of its turn"`
}

func agentOf(run *holder.Record) LiveAgent {
	a := LiveAgent{
		ID: run.ID, ProjectPath: run.Dir, SessionID: run.SessionID, Model: bridge.ModelName(run.Model), State: "stopped",
		IsHelper: run.Role == bridge.HelperRole, CreatedAt: run.CreatedAt,
	}
	switch run.State {
	case launch.Queued, launch.Starting:
		a.State = "starting"
	case launch.Working:
		a.State = "running"
	case launch.YourTurn:
		a.State = "idle"
	case launch.NeedsYou:
		a.State = "waiting_permission"
		if len(run.Prompts) > 0 && run.Prompts[0].Kind == launch.Question {
			a.State = "waiting_input"
		}
	}
	return a
}

func (s agentRoutes) list(ctx context.Context, _ *noInput) (*body[LiveAgents], error) {
	page, err := s.opts.Runs.List(ctx, runs.Filter{Living: true})
	if err != nil {
		return nil, err
	}
	all := LiveAgents{Agents: []LiveAgentRow{}, Unread: page.Unread}
	for i := range page.Runs {
		run := &page.Runs[i]
		all.Agents = append(all.Agents, LiveAgentRow{LiveAgent: agentOf(run), LastActivityAt: run.Since, HasActiveConnection: s.sockets.Connected(run.ID)})
	}
	return answer(all), nil
}

// NewLiveAgent is the request to start an agent.
type NewLiveAgent struct {
	ProjectPath string `json:"projectPath" doc:"Directory to work in: that of a known project, or one below --allow-root"`
	SessionID   string `json:"sessionId,omitempty" doc:"Resume this session in its directory"`
	Model       string `json:"model,omitempty" doc:"Model to use; empty means the client's default"`
	Helper      bool   `json:"helper,omitempty" doc:"Start it as a helper, which is a tag of the session"`
}

type agentInput struct{ Body NewLiveAgent }

func (s agentRoutes) create(ctx context.Context, in *agentInput) (*body[LiveAgent], error) {
	run, _, err := s.sockets.Start(ctx, bridge.Order{Project: in.Body.ProjectPath, Session: in.Body.SessionID, Model: in.Body.Model, Helper: in.Body.Helper})
	if errors.Is(err, bridge.ErrTooManyAgents) {
		return nil, rateLimited(time.Minute)
	}
	if err != nil {
		return nil, err
	}
	return answer(agentOf(&run)), nil
}

// OneAgent is the agent that a route names.
type OneAgent struct {
	Agent string `path:"agent" doc:"ID of the agent, which is that of its run, such as r7"`
}

func (s agentRoutes) show(ctx context.Context, in *OneAgent) (*body[LiveAgentDetail], error) {
	run, err := s.opts.Runs.Read(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	d := LiveAgentDetail{LiveAgent: agentOf(&run), LastActivityAt: run.Since, PermissionMode: bridge.ModeName(run.Mode), HasQueuedInput: len(run.Waiting) > 0}
	for _, p := range run.Prompts {
		question := p.Kind == launch.Question
		d.HasPendingQuestion = d.HasPendingQuestion || question
		d.HasPendingPermission = d.HasPendingPermission || !question
	}
	return answer(d), nil
}

// DeletedLiveAgent says whether an agent was stopped.
type DeletedLiveAgent struct {
	Deleted bool `json:"deleted" doc:"True if it was stopped; false if it had ended"`
}

func (s agentRoutes) remove(ctx context.Context, in *OneAgent) (*body[DeletedLiveAgent], error) {
	run, err := s.opts.Runs.Read(ctx, in.Agent)
	if err != nil || !run.Living() {
		return answer(DeletedLiveAgent{}), err
	}
	if _, err := s.opts.Runs.Stop(ctx, in.Agent, runRoutes(s).actor(ctx)); err != nil {
		return nil, err
	}
	return answer(DeletedLiveAgent{Deleted: true}), nil
}

// ImageList are the images of an agent.
type ImageList struct {
	Images []holder.StoredImage `json:"images" doc:"Images, oldest first"`
}

func (s agentRoutes) images(_ context.Context, in *OneAgent) (*body[ImageList], error) {
	list, err := s.opts.Runs.Images(in.Agent)
	return answer(ImageList{append([]holder.StoredImage{}, list...)}), err
}

// UploadedImage is an image that messages can name.
type UploadedImage struct {
	ID       string `json:"id" doc:"ID of the image, by which messages name it"`
	Size     int    `json:"size" doc:"Size in bytes"`
	AgentID  string `json:"agentId" doc:"ID of the agent"`
	MimeType string `json:"mimeType" doc:"Type of the image, by its bytes"`
}

// maxUpload is the largest body of an upload: an image in base64, in JSON.
const maxUpload = holder.MaxImage/3*4 + 64<<10

// uploadTime is how long a client has to send an image.
const uploadTime = time.Minute

// isUpload reports whether a request uploads an image.
func isUpload(r *http.Request) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(r.URL.Path, prefix), "/agents/")
	return ok && r.Method == http.MethodPost && strings.HasSuffix(strings.TrimSuffix(rest, "/"), "/upload")
}

// checkUpload accepts the body of an upload.
func checkUpload(w http.ResponseWriter, r *http.Request, kind string) error {
	if kind != "application/json" && kind != "multipart/form-data" && !strings.HasPrefix(kind, "image/") {
		return imageProblem(http.StatusUnsupportedMediaType, "INVALID_CONTENT_TYPE", "the body has to be multipart/form-data, image/* or JSON")
	}
	if r.ContentLength > maxUpload {
		return imageProblem(http.StatusRequestEntityTooLarge, "REQUEST_TOO_LARGE", fmt.Sprintf("the body is larger than %d bytes", maxUpload))
	}
	limitBody(w, r, maxUpload, uploadTime)
	return nil
}

func imageProblem(status int, code, detail string) *Problem {
	p := newProblem(status, code, detail)
	p.Hint = "send a PNG, JPEG, GIF or WebP image as the file image of multipart/form-data, as image/*, or in base64 as data of JSON"
	return p
}

// uploadImage stores an image with a run.
func (s streamRoutes) uploadImage(w http.ResponseWriter, r *http.Request) error {
	if s.opts.Runs == nil {
		return newProblem(http.StatusNotFound, string(errcode.NotFound), "this server does not start sessions")
	}
	run, err := s.opts.Runs.Read(r.Context(), r.PathValue("agent"))
	if err != nil {
		return err
	}
	data, err := uploaded(r)
	if err != nil {
		return err
	}
	image, err := s.opts.Runs.AddImage(run.ID, data)
	switch {
	case errors.Is(err, holder.ErrImageType):
		return imageProblem(http.StatusBadRequest, "INVALID_MIME_TYPE", err.Error())
	case errors.Is(err, holder.ErrImageLarge):
		return imageProblem(http.StatusRequestEntityTooLarge, "IMAGE_TOO_LARGE", err.Error())
	case errors.Is(err, holder.ErrManyImages):
		return newProblem(http.StatusConflict, string(errcode.Conflict), err.Error())
	case err != nil:
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(UploadedImage{ID: image.ID, Size: image.Size, AgentID: run.ID, MimeType: image.MimeType})
}

// uploaded returns the image in the body of a request.
func uploaded(r *http.Request) ([]byte, error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	var data []byte
	var err error
	switch kind {
	case "application/json":
		var in struct {
			Data string `json:"data"`
		}
		if err = json.NewDecoder(r.Body).Decode(&in); err == nil {
			data, err = base64.StdEncoding.DecodeString(in.Data)
		}
	case "multipart/form-data":
		data, err = formImage(r)
	default:
		data, err = io.ReadAll(r.Body)
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, imageProblem(http.StatusRequestEntityTooLarge, "REQUEST_TOO_LARGE", fmt.Sprintf("the body is larger than %d bytes", large.Limit))
	case err != nil:
		return nil, imageProblem(http.StatusBadRequest, "MISSING_IMAGE", "the image cannot be read: "+err.Error())
	case len(data) == 0:
		return nil, imageProblem(http.StatusBadRequest, "MISSING_IMAGE", "there is no image in the body")
	}
	return data, nil
}

// formImage returns the file named image of a form.
func formImage(r *http.Request) ([]byte, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if part.FormName() == "image" {
			return io.ReadAll(part)
		}
	}
}

// metadataOf returns a session as sockets get it.
func metadataOf(r *ask.Row) *bridge.Metadata {
	return &bridge.Metadata{
		ID: r.ID, ProjectPath: r.ProjectPath, Source: string(r.Source), CreatedAt: r.CreatedAt, LastActivityAt: r.LastActivityAt, MessageCount: r.MessageCount,
		Title: r.Title, CustomTitle: r.CustomTitle, Model: r.Model, ArchivedAt: r.ArchivedAt, ParentSessionID: r.ParentSessionID,
	}
}
