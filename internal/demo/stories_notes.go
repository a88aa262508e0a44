package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"time"
)

const notesDir = "/home/ada/notes"

// noteStories are not about code, and not all in English.
func (h *home) noteStories() {
	s := h.session(plot{name: "kyoto", cwd: notesDir, start: 26*day + 4*hour, model: sonnet})
	s.prompt("京都で三日間の旅行の計画を立てて 🗼 紅葉が見たいです")
	s.answer(withheld(400), plain("WebSearch", fields{"query", "京都 紅葉 見頃"}, "永観堂と東福寺が見頃。朝早くが静か。",
		fields{"query", "京都 紅葉 見頃", "results", []any{"永観堂", "東福寺"}, "durationSeconds", 2.1, "searchCount", 1}).took(2_100*time.Millisecond))
	s.answer(create("kyoto.md", "# 京都 三日間\n\n1. 東福寺(朝)、伏見稲荷\n2. 永観堂、哲学の道、銀閣寺\n3. 嵐山、渡月橋\n"),
		text("計画を kyoto.md に書きました。"))
	s.answer(text("三日間の計画です。一日目は東福寺と伏見稲荷、二日目は永観堂から哲学の道、三日目は嵐山。朝八時前に着くと静かです。"))
	s.pass(9 * minute)
	s.prompt("二日目に雨が降ったら?")
	s.answer(text("二日目が雨なら、国立博物館と錦市場に替えましょう。☔"))
	s.exit()

	m := h.session(plot{name: "reunion", cwd: notesDir, start: 28*day + 9*hour, model: haiku})
	m.paste(source("notes/reunion.md")+meetingTail, "Fais-moi un résumé en trois points, avec les décisions à prendre.")
	m.answer(text("1. **Mise en production reportée à mardi** : le test de charge a échoué à 1 200 requêtes/s.\n2. **Benoît reprend la migration** ; il attend l'accès à la préproduction.\n3. **À décider** : l'arrêt de l'ancienne page d'accueil, et qui est d'astreinte pendant les fêtes."))
	m.exit()

	j := h.session(plot{name: "reading", cwd: notesDir, start: 8*day + 6*hour, model: haiku})
	j.prompt("Turn my reading list into a table: title, author, why I wanted to read it")
	j.answer(read("reunion.md"))
	j.answer(text("I only find meeting notes here. Where is the list?"))
	j.pass(2 * minute)
	j.prompt("ah, in ~/books.txt. forget it, I'll do it myself 🙃")
	j.answer(text("All right. 📚"))
	j.exit()
}

const meetingTail = `
## Détails

Le test de charge a été mené mercredi soir avec le jeu de données complet. À 900 requêtes par seconde, la latence
reste sous 80 ms ; à 1 200 requêtes par seconde, le pool de connexions est épuisé et les réponses dépassent 4 s. Zoë
pense que la limite vient de la configuration, pas du code, et veut refaire le test avec 40 connexions.

Chloé a mesuré le trafic de l'ancienne page d'accueil : 140 visites par jour, presque toutes de robots. Une
redirection permanente suffirait. Il faut prévenir l'équipe de communication avant la fin de la semaine.

Benoît demande deux jours de plus pour la migration si l'accès à la préproduction n'arrive pas lundi.
`

// appStories show two directories that share one name, and a session that is
// open and has nothing to do.
func (h *home) appStories() {
	s := h.session(plot{name: "dark", cwd: "/home/ada/src/my-app", branch: "main", start: 5*hour + 20*minute, model: sonnet})
	s.prompt("Add a dark theme that follows the system setting")
	s.answer(read("theme.css"))
	s.answer(edit("theme.css", "  --accent: #1f5fd0;\n}\n", "  --accent: #1f5fd0;\n}\n\n@media (prefers-color-scheme: dark) {\n  :root {\n    --bg: #0f1115;\n    --text: #e6e8ec;\n    --accent: #7aa2f7;\n  }\n}\n"))
	s.answer(text("The dark theme follows the system. Contrast of text on background is 13:1."))
	s.pass(3 * minute)
	s.picture(buttons(), "hmm, the accent on buttons is hard to read")
	s.answer(think("Accent #7aa2f7 on the dark background is 6.3:1, fine. On buttons the text is white on accent: 2.5:1. That is the problem. Use dark text on the accent instead."),
		edit("theme.css", "    --accent: #7aa2f7;\n", "    --accent: #7aa2f7;\n    --on-accent: #0f1115;\n"))
	s.answer(text("White on the light accent was only 2.5:1. Buttons now use dark text: 7.4:1."))
	s.registered(4_200_702, "idle", "", Domain)
	s.save()
}

// buttons is a picture of a button that is hard to read.
func buttons() []byte {
	picture := image.NewPaletted(image.Rect(0, 0, 96, 32), color.Palette{
		color.RGBA{0x0f, 0x11, 0x15, 0xff}, color.RGBA{0x7a, 0xa2, 0xf7, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff}})
	for y := 4; y < 28; y++ {
		for x := 8; x < 88; x++ {
			picture.SetColorIndex(x, y, 1)
			if y > 13 && y < 18 && x > 24 && x < 72 && x%6 < 4 {
				picture.SetColorIndex(x, y, 2)
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		panic("demo: encode picture: " + err.Error())
	}
	return b.Bytes()
}
