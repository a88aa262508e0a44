// Package mask puts marks in the place of secrets in the files of a session, for good: in its
// transcript and those of its agents, saved outputs, the file history and the other small
// files, in its prompts in history.jsonl, in pasted texts, and in the copies of all that.
//
// [Masker.Session] reads everything twice before it changes anything. The first pass learns the
// secrets, because an earlier line can have a password without the name that gives it away; the
// second pass counts what changes. The files of the home then change in one act, which can be
// undone. The copies change after that; this can be repeated, but not undone.
//
// The API rejects signed thinking that follows changed text. So masking removes signed thinking from
// the first changed line of a transcript to its end.
package mask
