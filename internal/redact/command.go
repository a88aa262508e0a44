package redact

import "strings"

// commandPassword finds passwords in the options of commands: curl -u user:password,
// sshpass -p password, mysql -ppassword, redis-cli -a password, curl -b name=value.
func commandPassword(s *scan, at, end int) (int, int, bool) {
	option := strings.TrimLeft(s.text[at:end], " ")
	i := skipQuotes(s.text, end)
	stop := argument.span(s.text, i, 256)
	value := s.text[i:stop]
	line := s.text[lineStart(s.text, at):at]
	user, password, named := strings.Cut(value, ":")
	named = named && user != "" && looksPassword(password)
	switch strings.TrimSpace(strings.ToLower(option)) {
	case "-u", "--user":
		return stop - len(password), stop, named && mentions(line, "curl", "http", "wget", "rclone")
	case "sshpass -p":
		return i, stop, looksPassword(value)
	case "-p":
		glued := i == end && mentions(line, "mysql", "mariadb", "7z") // with a blank, they ask for it
		return i, stop, (glued || mentions(line, "sshpass", "mongo", "docker login", "redis")) && looksPassword(value) && !digits.only(value)
	case "-a":
		if command := strings.TrimSpace(line); strings.HasPrefix(command, "http") || strings.HasPrefix(command, "xh") {
			return stop - len(password), stop, named
		}
		return i, stop, mentions(line, "redis-cli") && looksPassword(value)
	case "-b", "--cookie":
		from := i + strings.IndexByte(value, '=') + 1
		return from, stop, from > i && mentions(line, "curl") && hasSecretValue(s.text[from:stop])
	}
	return 0, 0, false
}

// lineStart returns where the line with i begins, or the command in that line.
func lineStart(text string, i int) int {
	from := max(0, i-200)
	if n := strings.LastIndexAny(text[from:i], "\n;|&"); n >= 0 {
		return from + n + 1
	}
	return from
}

func mentions(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// sudoPassword finds what a command pipes to sudo: echo … | sudo -S, or sudo -S <<< ….
func sudoPassword(s *scan, at, end int) (int, int, bool) {
	text := s.text
	if rest := text[end:min(len(text), end+16)]; strings.Contains(rest, "<<<") {
		i := skipQuotes(text, end+strings.Index(rest, "<<<")+len("<<<"))
		stop := argument.span(text, i, 256)
		return i, stop, looksPassword(text[i:stop])
	}
	pipe := strings.LastIndexByte(text[max(0, at-8):at], '|') + max(0, at-8)
	if pipe < max(0, at-8) {
		return 0, 0, false
	}
	stop := pipe
	for stop > 0 && quotes[text[stop-1]] {
		stop--
	}
	from := argument.back(text, stop, 256)
	command := text[lineStart(text, from):from]
	return from, stop, mentions(command, "echo", "printf") && looksPassword(text[from:stop])
}

// netrc finds login NAME password SECRET.
func netrc(s *scan, at, end int) (int, int, bool) {
	i := plain.span(s.text, end, 200)
	gap := gapBytes.span(s.text, i, 20)
	for gap < len(s.text) && gap > i && s.text[gap] == 'n' && s.text[gap-1] == '\\' {
		gap = blank.span(s.text, gap+1, 20)
	}
	rest := s.text[gap:min(len(s.text), gap+9)]
	if gap == i || rest != "password " || !opens(s.text, at) {
		return 0, 0, false
	}
	from := gap + len(rest)
	stop := argument.span(s.text, from, 256)
	machine := strings.Contains(s.text[lineStart(s.text, at):at], "machine ")
	return from, stop, stop-from >= 4 && (looksPassword(s.text[from:stop]) || machine && !standsFor(s.text[from:stop]))
}

// cookieJar finds the value in a line of a file of cookies as curl and browsers write it:
// domain, TRUE, path, TRUE, time, name and value, with tabs between.
func cookieJar(s *scan, _, end int) (int, int, bool) {
	text := s.text
	i := digits.span(text, end, 12)
	if i == end || i == len(text) || text[i] != '\t' {
		return 0, 0, false
	}
	name := plain.span(text, i+1, 200)
	if name == i+1 || name == len(text) || text[name] != '\t' {
		return 0, 0, false
	}
	from := name + 1
	stop := cookieBytes.with("\"").span(text, from, 4000)
	return from, stop, hasSecretValue(text[from:stop])
}

// awsSecret finds the secret that stands beside the id of an access key, as in the file that
// the console offers: 40 characters that are not hexadecimal.
func awsSecret(s *scan, at, _ int) (int, int, bool) {
	text := s.text
	id := at + 20
	if id > len(text) || !upper.only(text[at:id]) || !opens(text, at) {
		return 0, 0, false
	}
	for i := id; i < min(len(text), id+160); {
		stop := base64.span(text, i, 200)
		if stop-i == 40 && !anyhex.only(text[i:stop]) && looksRandom(text[i:stop]) && !standsFor(text[i:stop]) {
			return i, stop, true
		}
		i = max(stop, i+1)
	}
	return 0, 0, false
}
