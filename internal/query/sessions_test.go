package query_test

// The keys about sessions are part of the language that is tested.
import _ "sesskeep/internal/ask"
