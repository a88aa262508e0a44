// Package view turns the entries of a transcript into Parts, ready to show.
//
// A Part is one thing a reader sees: a prompt, a piece of an answer, a Call with
// its result, a Notice. Terminal, web and exports all draw the same Parts, and
// this is the only place that knows tools by name: what a call is about in one
// line, how it ended, what it changed.
//
// Nothing is dropped: every user and assistant entry is named by at least one
// Part, in UUID or Also. What most readers do not want to see is a MetaPart;
// whether it is shown is the front's business. Texts are as they were written,
// so a front has to make them safe for where it shows them.
package view
