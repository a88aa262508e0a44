package redact

import "strings"

// forms are the structured families that need more than a prefix and an alphabet.
var forms = []rule{
	{family: "private-key", literals: []string{"-----begin"}, match: privateKey},
	{family: "private-key", literals: []string{"putty-user-key-file-"}, match: puttyKey},
	{family: "jwt", literals: []string{"eyj"}, match: jwt},
	{family: "azure-storage-key", literals: []string{"accountkey="}, match: azureStorageKey},
	{family: "azure-client-secret", literals: []string{"8q~", "7q~"}, match: azureClientSecret},
	{family: "azure-sas-signature", literals: []string{"sig="}, match: azureSignature},
	{family: "aws-session-token", literals: []string{"iqojb3jpz2lu", "fwogzxivyxdz", "fqogzxivyxdz"}, match: awsSessionToken},
	{family: "telegram-token", literals: []string{":aa"}, match: telegramToken},
	{family: "terraform-token", literals: []string{".atlasv1."}, match: terraformToken},
	{family: "mailchimp-key", literals: []string{"-us"}, match: mailchimpKey},
	{family: "airtable-token", literals: []string{"pat"}, match: airtableToken},
	{family: "slack-webhook", literals: []string{"hooks.slack.com"}, match: slackWebhook},
	{family: "discord-webhook", literals: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, match: discordWebhook},
	{family: "discord-token", literals: discordStarts(), match: discordToken},
	{family: "teams-webhook", literals: []string{".webhook.office.com/webhookb2/"}, match: teamsWebhook},
}

func puttyKey(s *scan, at, end int) (int, int, bool) {
	text := s.text[at:min(len(s.text), at+maxSecret)]
	i := strings.Index(text, "Private-Lines:")
	if i < 0 {
		return 0, 0, false
	}
	body := i + len("Private-Lines:")
	for body < len(text) && text[body] != '\n' && text[body] != '\\' {
		body++ // skip the number of lines
	}
	for body < len(text) && !base64[text[body]] {
		body++
	}
	stop := base64.with("\r\n\\").span(text, body, maxSecret)
	return at + body, at + stop, stop-body >= 32
}

// jwt finds header.payload.signature, and the five pieces of an encrypted one.
func jwt(s *scan, at, end int) (int, int, bool) {
	text := s.text
	if !opens(text, at) {
		return 0, 0, false
	}
	stop := url64.span(text, at, 4000)
	pieces := 1
	for pieces < 5 && stop < len(text) && text[stop] == '.' {
		next := url64.span(text, stop+1, 8000)
		if next == stop+1 && pieces != 1 {
			break
		}
		stop = next
		pieces++
	}
	return at, stop, pieces >= 3 && stop-at >= 40 && varied(text[at:stop])
}

func azureStorageKey(s *scan, _, end int) (int, int, bool) {
	stop := base64.span(s.text, end, 90)
	return end, stop, stop-end == 88 && strings.HasSuffix(s.text[:stop], "==")
}

// azureClientSecret finds three bytes, a digit, Q~ and 31 to 34 more bytes.
func azureClientSecret(s *scan, at, end int) (int, int, bool) {
	from := at - 3
	if from < 0 || !opens(s.text, from) || !tilded.only(s.text[from:at]) || s.text[at+1] != 'Q' {
		return 0, 0, false
	}
	stop := withoutStop(s.text, end, tilded.span(s.text, end, 40))
	return from, stop, stop-end >= 31 && stop-end <= 34 && varied(s.text[end:stop])
}

// azureSignature finds the signature in a URL with a shared access signature.
func azureSignature(s *scan, at, end int) (int, int, bool) {
	if at == 0 || s.text[at-1] != '&' && s.text[at-1] != '?' && s.text[at-1] != ';' {
		return 0, 0, false
	}
	stop := percented.span(s.text, end, 120)
	return end, stop, stop-end >= 40 && varied(s.text[end:stop])
}

