package block

// Incomplete is true of the files whose text may not be all in blocks. An index
// has exactly these: looking at the marks of all files would take longer than
// most searches.
const Incomplete = "(f.torn = 1 OR f.text = '' OR f.text <> f.stat)"
