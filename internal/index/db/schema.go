package db

import "sync"

// version is part of the file's name: another one starts from nothing.
const version = 31

// schema is the whole database. A file is trusted only with the sum of this text, its
// comments included: to change one is to start from nothing.
var schema = sync.OnceValue(func() string { return tables + fieldColumns() })

// tables are all of them. Times are milliseconds since 1970.
const tables = `
-- Another number after every commit: see countCache.
CREATE TABLE change_counter (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL);
INSERT INTO change_counter VALUES (1, abs(random() >> 2));

CREATE TABLE root (
	id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
	whole INTEGER NOT NULL DEFAULT 0,    -- all of it was in here once: 1 its rows, 2 text and usage too
	modtime INTEGER NOT NULL DEFAULT 0,  -- of projects/ when it was last listed
	place TEXT NOT NULL DEFAULT '',      -- which directory that was
	hints TEXT NOT NULL DEFAULT '',      -- paths that were known from elsewhere then
	labels TEXT NOT NULL DEFAULT '');    -- generation of its labels

-- What users added to sessions, copied from their own store: see label.go.
CREATE TABLE label (
	root INTEGER NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, over TEXT NOT NULL,
	tags TEXT NOT NULL, note TEXT NOT NULL, starred INTEGER NOT NULL, archived INTEGER NOT NULL,
	source TEXT NOT NULL, -- instead of the one that was found out; empty: that one
	PRIMARY KEY (root, id)) WITHOUT ROWID;
CREATE INDEX label_archived ON label (archived) WHERE archived > 0;

CREATE TABLE folder (
	id INTEGER PRIMARY KEY, root INTEGER NOT NULL, dir TEXT NOT NULL,
	memory INTEGER NOT NULL DEFAULT 0, problems TEXT NOT NULL DEFAULT '[]',
	hints TEXT NOT NULL DEFAULT '[]', -- paths that .claude.json and others know
	stale INTEGER NOT NULL DEFAULT 0, -- a file of it changed: derive its rows again
	UNIQUE (root, dir));
CREATE INDEX folder_stale ON folder (id) WHERE stale = 1;
-- What a folder looked like when a walk last saw it: see listing.
CREATE TABLE listing (folder INTEGER PRIMARY KEY, body BLOB NOT NULL);

-- One row a transcript; mark says how far it was read.
CREATE TABLE file (
	id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name TEXT NOT NULL,
	stat TEXT NOT NULL, -- as listed when its facts were read: another one means it changed
	text TEXT NOT NULL DEFAULT '', -- as listed when its text and usage were read
	mark TEXT NOT NULL DEFAULT '', -- how far the text was read
	torn INTEGER NOT NULL DEFAULT 0, -- there is more behind that: a line without its end
	facts TEXT NOT NULL,
	first INTEGER NOT NULL, -- hash of the first uuid: equal in a fork
	ties INTEGER NOT NULL,  -- hash of what the rows of other files depend on
	named INTEGER NOT NULL DEFAULT 0, -- it has summaries, perhaps of others
	UNIQUE (folder, name));
CREATE INDEX file_named ON file (folder, name) WHERE named = 1;
CREATE INDEX file_first ON file (first);
-- The few files whose text is not all in blocks; see unblocked.
CREATE INDEX file_unblocked ON file (id) WHERE torn = 1 OR text = '' OR text <> stat;

-- The uuids of a session in order, by which forks are found; id: file << 20 | piece.
CREATE TABLE chain (id INTEGER PRIMARY KEY, body BLOB NOT NULL);

-- When the lines of a file were written, packed; id: file << 20 | piece. See linetimes.go.
CREATE TABLE line_times (id INTEGER PRIMARY KEY, body BLOB NOT NULL);

-- The few lines that are prompts, or are not, because of other lines: see reclassified.
CREATE TABLE reclassified (file INTEGER PRIMARY KEY, lines TEXT NOT NULL);

-- What lists show, derived from the facts of the whole folder.
CREATE TABLE row (
	file INTEGER PRIMARY KEY, root INTEGER NOT NULL, folder INTEGER NOT NULL,
	project INTEGER NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL,
	started TEXT NOT NULL, branch TEXT NOT NULL, models TEXT NOT NULL,
	parent TEXT NOT NULL, fork TEXT NOT NULL, slug TEXT NOT NULL, title TEXT NOT NULL,
	created INTEGER NOT NULL, active INTEGER NOT NULL, messages INTEGER NOT NULL,
	prompts INTEGER NOT NULL, size INTEGER NOT NULL,
	rest TEXT NOT NULL,    -- state of a session that no client has open; empty for an agent
	agent TEXT NOT NULL,   -- type of an agent, where it is known
	agents TEXT NOT NULL,  -- ids
	tags TEXT NOT NULL,    -- the client's own, as JSON
	branches INTEGER NOT NULL, -- conversations
	damage INTEGER NOT NULL,   -- what is wrong with it, counted
	modified INTEGER NOT NULL); -- the hour its file changed in, so that a line seldom changes it; the rest of a row is in that file's facts
CREATE INDEX row_active ON row (root, source, active DESC, id); -- as lists are sorted
CREATE INDEX row_recent ON row (active, root, size);
CREATE INDEX row_modified ON row (root, source, modified);
CREATE INDEX row_project ON row (project, active, size);
CREATE INDEX row_id ON row (id);
CREATE INDEX row_parent ON row (parent) WHERE parent <> '';
-- A row has the source that its user gave the session, however it came to its own.
CREATE TRIGGER row_source AFTER INSERT ON row WHEN NEW.source <> 'twin' AND NEW.parent = '' BEGIN
	UPDATE row SET source = l.source FROM label l WHERE row.file = NEW.file AND l.root = NEW.root AND l.id = NEW.id AND l.source <> ''; END;
CREATE TRIGGER row_source_again AFTER UPDATE OF source ON row WHEN NEW.source <> 'twin' AND NEW.parent = '' BEGIN
	UPDATE row SET source = l.source FROM label l WHERE row.file = NEW.file AND l.root = NEW.root AND l.id = NEW.id AND l.source <> ''; END;

CREATE TABLE project (
	id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, root INTEGER NOT NULL,
	short TEXT NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX project_folder ON project (folder);

-- The conversations of sessions that have several.
CREATE TABLE conversation (
	file INTEGER NOT NULL, n INTEGER NOT NULL, active INTEGER NOT NULL, body TEXT NOT NULL,
	lines TEXT NOT NULL, -- that are shown in it, if it is not the active one: see branchLines
	naming TEXT NOT NULL, -- lines of the chain that a summary in another file can name: see namingLines
	summary TEXT NOT NULL DEFAULT '', -- of such a line; goes when that file goes
	PRIMARY KEY (file, n)) WITHOUT ROWID;

CREATE TABLE problem (file INTEGER NOT NULL, body TEXT NOT NULL);
CREATE INDEX problem_file ON problem (file);
CREATE TABLE unknown (file INTEGER NOT NULL, version TEXT NOT NULL, what TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL);
CREATE INDEX unknown_file ON unknown (file);

-- The names of git branches; 0 is none. Whatever was done on one names it by its id.
CREATE TABLE branch (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- Every message of every file, those of a file side by side; counted is the one
-- that is added up. Others are looked for by the hash of the message.
CREATE TABLE usage (
	file INTEGER NOT NULL, hash INTEGER NOT NULL, message TEXT NOT NULL,
	call TEXT NOT NULL, -- the kind of a call beside an answer; empty: the answer
	branch INTEGER NOT NULL, -- of git, that its line has
	model TEXT NOT NULL, time INTEGER NOT NULL,
	sidechain INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
	cache_read INTEGER NOT NULL, write_5m INTEGER NOT NULL, write_1h INTEGER NOT NULL,
	searches INTEGER NOT NULL, fast INTEGER NOT NULL, batch INTEGER NOT NULL, us_only INTEGER NOT NULL,
	lines INTEGER NOT NULL, -- of the file that repeat it
	counted INTEGER NOT NULL DEFAULT 1,
	PRIMARY KEY (file, hash)) WITHOUT ROWID;
CREATE INDEX usage_hash ON usage (hash);
CREATE INDEX usage_dropped ON usage (file) WHERE counted = 0;
-- The messages of a file that count, added up and one by one, both packed; fresh
-- until an election was held.
CREATE TABLE spend (file INTEGER PRIMARY KEY, fresh INTEGER NOT NULL, sum BLOB NOT NULL, body BLOB NOT NULL);
CREATE INDEX spend_fresh ON spend (fresh) WHERE fresh = 1;
-- Files whose messages changed one by one: see Pack.
CREATE TABLE unpacked (file INTEGER PRIMARY KEY);
-- Messages of several files that changed in one of them: an election is due.
CREATE TABLE contested (hash INTEGER PRIMARY KEY);
-- What a session was forked from decides where its messages count: see copied.
CREATE TRIGGER row_fork AFTER UPDATE OF fork ON row BEGIN
	INSERT OR IGNORE INTO contested SELECT u.hash FROM usage u WHERE u.file = NEW.file
		AND EXISTS (SELECT 1 FROM usage o WHERE o.hash = u.hash AND o.file <> u.file); END;
-- The number of answers that the client of a file made up, where there are any.
CREATE TABLE synthetic (file INTEGER PRIMARY KEY, synthetic INTEGER NOT NULL);

-- The tool calls of a file with their results, packed, id: file << 20 | piece. See package calls.
CREATE TABLE call (id INTEGER PRIMARY KEY, body BLOB NOT NULL);

-- Outputs that were too large for their lines, in files of their own; their
-- extents have -id for a file. See output.go.
CREATE TABLE output (
	id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, session TEXT NOT NULL, name TEXT NOT NULL,
	stat TEXT NOT NULL, -- as listed when it was read
	UNIQUE (folder, session, name));
-- The lines that name them.
CREATE TABLE naming (
	name TEXT NOT NULL, file INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
	PRIMARY KEY (name, file, start)) WITHOUT ROWID;
CREATE INDEX naming_file ON naming (file);

-- A block is up to 48 KiB of whole lines, of one file or of many small ones. A longer line
-- is an extent of several blocks.
CREATE TABLE extent (
	block INTEGER NOT NULL, file INTEGER NOT NULL, start INTEGER NOT NULL,
	length INTEGER NOT NULL, line INTEGER NOT NULL,
	escapes INTEGER NOT NULL, -- a line of it writes printable characters as \u escapes
	inner INTEGER NOT NULL,   -- a line of it has a key "uuid" besides its own: see gram.Builder.Own
	PRIMARY KEY (block, file, start)) WITHOUT ROWID;
CREATE INDEX extent_file ON extent (file, block, start, length, line, escapes, inner);
CREATE INDEX extent_long ON extent (block) WHERE length > 49152; -- block.Size
-- The filters of blocks that are not yet sliced, and the slices of the others:
-- for 1024 blocks at a time, the bits of 31 buckets, a bit a block.
CREATE TABLE filter (block INTEGER PRIMARY KEY, length INTEGER NOT NULL, bits BLOB NOT NULL);
CREATE TABLE slice (id INTEGER PRIMARY KEY, bits BLOB NOT NULL); -- segment << 16 | part
`