// awsSessionToken finds a token of a temporary key. It has long runs of slashes.
func awsSessionToken(s *scan, at, end int) (int, int, bool) {
	stop := awsBytes.span(s.text, end, 4000)
	starts := strings.HasPrefix(s.text[at:], "IQoJb3JpZ2lu") || strings.HasPrefix(s.text[at+1:], "woGZXIvYXdz") || strings.HasPrefix(s.text[at+1:], "QoGZXIvYXdz")
	return at, stop, starts && stop-end >= 30 && opens(s.text, at)
}

var awsBytes = base64.with("%-_")

// telegramToken finds the number of a bot, a colon and 35 bytes that begin with AA.
func telegramToken(s *scan, at, end int) (int, int, bool) {
	from := digits.name(s.text, at, 12)
	stop := url64.span(s.text, at+1, 40)
	fits := at-from >= 8 && at-from <= 10 && stop-at-1 == 35 && s.text[at+1:end] == "AA"
	return from, stop, fits && (opens(s.text, from) || strings.HasSuffix(s.text[:from], "bot")) && varied(s.text[end:stop])
}

func terraformToken(s *scan, at, end int) (int, int, bool) {
	from := alnum.name(s.text, at, 20)
	stop := url64.span(s.text, end, 80)
	return from, stop, at-from == 14 && stop-end >= 60 && opens(s.text, from)
}

func mailchimpKey(s *scan, at, end int) (int, int, bool) {
	from := hex.name(s.text, at, 40)
	stop := digits.span(s.text, end, 3)
	fits := at-from == 32 && stop > end && stop-end <= 2 && opens(s.text, from)
	return from, stop, fits && (stop == len(s.text) || !word[s.text[stop]])
}

// airtableToken finds pat, 14 bytes, a dot and 64 hexadecimal digits.
func airtableToken(s *scan, at, end int) (int, int, bool) {
	dot := alnum.span(s.text, end, 15)
	if dot-end != 14 || dot == len(s.text) || s.text[dot] != '.' || !opens(s.text, at) {
		return 0, 0, false
	}
	stop := hex.span(s.text, dot+1, 70)
	return at, stop, stop-dot-1 == 64
}

// slackWebhook finds the path of a webhook after its host. The slashes can be escaped.
func slackWebhook(s *scan, _, end int) (int, int, bool) {
	stop := withSlash.span(s.text, end, 120)
	from := end
	for _, piece := range []string{"services", "workflows", "triggers"} {
		if i := strings.Index(s.text[end:stop], piece); i >= 0 {
			from = end + i + len(piece)
		}
	}
	for from < stop && !alnum[s.text[from]] {
		from++
	}
	return from, stop, stop-from >= 40
}

func discordWebhook(s *scan, _, end int) (int, int, bool) {
	stop := hookBytes.span(s.text, end, 120)
	return end, stop, stop-end >= 70 && varied(s.text[end:stop])
}

// discordStarts returns what numbers of 17 to 19 digits begin with in base64.
func discordStarts() (list []string) {
	for _, two := range []string{"mt", "mj", "nz", "od", "nd", "nt", "oz"} {
		for _, third := range "aeimquycgk" {
			list = append(list, two+string(third))
		}
	}
	return list
}

// discordToken finds the number of a bot in base64, a time, and a signature, between dots.
func discordToken(s *scan, at, _ int) (int, int, bool) {
	if !opens(s.text, at) {
		return 0, 0, false
	}
	first := alnum.span(s.text, at, 29)
	if first-at < 23 || first-at > 28 || first == len(s.text) || s.text[first] != '.' {
		return 0, 0, false
	}
	second := url64.span(s.text, first+1, 7)
	if second-first-1 != 6 || second == len(s.text) || s.text[second] != '.' {
		return 0, 0, false
	}
	stop := url64.span(s.text, second+1, 40)
	return at, stop, stop-second-1 >= 27 && stop-second-1 <= 38 && varied(s.text[second+1:stop])
}

func teamsWebhook(s *scan, _, end int) (int, int, bool) {
	stop := hookBytes.span(s.text, end, 250)
	return end, stop, stop-end >= 100
}
