package index

func stopHere() { select {} }
