package sesskeep

// InlineAgent returns agent n of Tree.Inline as a transcript of its own: clients of
// 1.0 wrote an agent's lines into the file of its session. It reads through t, which
// must stay open and closes the file for both. To see what was appended since, call
// More on t.
func (t *Transcript) InlineAgent(n int) *Transcript {
	lines := t.Inline[n]
	agent := &Transcript{File: t.File, file: t.file, recent: t.recent}
	agent.Session, agent.Cwds, agent.GitBranch, agent.Version = t.Session, t.Cwds, t.GitBranch, t.Version
	agent.Agent = AgentID(t.Chain[lines[0]].UUID)
	for _, i := range lines {
		agent.Chain = append(agent.Chain, t.Chain[i])
	}
	agent.frozen = true
	agent.Tree = agent.Digest.Tree()
	return agent
}
