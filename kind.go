package sesskeep

import "slices"

// Kind is the type of an entry as the file spells it.
type Kind string

// The kinds that this package interprets. Others are passed on as they are.
const (
	KindUser       Kind = "user"
	KindAssistant  Kind = "assistant"
	KindSystem     Kind = "system"
	KindAttachment Kind = "attachment"
	KindProgress   Kind = "progress"

	KindSummary     Kind = "summary"
	KindCustomTitle Kind = "custom-title"
	KindAITitle     Kind = "ai-title"
	KindQueueOp     Kind = "queue-operation"
	kindTag         Kind = "tag"
	kindLastPrompt  Kind = "last-prompt"
	kindCostState   Kind = "cost-state"
	kindContinuedIn Kind = "continued-in"
)

// SubtypeCompactBoundary is the subtype of the system entry that marks a compaction.
const SubtypeCompactBoundary = "compact_boundary"

// SubtypeQueuedCommand is the subtype of the attachment that holds a prompt typed
// while the model was working.
const SubtypeQueuedCommand = "queued_command"

// chain reports whether entries of this kind are nodes of the tree.
func (k Kind) chain() bool {
	switch k {
	case KindUser, KindAssistant, KindSystem, KindAttachment, KindProgress:
		return true
	}
	return false
}

// Known reports whether this version knows the kind.
func (k Kind) Known() bool { return k.chain() || slices.Contains(knownKinds, k) }

// knownKinds are the metadata kinds seen in files or named in the clients
// 1.0.128 to 2.1.325.
var knownKinds = []Kind{
	KindSummary, KindCustomTitle, KindAITitle, KindQueueOp,
	kindTag, kindLastPrompt, kindCostState, kindContinuedIn,
	"agent-name", "worktree-state", "relocated", "file-history-snapshot",
	"file-history-delta", "session-owner", "pr-link",
	"agent-color", "agent-setting", "mode", "permission-mode", "frame-link",
	"content-replacement", "attribution-snapshot", "bridge-session", "tools-used",
	"api-request", "api-request-shape", "api-request-blob", "atis-latch",
	"isolation-latch", "repl-mode", "memory-mode", "history-suppression",
	"derived-from", "data-flow-records", "data-flow-incomplete",
	"resume-head-vouch", "fork-context-ref", "observer-ref",
	"artifact-comment-monitor", "artifact-autoreact-ledger", "ended-by-model",
	"dev-mods", "task-summary", "speculation-accept", "marble-origami-commit",
	"marble-origami-snapshot", "x-error",
	"started", "result", // rows of a workflow's journal.jsonl
}

// knownFields are the top-level fields of entries that Decode does not read.
var knownFields = fieldSet(
	// chain entries
	"userType", "promptId", "session_id", "turnPosition", "permissionMode",
	"requestId", "requestRef", "requestedModel", "apiBlockIndex",
	"promptCacheRequested", "effort", "perTurnEffort", "madeBy",
	"toolInputStreamMs", "thinkingDurationMs", "thinkingDisplay",
	"thinkingMetadata", "serverClassifierRequest", "attributionAgent",
	"attributionSkill", "attributionPlugin", "attributionMcpServer",
	"attributionMcpTool", "advisorModel", "error", "apiErrorStatus",
	"apiErrorType", "errorDetails", "failedResponseHadNoToolCall",
	"refusedMessageId", "refusingModel", "interruptedMessageId", "costUSD",
	"durationMs", "isVirtual", "isQueued", "teamName", "sandboxed",
	"permissionDecision", "toolDenialKind", "mcpMeta", "sourceToolUseID",
	"imagePasteIds", "todos", "turnCompanion", "turnAttributionKey",
	"holdsPersonsWords", "queueSkipAttachments", "isVisibleInTranscriptOnly",
	"repeatsCompactSummary", "summarizeMetadata", "summarizedTurnPromptUuids",
	"userFeedback", "planContent", "inputTokens", "toolUseID",
	"parentToolUseID", "rendered", "renderedRole", "renderedBesideToolResult",
	// system entries
	"level", "compactMetadata", "microcompactMetadata", "messageCount",
	"pendingBackgroundAgentCount", "hookCount", "hookInfos", "hookErrors",
	"hookAdditionalContext", "preventedContinuation", "preventContinuation",
	"stopReason", "hasOutput", "retryInMs", "retryAttempt", "maxRetries",
	"source", "cause", "contextUsage", "commandRun", "promptSubmitEnding",
	"modelRestriction", "originalModel", "fallbackModel", "apiRefusalCategory",
	"apiRefusalExplanation", "refusedUserMessageUuid", "url", "content",
	// metadata entries
	"agentColor", "agentSetting", "mode", "atis", "explicit", "tools",
	"totalCostUSD", "totalAPIDuration", "totalAPIDurationWithoutRetries",
	"totalToolDuration", "totalLinesAdded", "totalLinesRemoved",
	"totalDuration", "startTime", "modelUsage", "hasUnknownModelCost",
	"worktreeSession", "relocatedCwd", "messageId", "snapshot",
	"isSnapshotUpdate", "snapshotMessageId", "trackingPath", "backup",
	"reason", "commandUuid", "deliveryId", "prNumber", "prUrl", "prRepository",
	"path", "frameUrl", "title", "artifactCount", "replacements",
	"bridgeSessionId", "lastSequenceNum", "accountUuid", "organizationUuid",
	"hash", "id", "querySource", "shapeHash", "shape",
	"params", "keep", "tail", "base", "cacheControl", "requestDigest",
	"afterUuid", "key", "result",
)

func fieldSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
