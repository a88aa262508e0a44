// Package archtest keeps the packages in their places: its test holds the table
// of who may import whom.
package archtest
