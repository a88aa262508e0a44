package ask

// Facets are what the rows of a list have in common, by the name of the facet.
type Facets map[string][]FacetValue

// FacetValue is how many rows a list would have if the value were asked for, in
// place of what its filter says of the facet.
type FacetValue struct {
	Value string `json:"value"`
	Label string `json:"label,omitempty"` // of a project: its path
	Count int    `json:"count"`
}
