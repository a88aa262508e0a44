// Package block keeps filters that show which blocks of text can contain a string.
//
// A block is up to 48 KiB of whole lines, of one file or of many small ones, and has a
// filter: a bucket for every group of four bytes, one bit each (see internal/gram). A line
// that is longer has several blocks, and an extent with all of the line in each of them. The
// filters of 1024 blocks make a segment, and are kept turned on their side, in slices:
// for a bucket, the bits of all blocks of the segment lie together. A Writer adds text
// to the last block; Candidates are the blocks that have all of some buckets.
package block
