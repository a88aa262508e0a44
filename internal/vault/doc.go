// Package vault keeps copies of what Claude Code writes, so that nothing its
// clean-up deletes is lost.
//
// A [Vault] is a directory of ours with the copies of any number of homes. A [Home] is
// the copies of one: read a family with [Home.Family], or all of them as a home with
// [Home.FS]. Its [Keeper] copies families with [Keeper.KeepFamily] or [Keeper.Sweep],
// its [Checker] compares the copies with their checksums, and its [Remover] drops them.
//
// # What is kept
//
// A box holds the copies of one family: of the files of one session that lie in
// one project directory, and of the small files around it. One more box holds what
// belongs to no session: history.jsonl, paste-cache/ and plans/.
//
// A box has versions of each file. A file that grows extends its version; one that was
// cut, rewritten or replaced gets another version, and the old one stays. A file that is
// not there any more is marked as gone, and its versions stay too.
//
// # How it is kept
//
//	<home>/projects/<dir>/<session>.box/   the box of a family
//	<home>/projects/<dir>/<name>           a marker: the folder had this name
//	<home>/home.box/                       what belongs to no session
//	<home>/catalog                         what the boxes hold, for lists; it may go
//
// A box is three kinds of files:
//
//	manifest           a line for each change, with its checksum: what there is
//	frames             zstd frames of about 1 MiB that end where lines end
//	<version>-<n>.end  the bytes after the last frame of a version, from offset n,
//	                   as they are
//
// Small frames compress badly, so the end of a file that is being written waits
// until it fills a frame or the file has rested for a while.
//
// # What can be relied on
//
// A copy counts once the manifest has it, and the manifest is written and synced
// after everything it names. So a crash or a full disk at any moment leaves
// what was there before, whole; what was half written is cut off by the next
// change. [Checker.Verify] finds every bit that differs from what was written.
//
// Nothing below a home is ever written. A folder of boxes has a lock: one process at
// a time changes a box in it, one transaction at a time. Reading needs no lock.
package vault
