// Package claudehome reads what a home of Claude Code holds besides its
// transcripts. Open the home with [homefs.Open], then call:
//
//   - [Registry] and [Jobs] for the clients and background sessions that run;
//   - [ReadHistory] for everything that was typed;
//   - [Commands] for slash commands, skills and sub-agents;
//   - [Plans] and [ReadPlan], [Todos] and [Tasks] for what sessions planned;
//   - [FindRetention] for when the client deletes old files;
//   - [MeasureStorage] for what uses disk space.
//
// Missing files are normal: a home that lacks one simply has no history, no
// jobs, no plans. A file that is damaged is a [sesskeep.Problem] beside the
// result and never stops the reading of the others. Nothing is written, and
// nothing on the deny-list ([homefs.Denied]) is opened.
package claudehome
