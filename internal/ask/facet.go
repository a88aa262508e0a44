package ask

// Facets are what the rows of a list have in common, by the name of the facet.
type Facets map[string][]FacetValue

// FacetValue is how many rows a list would have if the value were asked for, in
// place of what its filter says of the facet.
type FacetValue struct {
	Value string `json:"value"`           // value of the facet, as the filter accepts it
	Label string `json:"label,omitempty"` // for a project: its path
	Count int    `json:"count"`           // number of rows that the list would have
}
