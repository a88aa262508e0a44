package index

import (
	"encoding/binary"

	"sesskeep"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// timesInPiece is how many lines of the chain are in a piece.
const timesInPiece = 512

// timePieces packs the lines of a chain that have a time. A line that comes
// later can change what an earlier one counts as, so they are always all.
func timePieces(chain []sesskeep.Link, tree *sesskeep.Tree) (list []db.Piece) {
	flags := make([]int64, len(chain))
	for t := range tree.Turns {
		for _, i := range tree.Turns[t].Lines {
			if chain[i].Spoken {
				flags[i] |= row.MessageLine
			}
			if chain[i].Role == sesskeep.RolePrompt {
				flags[i] |= row.PromptLine
			}
		}
	}
	for n := 0; n*timesInPiece < len(chain); n++ {
		var body []byte
		for i := n * timesInPiece; i < min((n+1)*timesInPiece, len(chain)); i++ {
			if !chain[i].When().IsZero() {
				body = binary.LittleEndian.AppendUint64(body, uint64(chain[i].Time<<row.LineBits|flags[i]))
			}
		}
		if len(body) > 0 {
			list = append(list, db.Piece{N: n, Body: body})
		}
	}
	return list
}

// lineTimes writes the line times of a file.
func (b *batch) lineTimes(d *delta, s *stored) error {
	from, to := db.PieceRange(s.id)
	if d.complete {
		if _, err := b.exec("DELETE FROM line_times WHERE id >= ? AND id < ?", from, to); err != nil {
			return err
		}
	}
	return b.changedPieces("line_times", s.id, d.times)
}
