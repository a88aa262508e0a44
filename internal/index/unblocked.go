package index

// unblocked is true of the files whose text may not be all in blocks. An index
// has exactly these: looking at the marks of all files would take longer than
// most searches.
const unblocked = "(f.torn = 1 OR f.text = '' OR f.text <> f.stat)"
