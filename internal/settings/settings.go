// Package settings edits settings.json of Claude Code as text.
//
// People write that file by hand and keep it in version control. A decoder and
// an encoder would reorder and reformat it, so an edit changes the text at one
// place only: what is not ours keeps its bytes, its order, its white space and
// its line ends.
//
// The package takes texts and returns texts. It opens no file: reading one
// safely and replacing it is the work of shelf.
package settings
