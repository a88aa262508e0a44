package tui

import tea "charm.land/bubbletea/v2"

var ring = tea.Raw("")
