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
	kindPRLink      Kind = "pr-link"
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
	"file-history-delta", "session-owner", kindPRLink,
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

// knownAttachments are the types of attachments seen in files or named in the
// documentation of the format.
var knownAttachments = nameSet(
	SubtypeQueuedCommand,
	// at the start of a session
	"environment", "model", "date", "session_context", "skill_listing",
	"agent_listing_delta", "deferred_tools_delta", "mcp_instructions_delta",
	"remote_session_change", "auto_mode", "instructions", "prompt_snapshot",
	"output_style", "companion_intro", "team_context",
	// files, memory and the editor
	"file", "directory", "edited_text_file", "pdf_reference",
	"compact_file_reference", "plan_file_reference", "nested_memory",
	"relevant_memories", "selected_lines_in_ide", "opened_file_in_ide",
	"diagnostics",
	// modes, reminders, skills and results
	"plan_mode", "plan_mode_exit", "plan_mode_reentry", "auto_mode_exit",
	"todo_reminder", "task_reminder", "task_status", "goal_status",
	"total_tokens_reminder", "silent_turn_reminder", "critical_system_reminder",
	"invoked_skills", "dynamic_skill", "command_permissions",
	"unknown_command_fallback", "teammate_mailbox", "structured_output",
	"max_turns_reached",
	// hooks
	"hook_success", "hook_additional_context", "hook_blocking_error",
	"hook_non_blocking_error", "hook_error_during_execution", "hook_cancelled",
	"hook_stopped_continuation", "hook_system_message",
	"hook_permission_decision", "hook_deferred_tool", "async_hook_response",
)

// knownSubtypes are those of system entries, seen in files or named in the
// clients up to 2.1.325.
var knownSubtypes = nameSet(
	SubtypeCompactBoundary, "microcompact_boundary", "stop_hook_summary",
	"turn_duration", "api_error", "local_command", "informational",
	"away_summary", "bridge_status", "scheduled_task_fire", "memory_saved",
	"agents_killed", "model_fallback", "model_refusal_fallback",
	"model_refusal_no_fallback", "model_consent_fallback", "permission_retry",
	"file_snapshot", "thinking", "instruction_size_warning",
	"peer_message_hold", "voice_call_talk", "rewind_stand_in",
	"code_change_published", "cloud_session_delta", "cloud_session_status",
	"post_turn_summary", "task_summary",
)

// knownFields are the top-level fields of entries that Decode does not read.
var knownFields = nameSet(
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
	"userFeedback", "planContent", "inputTokens", "toolUseID", "isDisplayOnly",
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

func nameSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
