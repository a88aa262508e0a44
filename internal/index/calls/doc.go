// Package calls keeps the tool calls of transcripts, so that questions about them need
// not read the transcripts: which tool, on which file, whether it failed, and where the
// lines of the call and of its result lie.
//
// A Fold collects the calls of a file while it is read. A call and its result are two
// lines that name one id; the Fold joins them, in whichever order they come. Pack writes
// the calls in pieces of a few kilobytes, and a Reader reads them. Besides calls there
// are lines that only name a file, such as attachments, and answers that are errors of
// the API: they are Calls without a tool.
package calls
