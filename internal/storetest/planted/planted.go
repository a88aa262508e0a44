// Package planted makes texts in which secrets are planted, and lines that only look as if
// they had one, for tests of what finds secrets.
//
// It draws everything from a seed: no secret of it was ever valid. It knows the formats of
// the services from their documents and shares no code, no pattern and no table with
// internal/redact, so that a mistake there is not repeated here.
package planted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Sample is a text with a secret in it.
type Sample struct {
	Kind   string // what was planted
	Formed bool   // its form alone says what it is
	Text   string
	Secret string // as it stands in the text, or a part that must not stay
}

// Maker draws samples.
type Maker struct{ r *rand.Rand }

// New returns a Maker that always draws the same for a seed.
func New(seed uint64) *Maker { return &Maker{rand.New(rand.NewPCG(seed, 0x5eed))} }

// The alphabets of the tokens of services.
const (
	small   = "abcdefghijklmnopqrstuvwxyz"
	big     = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	number  = "0123456789"
	sixteen = number + "abcdef"
	letters = small + big + number
	websafe = letters + "-_"
)

// random makes a text of n characters of an alphabet.
func (m *Maker) random(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.r.IntN(len(alphabet))]
	}
	return string(b)
}

func (m *Maker) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.r.UintN(256))
	}
	return b
}

func (m *Maker) pick(list ...string) string { return list[m.r.IntN(len(list))] }

func (m *Maker) between(low, high int) int { return low + m.r.IntN(high-low+1) }

// kind is one thing that can be planted.
type kind struct {
	name string
	make func(m *Maker) string
}

// fixed makes a secret that is a prefix and random letters.
func fixed(prefix, alphabet string, n int) func(*Maker) string {
	return func(m *Maker) string { return prefix + m.random(alphabet, n) }
}

