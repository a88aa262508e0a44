// Package settings edits settings.json of Claude Code as text.
//
// People write that file by hand and keep it in version control, so what is not
// ours keeps its bytes, its order, its white space and its line ends (jsonedit).
//
// The package takes texts and returns texts. It opens no file: reading one
// safely and replacing it is the work of shelf.
package settings
