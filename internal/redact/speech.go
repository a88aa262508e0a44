package redact

import "strings"

// abroad are words for password in other languages.
var abroad = strings.Split("contraseña|mot de passe|senha:|senha =|wachtwoord|lösenord|hasło|пароль|Пароль|密码|密碼|パスワード|비밀번호|şifre", "|")

// spoken finds what follows such a word and a colon.
func spoken(s *scan, _, end int) (int, int, bool) {
	text := s.text
	i := skipQuotes(text, end)
	switch {
	case strings.HasPrefix(text[i:], "："):
		i += len("：")
	case i < len(text) && (text[i] == ':' || text[i] == '='):
		i++
	case text[end-1] != ':' && text[end-1] != '=':
		return 0, 0, false
	}
	i = skipQuotes(text, i)
	stop := plain.span(text, i, 100)
	for stop > i && (text[stop-1] == '.' || text[stop-1] == ':') {
		stop--
	}
	value := text[i:stop]
	return i, stop, asciiOnly(value) && looksPassword(value)
}

// mnemonic finds the twelve or more words that stand for the key of a wallet.
func mnemonic(s *scan, _, end int) (int, int, bool) {
	text := s.text
	i := quotes.with("=:").span(text, end, 12)
	if i < len(text) && startsWith(text[i:], "is") {
		i = quotes.with(":").span(text, i+2, 8)
	}
	words, stop := 0, i
	for at := i; words < 24; words++ {
		next := small.span(text, at, 9)
		if next-at < 3 || next-at > 8 {
			break
		}
		stop = next
		at = blank.span(text, next, 2)
		if at == next {
			words++
			break
		}
	}
	return i, stop, words >= 12
}

var small = setOf("a-z")

func asciiOnly(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
