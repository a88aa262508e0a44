package sesskeep

// InlineAgent returns agent n of Tree.Inline as a transcript of its own: clients of
// 1.0 wrote an agent's lines into the file of its session. It reads through t, which
// must stay open and closes the file for both. To see what was appended since, call
// More on t.
func (t *Transcript) InlineAgent(n int) *Transcript {
	lines := t.Tree.Inline[n]
	agent := &Transcript{File: t.File, file: t.file, recent: t.recent}
	agent.Digest.Session, agent.Digest.Cwds, agent.Digest.GitBranch, agent.Digest.Version = t.Digest.Session, t.Digest.Cwds, t.Digest.GitBranch, t.Digest.Version
	agent.Digest.Agent = AgentID(t.Digest.Chain[lines[0]].UUID)
	for _, i := range lines {
		agent.Digest.Chain = append(agent.Digest.Chain, t.Digest.Chain[i])
	}
	agent.Digest.frozen = true
	agent.Tree = agent.Digest.Tree()
	return agent
}
