package index
