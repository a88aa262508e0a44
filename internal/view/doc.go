// Package view turns the entries of a transcript into Parts, ready to show.
//
// A Part is one thing a reader sees: a prompt, a piece of an answer, a Call with
// its result, a Notice. Terminal, web and exports all draw the same Parts, and
// this is the only package that knows tools by name: what a call is about in one
// line, how it ended, what it changed.
//
// Nothing is dropped: every user and assistant entry is named by at least one
// Part, in UUID or Also. What most readers do not want to see is a MetaPart;
// the front decides whether to show it. Texts are unchanged, so a front has to
// sanitise them for its output.
package view