func (m *Maker) uuid() string {
	h := m.random(sixteen, 32)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

func (m *Maker) jwt() string {
	part := func(v any) string {
		data, _ := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(data)
	}
	head := part(map[string]any{"alg": m.pick("HS256", "RS256", "ES256"), "typ": "JWT"})
	body := part(map[string]any{"sub": m.random(number, 10), "name": m.name(), "iat": 1700000000 + m.r.IntN(1e8)})
	return head + "." + body + "." + base64.RawURLEncoding.EncodeToString(m.bytes(32))
}

func (m *Maker) pem(breakWith string) string {
	what := m.pick("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "DSA ")
	text := base64.StdEncoding.EncodeToString(m.bytes(m.between(120, 1200)))
	var lines []string
	for len(text) > 64 {
		lines, text = append(lines, text[:64]), text[64:]
	}
	lines = append(lines, text)
	return "-----BEGIN " + what + "PRIVATE KEY-----" + breakWith + strings.Join(lines, breakWith) + breakWith + "-----END " + what + "PRIVATE KEY-----"
}

// formed are secrets whose form says what they are.
var formed = []kind{
	{"anthropic", func(m *Maker) string {
		return "sk-ant-" + m.pick("api03-", "admin01-", "oat01-") + m.random(websafe, 93) + "AA"
	}},
	{"openai", func(m *Maker) string {
		return m.pick("sk-proj-", "sk-svcacct-", "sk-admin-") + m.random(websafe, 74) + "T3BlbkFJ" + m.random(websafe, 73) + m.random(letters, 1)
	}},
	{"openai old", func(m *Maker) string { return "sk-" + m.random(letters, 20) + "T3BlbkFJ" + m.random(letters, 20) }},
	{"openrouter", fixed("sk-or-v1-", sixteen, 64)},
	{"github", func(m *Maker) string { return "gh" + m.pick("p", "o", "u", "s", "r") + "_" + m.random(letters, 36) }},
	{"github fine-grained", func(m *Maker) string { return "github_pat_" + m.random(letters, 22) + "_" + m.random(letters, 59) }},
	{"gitlab", func(m *Maker) string {
		return m.pick("glpat-", "glrt-", "gldt-", "glptt-") + m.random(websafe, 19) + m.random(letters, 1)
	}},
	{"slack bot", func(m *Maker) string {
		return "xoxb-" + m.random(number, 12) + "-" + m.random(number, 13) + "-" + m.random(letters, 24)
	}},
	{"slack user", func(m *Maker) string {
		return "xoxp-" + m.random(number, 12) + "-" + m.random(number, 12) + "-" + m.random(number, 13) + "-" + m.random(sixteen, 32)
	}},
	{"slack app", func(m *Maker) string {
		return "xapp-1-A" + m.random(big+number, 10) + "-" + m.random(number, 13) + "-" + m.random(sixteen, 64)
	}},
	{"slack webhook", func(m *Maker) string {
		return "https://hooks.slack.com/services/T" + m.random(big+number, 10) + "/B" + m.random(big+number, 10) + "/" + m.random(letters, 24)
	}},
	{"stripe", func(m *Maker) string {
		return m.pick("sk_live_", "sk_test_", "rk_live_") + m.random(letters, m.between(24, 99))
	}},
	{"stripe webhook", fixed("whsec_", letters, 32)},
	{"npm", fixed("npm_", letters, 36)},
	{"pypi", func(m *Maker) string { return "pypi-AgEIcHlwaS5vcmc" + m.random(websafe, 150) + m.random(letters, 1) }},
	{"aws id", func(m *Maker) string { return m.pick("AKIA", "ASIA") + m.random(big+"234567", 16) }},
	{"google api", func(m *Maker) string { return "AIza" + m.random(websafe, 34) + m.random(letters, 1) }},
	{"google access", func(m *Maker) string { return "ya29." + m.random(websafe, 130) + m.random(letters, 1) }},
	{"google client", func(m *Maker) string { return "GOCSPX-" + m.random(websafe, 27) + m.random(letters, 1) }},
	{"google refresh", func(m *Maker) string { return "1//0" + m.random(websafe, 98) + m.random(letters, 1) }},
	{"azure storage", func(m *Maker) string {
		return "DefaultEndpointsProtocol=https;AccountName=" + m.random(small, 8) + ";AccountKey=" + base64.StdEncoding.EncodeToString(m.bytes(64)) + ";EndpointSuffix=core.windows.net"
	}},
	{"azure client", func(m *Maker) string {
		return m.random(letters, 3) + "8Q~" + m.random(letters+"_-.~", 33) + m.random(letters, 1)
	}},
	{"jwt", (*Maker).jwt},
	{"huggingface", fixed("hf_", small+big, 34)},
	{"telegram", func(m *Maker) string {
		return m.random("123456789", 1) + m.random(number, 9) + ":AA" + m.random(websafe, 32) + m.random(letters, 1)
	}},
	{"supabase", fixed("sbp_", sixteen, 40)},
	{"sendgrid", func(m *Maker) string {
		return "SG." + m.random(websafe, 22) + "." + m.random(websafe, 42) + m.random(letters, 1)
	}},
	{"twilio", fixed("SK", sixteen, 32)},
	{"mailgun", fixed("key-", sixteen, 32)},
	{"mailchimp", func(m *Maker) string { return m.random(sixteen, 32) + "-us" + m.random("123456789", 1) }},
	{"digitalocean", func(m *Maker) string { return m.pick("dop_v1_", "doo_v1_") + m.random(sixteen, 64) }},
	{"shopify", func(m *Maker) string { return m.pick("shpat_", "shpss_") + m.random(sixteen, 32) }},
	{"square", func(m *Maker) string { return "sq0atp-" + m.random(websafe, 21) + m.random(letters, 1) }},
	{"discord webhook", func(m *Maker) string {
		return "https://discord.com/api/webhooks/" + m.random("123456789", 1) + m.random(number, 18) + "/" + m.random(websafe, 67) + m.random(letters, 1)
	}},
	{"discord bot", func(m *Maker) string {
		id := base64.RawStdEncoding.EncodeToString([]byte(m.random("1", 1) + m.random(number, 17)))
		return id + "." + m.random(letters, 6) + "." + m.random(websafe, 37) + m.random(letters, 1)
	}},
	{"vault", func(m *Maker) string { return "hvs." + m.random(websafe, 94) + m.random(letters, 1) }},
	{"terraform", func(m *Maker) string {
		return m.random(letters, 14) + ".atlasv1." + m.random(websafe, 66) + m.random(letters, 1)
	}},
	{"databricks", fixed("dapi", sixteen, 32)},
	{"grafana", func(m *Maker) string { return "glsa_" + m.random(letters, 32) + "_" + m.random(sixteen, 8) }},
	{"newrelic", fixed("NRAK-", big+number, 27)},
	{"linear", fixed("lin_api_", letters, 40)},
	{"notion", fixed("ntn_", letters, 46)},
	{"figma", func(m *Maker) string { return "figd_" + m.random(websafe, 39) + m.random(letters, 1) }},
	{"airtable", func(m *Maker) string { return "pat" + m.random(letters, 14) + "." + m.random(sixteen, 64) }},
	{"atlassian", func(m *Maker) string { return "ATATT3xFfGF0" + m.random(websafe, 170) + "=" + m.random(sixteen, 8) }},
	{"age", fixed("AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)},
	{"docker", func(m *Maker) string { return "dckr_pat_" + m.random(websafe, 26) + m.random(letters, 1) }},
	{"pulumi", fixed("pul-", sixteen, 40)},
	{"planetscale", func(m *Maker) string { return "pscale_tkn_" + m.random(websafe, 42) + m.random(letters, 1) }},
	{"postman", func(m *Maker) string { return "PMAK-" + m.random(sixteen, 24) + "-" + m.random(sixteen, 34) }},
	{"rubygems", fixed("rubygems_", sixteen, 48)},
	{"doppler", fixed("dp.pt.", letters, 43)},
	{"groq", fixed("gsk_", letters, 52)},
	{"xai", fixed("xai-", letters, 80)},
	{"perplexity", fixed("pplx-", letters, 48)},
	{"replicate", fixed("r8_", letters, 37)},
	{"langsmith", func(m *Maker) string { return "lsv2_pt_" + m.random(sixteen, 32) + "_" + m.random(sixteen, 10) }},
	{"tailscale", func(m *Maker) string { return "tskey-auth-" + m.random(letters, 12) + "CNTRL-" + m.random(letters, 32) }},
	{"brevo", func(m *Maker) string { return "xkeysib-" + m.random(sixteen, 64) + "-" + m.random(letters, 16) }},
	{"sentry", func(m *Maker) string { return "sntryu_" + m.random(sixteen, 64) }},
	{"netlify", fixed("nfp_", letters, 36)},
	{"hubspot", func(m *Maker) string { return "pat-" + m.pick("na1-", "eu1-") + m.uuid() }},
	{"heroku", func(m *Maker) string { return "HRKU-AA" + m.random(websafe, 57) + m.random(letters, 1) }},
}

// Formed makes n samples of each kind of secret that its form alone identifies, each in another
// context.
func (m *Maker) Formed(n int) (list []Sample) {
	for _, k := range formed {
		for range n {
			secret := k.make(m)
			list = append(list, Sample{Kind: k.name, Formed: true, Text: m.surround(secret), Secret: core(secret)})
		}
	}
	for range n * 2 {
		lineBreak := m.pick("\n", "\r\n", `\n`)
		key := m.pem(lineBreak)
		lines := strings.Split(key, lineBreak)
		list = append(list, Sample{"private key", true, m.surround(key), lines[1+m.r.IntN(len(lines)-2)]})
	}
	return list
}

// core is the part of a secret that must not stay.
func core(secret string) string {
	if _, rest, ok := strings.Cut(secret, "AccountKey="); ok {
		rest, _, _ = strings.Cut(rest, ";")
		return rest
	}
	if i := strings.LastIndexByte(secret, '/'); strings.HasPrefix(secret, "https://") {
		return secret[i+1:]
	}
	return secret
}

// surround puts a secret where one is found: a log, a program, a command, JSON in JSON.
func (m *Maker) surround(secret string) string {
	quoted := func(v any) string {
		data, _ := json.Marshal(v)
		return string(data)
	}
	switch m.r.IntN(14) {
	case 0:
		return secret
	case 1:
		return m.words(6) + " " + secret + " " + m.words(4)
	case 2:
		return fmt.Sprintf("%s = %q", m.pick("client", "x", "conf.value", "let it"), secret)
	case 3:
		return fmt.Sprintf("[%s] INFO request sent with %s, status 200", m.stamp(), secret)
	case 4:
		return "curl -H 'X-Custom: " + secret + "' https://api.acme.test/v1/items"
	case 5:
		return quoted(map[string]any{"ok": true, "value": secret, "n": m.r.IntN(99)})
	case 6:
		return quoted(map[string]any{"stdout": "line one\n" + secret + "\nline three"})
	case 7:
		return quoted(map[string]any{"body": quoted(map[string]string{"v": quoted([]string{"a", secret})})})
	case 8:
		return m.pick("EXPORTED", "MY_SETTING", "ACME_THING") + "=" + secret
	case 9:
		return "+  value: '" + secret + "',"
	case 10:
		return "| name | value |\n|---|---|\n| it | `" + secret + "` |"
	case 11:
		return "   12\t  const it = '" + secret + "';\n   13\t}"
	case 12:
		return m.words(30) + ". Use " + secret + ".\n" + m.words(20)
	}
	return "https://acme.test/cb?x=1&v=" + secret
}

func (m *Maker) stamp() string {
	return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02d.%03dZ", m.between(1, 12), m.between(1, 28), m.between(0, 23), m.between(0, 59), m.between(0, 59), m.between(0, 999))
}
