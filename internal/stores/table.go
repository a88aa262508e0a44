package stores

// Table has a row for each of our stores. The first row that matches a file counts.
var Table = []Store{
	{Data, []string{"*.lock", "*/*.lock", "vault/*/lock", "vault/*/projects/*/lock", "vault/*/*.lock", "vault/*/projects/*/*.lock"}, "locks", LeftOut, Unneeded, "they are empty"},
	{Data, []string{"homes.json", "homes.json.*", "backup/homes.json", "vault/homes.json"}, "names and ids of homes and machines", LeftOut, Unneeded, "ids belong to a machine"},
	{Data, []string{"keep.json", "keep.json.*", "backup/keep.json"}, "what is to be kept", Exported, Unneeded, "it names directories only"},
	{Data, []string{"places.json", "places.json.*", "backup/places.json"}, "second places of the copies", LeftOut, Unneeded, "they are directories of this machine, and sessions to be removed there by their ids"},
	{Data, []string{"vault/"}, "copies of what the client wrote", Copied, Cleaned, ""},
	{Data, []string{"labels.db*", "backup/labels-*"}, "titles, tags, notes, stars and what is archived", Exported, Cleaned, ""},
	{Data, []string{"trash/"}, "sessions in the trash", Copied, Cleaned, ""},
	{Data, []string{"journal.jsonl", "journal.jsonl.*", "backup/", "stage/"}, "what was changed on this machine, and what undoes it", LeftOut, Cleaned, "it describes files of this machine"},
	{Data, []string{"runs/"}, "runs, with what their clients said", LeftOut, Cleaned, "what was said is in the transcripts"},
	{Data, []string{"statusline.json"}, "what clients reported to their status line", LeftOut, Cleaned, "the clients report it again"},
	{State, []string{"links/"}, "pages that are shared by links", LeftOut, Cleaned, "links lead to the server of this machine"},
	{State, []string{"*.lock"}, "locks", LeftOut, Unneeded, "they are empty"},
	{State, []string{"tokens.json*", "token", "tokens.*", "tls.*"}, "tokens and keys of the server", LeftOut, Unneeded, "they are secrets of this machine"},
	{State, []string{"serve.json*", "serve.sock", "serve.log*"}, "the running server", LeftOut, Unneeded, "it ends with the server"},
	{State, []string{"reports.jsonl*", "lifecycle.jsonl*"}, "what hooks reported, and what happened to sessions", LeftOut, Cleaned, "it is about processes of this machine"},
	{Data, []string{"purges.json*"}, "what purges have not removed yet", LeftOut, Cleaned, "it is about stores of this machine"},
	{Data, []string{"import-*/"}, "bundles that are being imported", LeftOut, Cleaned, "an import that was killed left them"},
	{Cache, []string{"*.lock"}, "locks", LeftOut, Unneeded, "they are empty"},
	{Cache, []string{"index*", "index/"}, "the index", LeftOut, Cleaned, "it is rebuilt"},
	{Cache, []string{"paths.json*"}, "paths of projects", LeftOut, Cleaned, "they are read again"},
	{Cache, []string{"demo/", "demo.used"}, "the sample home", LeftOut, Unneeded, "it is written again"},
	{Config, []string{"config.toml*"}, "the configuration", Copied, Unneeded, "users write it"},
	{Data, []string{"interface.json*"}, "how the terminal interface looks", Copied, Unneeded, "it is about columns and colours"},
}
