package identity

// Known lists the directories in which homes were last, according to the registry in
// dir.
func Known(dir string) (paths []string) {
	if dir == "" {
		return nil
	}
	known, _, err := read(dir)
	if err != nil {
		return nil
	}
	for _, h := range known.Homes {
		paths = append(paths, h.Path)
	}
	return paths
}
