package launch

import "encoding/json"

// Decode reads the content of a message as it was written to the client.
func (m *Message) Decode(content []byte) error {
	if json.Unmarshal(content, &m.Text) == nil {
		return nil
	}
	var blocks []struct {
		Text   string `json:"text"`
		Source struct {
			Type string `json:"media_type"`
			Data []byte `json:"data"`
		} `json:"source"`
	}
	if err := json.Unmarshal(content, &blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		m.Text += b.Text
		if len(b.Source.Data) > 0 {
			m.Images = append(m.Images, Image{Type: b.Source.Type, Data: b.Source.Data})
		}
	}
	return nil
}
