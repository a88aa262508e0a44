package redact

import (
	"math/bits"
	"strings"
)

// token is a family whose secrets are a prefix followed by bytes of an alphabet.
type token struct {
	family   string
	prefixes string // separated by blanks; their case counts
	alphabet *set
	min, max int // bytes after the prefix
	// tail checks what must follow the bytes; nil: the word must end.
	tail func(text string, at int) (end int, ok bool)
}

// tokens are the structured families that need no code of their own. Where one prefix
// begins another, both are tried.
var tokens = []token{
	{"1password-token", "ops_eyJ", url64, 100, 4000, nil},
	{"adafruit-key", "aio_", alnum, 28, 28, nil},
	{"age-key", "AGE-SECRET-KEY-1", upper, 58, 58, nil},
	{"anthropic-key", "sk-ant-", url64, 24, 200, nil},
	{"artifactory-key", "AKCp cmVmdGtuOjAxO", alnum, 45, 100, nil},
	{"atlassian-token", "ATATT3 ATCTT3", url64.with("="), 60, 400, nil},
	{"atlassian-token", "ATBB", alnum, 28, 40, nil},
	{"aws-access-key", "AKIA ASIA ABIA ACCA", upper, 16, 16, nil},
	{"aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS", base64, 80, 300, nil},
	{"brevo-key", "xkeysib-", alnum.with("-"), 60, 90, nil},
	{"buildkite-token", "bkua_", hex, 40, 40, nil},
	{"bitcoin-key", "xprv yprv zprv tprv", alnum, 107, 107, nil},
	{"cargo-token", "cio", alnum, 32, 32, nil},
	{"circleci-token", "CCIPAT_", word, 40, 100, nil},
	{"clojars-token", "CLOJARS_", lower, 60, 60, nil},
	{"databricks-token", "dapi", hex, 32, 32, optional("-", digits, 1)},
	{"digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", hex, 64, 64, nil},
	{"docker-token", "dckr_pat_ dckr_oat_", url64, 24, 40, nil},
	{"doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", alnum.with("._-"), 40, 80, nil},
	{"dropbox-token", "sl.", url64, 60, 2000, nil},
	{"duffel-token", "duffel_test_ duffel_live_", url64, 40, 50, nil},
	{"dynatrace-token", "dt0c01. dt0s16. dt0s01.", upper.with("."), 80, 100, nil},
	{"easypost-key", "EZAK EZTK", alnum, 54, 60, nil},
	{"facebook-token", "EAA", alnum, 80, 400, nil},
	{"figma-token", "figd_ figo_ figor_", url64, 30, 60, nil},
	{"flyio-token", "fo1_", url64, 40, 60, nil},
	{"flyio-token", "fm1r_ fm1a_ fm2_", base64, 80, 2000, nil},
	{"github-token", "ghp_ gho_ ghu_ ghs_ ghr_", alnum, 36, 255, nil},
	{"github-token", "github_pat_", word, 60, 255, nil},
	{"gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct-", dotted, 20, 120, nil},
	{"google-api-key", "AIza", url64, 35, 35, nil},
	{"google-oauth-token", "ya29.", dotted, 40, 1500, nil},
	{"google-oauth-token", "GOCSPX-", url64, 28, 28, nil},
	{"google-oauth-token", "1//0", url64, 40, 300, nil},
	{"grafana-token", "glsa_", word, 40, 60, nil},
	{"grafana-token", "glc_", base64, 40, 400, nil},
	{"groq-key", "gsk_", alnum, 48, 60, nil},
	{"heroku-key", "HRKU-", url64, 36, 70, nil},
	{"hubspot-token", "pat-na1- pat-na2- pat-eu1-", hex.with("-"), 36, 36, nil},
	{"huggingface-token", "hf_ api_org_", alnum, 34, 40, nil},
	{"langsmith-key", "lsv2_pt_ lsv2_sk_", hex.with("_"), 40, 60, nil},
	{"linear-key", "lin_api_ lin_oauth_", alnum, 32, 80, nil},
	{"mailgun-key", "key-", hex, 32, 32, nil},
	{"mapbox-token", "sk.eyJ", dotted, 60, 400, nil},
	{"netlify-token", "nfp_ nfc_ nfu_", alnum, 36, 50, nil},
	{"newrelic-key", "NRAK- NRJS- NRII- NRAA- NRIQ-", alnum.with("_-"), 19, 50, nil},
	{"notion-token", "ntn_", alnum, 40, 60, nil},
	{"notion-token", "secret_", alnum, 43, 43, nil},
	{"npm-token", "npm_", alnum, 36, 36, nil},
	{"nuget-key", "oy2", lower, 43, 43, nil},
	{"openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", url64, 40, 300, nil},
	{"openai-key", "sk-", alnum, 40, 64, nil},
	{"openrouter-key", "sk-or-v1- sk-or-", hex, 48, 64, nil},
	{"password-hash", "$2a$ $2b$ $2y$", alnum.with("./$"), 56, 56, nil},
	{"password-hash", "$5$ $6$ $y$ $7$", alnum.with("./$="), 50, 140, nil},
	{"password-hash", "$apr1$", alnum.with("./$"), 24, 31, nil},
	{"password-hash", "$argon2id$ $argon2i$ $argon2d$", base64.with("$,"), 50, 250, nil},
	{"perplexity-key", "pplx-", alnum, 40, 64, nil},
	{"planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", dotted, 32, 80, nil},
	{"posthog-key", "phx_", alnum, 40, 60, nil},
	{"postman-key", "PMAK-", hex.with("-"), 59, 59, nil},
	{"prefect-key", "pnu_ pnb_", alnum, 36, 36, nil},
	{"pulumi-token", "pul-", hex, 40, 40, nil},
	{"pypi-token", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZ", url64, 50, 1000, nil},
	{"readme-key", "rdme_", lower, 70, 70, nil},
	{"replicate-token", "r8_", alnum, 37, 40, nil},
	{"rubygems-key", "rubygems_", hex, 48, 48, nil},
	{"sendgrid-key", "SG.", dotted, 60, 80, nil},
	{"sentry-token", "sntrys_ sntryu_", base64.with("_"), 60, 400, nil},
	{"shippo-token", "shippo_live_ shippo_test_", hex, 40, 40, nil},
	{"shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", anyhex, 32, 32, nil},
	{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe. xapp-", alnum.with("-_.%/+="), 24, 400, nil},
	{"sourcegraph-token", "sgp_", word, 40, 64, nil},
	{"square-token", "sq0atp- sq0csp- sq0idp-", url64, 22, 60, nil},
	{"stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_", alnum, 16, 250, nil},
	{"stripe-key", "whsec_", base64, 24, 80, nil},
	{"supabase-key", "sbp_", hex, 40, 40, nil},
	{"supabase-key", "sb_secret_", url64, 20, 60, nil},
	{"tailscale-key", "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook- tskey-", alnum.with("-"), 20, 100, nil},
	{"twilio-key", "SK", hex, 32, 32, nil},
	{"vault-token", "hvs. hvb. hvr.", url64, 24, 300, nil},
	{"voyage-key", "pa-", url64, 43, 43, nil},
	{"xai-key", "xai-", alnum, 70, 90, nil},
}

// optional returns a tail that accepts nothing, or mark and n bytes of a set.
func optional(mark string, more *set, n int) func(string, int) (int, bool) {
	return func(text string, at int) (int, bool) {
		if rest := text[at:]; strings.HasPrefix(rest, mark) && more.span(rest, len(mark), n) == len(mark)+n {
			at += len(mark) + n
		}
		return at, at == len(text) || !alnum[text[at]]
	}
}

// rule makes a rule of a token.
func (k token) rule() rule {
	r := rule{family: k.family}
	var prefixes []string
	for prefix := range strings.FieldsSeq(k.prefixes) {
		prefixes = append(prefixes, prefix)
		r.literals = append(r.literals, searchable(prefix)...)
	}
	r.match = func(s *scan, at, end int) (int, int, bool) {
		for _, prefix := range prefixes {
			if strings.HasPrefix(s.text[at:], prefix) {
				if stop, ok := k.body(s.text, at+len(prefix), prefix); ok && begins(s.text, at, prefix) && !inBase64(s.text, at, prefix, stop) {
					return at, stop, true
				}
			}
		}
		return 0, 0, false
	}
	return r
}

// begins reports whether a token can begin at i. A prefix that occurs nowhere else can stand
// behind an underscore: TOKEN_ghp_…, or __ghp_…__ for bold.
func begins(text string, i int, prefix string) bool {
	return opens(text, i) || text[i-1] == '_' && own(prefix)
}

// own reports whether a prefix is long and has a sign at its end.
func own(prefix string) bool {
	return len(prefix) >= 4 && !alnum[prefix[len(prefix)-1]]
}

// inBase64 reports whether a token without a sign after its prefix is a piece of a longer
// text in base64, where any such prefix occurs by chance.
func inBase64(text string, at int, prefix string, stop int) bool {
	joins := func(c byte) bool { return c == '+' || c == '/' }
	return alnum.only(prefix) && (at > 0 && joins(text[at-1]) || stop < len(text) && joins(text[stop]))
}

// searchable returns the literals that a search for a prefix uses. A prefix of two bytes is
// in too many words, so each literal has one of the hexadecimal digits that can follow it.
func searchable(prefix string) (list []string) {
	low := strings.ToLower(prefix)
	if len(low) > 2 {
		return []string{low}
	}
	for _, digit := range "0123456789abcdef" {
		list = append(list, low+string(digit))
	}
	return list
}

// body returns where the bytes after a prefix end.
func (k token) body(text string, at int, prefix string) (int, bool) {
	stop := k.alphabet.span(text, at, k.max+1)
	if k.tail == nil {
		stop = withoutStop(text, at, stop)
	}
	n := stop - at
	if n < k.min || n > k.max || !varied(text[at:stop]) || strings.HasSuffix(text[at:stop], "EXAMPLE") {
		return 0, false
	}
	if k.tail != nil {
		return k.tail(text, stop)
	}
	return stop, stop == len(text) || !word[text[stop]] || text[stop] == '_' && own(prefix)
}

// withoutStop moves stop before trailing dots, slashes and percent signs, which belong to the
// text around a token.
func withoutStop(text string, at, stop int) int {
	for stop > at && (text[stop-1] == '.' || text[stop-1] == '/' || text[stop-1] == '%') {
		stop--
	}
	return stop
}

// varied reports whether a text has about as many different bytes as a random one. xxxxxxxx
// and 00000000 are placeholders.
func varied(text string) bool {
	var seen [4]uint64 // a bit for each byte
	longest, run := 0, 0
	for i := range len(text) {
		c := text[i]
		seen[c>>6] |= 1 << (c & 63)
		if run++; i > 0 && c != text[i-1] {
			run = 1
		}
		longest = max(longest, run)
	}
	n := 0
	for _, some := range seen {
		n += bits.OnesCount64(some)
	}
	return n >= min(7, len(text)*2/5) && longest < 7
}
