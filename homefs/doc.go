// Package homefs reads the files of a home of Claude Code, a directory such as ~/.claude,
// and writes nothing.
//
// [Open] opens a home. Names are slash paths inside it; a name never leads out of the home,
// except through a link that its owner placed in the home or in projects/. A [Home] never
// opens a file on the deny-list ([Denied]), whatever name it has, and never waits for a pipe.
// [OpenBacked] reads kept copies in place of files that are gone, and [New] any other [FS].
//
// A [Mark] says how far a file was read; a [Reader] continues from it and recognizes a file
// that was replaced.
package homefs
