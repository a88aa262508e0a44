// Package archtest keeps the packages in their places: its tests hold the table
// of who may import whom, limit how large types and packages grow, and follow the ways
// that ARCHITECTURE.md lists through the code.
package archtest
