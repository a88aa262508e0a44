// Package readfault runs a program, sees every call with which it reads files, and
// makes one of them fail.
//
// The kernel itself asks before each call (a seccomp filter with a listener, which is
// handed down to every process the program starts). So no site is missed, whatever
// library reads there, SQLite too, and nothing has to be installed. A site is a kind
// of call and the path that it is about; a fault is a site at which every call fails.
//
// The program is started by a launcher, which puts the filter on itself and becomes
// the program: a test binary that has [Launch] among the commands of its TestMain.
package readfault

// A Site is a read of a program: the call, and the file or directory.
type Site struct {
	Call Call
	Path string
}

// A Call is what a program asks for.
type Call string

const (
	Open    Call = "open"
	List    Call = "list" // entries of a directory
	Read    Call = "read"
	Stat    Call = "stat"
	NoFault Call = "" // everything goes well
)
