// Package folder writes sessions as documents into a folder: one file for each session, in a
// folder for each project.
//
// A file of its own, [ListName], says what was written, and from what. Written again, only
// sessions that changed are written, under the names they have; files of others stay as they
// are, and a folder with files that it did not write is refused. As HTML the folder is a site:
// index.html lists the sessions, searches them and sums them up without a server.
package folder
