package planted

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// lookalikes are lines without a secret that have what secrets have: random letters, or the
// words that stand beside them.
var lookalikes = []struct {
	name string
	make func(m *Maker) string
}{
	{"commit", func(m *Maker) string { return "commit " + m.random(sixteen, 40) + " " + m.words(4) }},
	{"short commits", func(m *Maker) string {
		return m.random(sixteen, 8) + ".." + m.random(sixteen, 8) + "  main -> origin/" + m.noun() + "-" + m.random(sixteen, 7)
	}},
	{"sum", func(m *Maker) string { return m.random(sixteen, 64) + "  dist/" + m.noun() + ".tar.gz" }},
	{"uuid", func(m *Maker) string {
		return fmt.Sprintf(`{"uuid":%q,"parentUuid":%q,"sessionId":%q}`, m.uuid(), m.uuid(), m.uuid())
	}},
	{"uuid in a log", func(m *Maker) string { return m.stamp() + " INFO request " + m.uuid() + " done in 12ms" }},
	{"npm lock", func(m *Maker) string {
		return `      "integrity": "sha512-` + base64.StdEncoding.EncodeToString(m.bytes(64)) + `",`
	}},
	{"npm resolved", func(m *Maker) string {
		return `      "resolved": "https://registry.npmjs.org/` + m.noun() + "/-/" + m.noun() + "-" + m.version() + `.tgz",`
	}},
	{"yarn lock", func(m *Maker) string {
		return `  resolved "https://registry.yarnpkg.com/` + m.noun() + "/-/" + m.noun() + "-" + m.version() + ".tgz#" + m.random(sixteen, 40) + `"`
	}},
	{"go sum", func(m *Maker) string {
		return "github.com/" + m.noun() + "/" + m.noun() + " v" + m.version() + " h1:" + base64.StdEncoding.EncodeToString(m.bytes(32))
	}},
	{"cargo lock", func(m *Maker) string { return `checksum = "` + m.random(sixteen, 64) + `"` }},
	{"poetry lock", func(m *Maker) string {
		return `    {file = "` + m.noun() + "-" + m.version() + `-py3-none-any.whl", hash = "sha256:` + m.random(sixteen, 64) + `"},`
	}},
	{"image", func(m *Maker) string {
		return "data:image/png;base64,iVBORw0KGgo" + base64.StdEncoding.EncodeToString(m.bytes(m.between(200, 2000)))
	}},
	{"base64 line", func(m *Maker) string { return base64.StdEncoding.EncodeToString(m.bytes(57)) }},
	{"image in JSON", func(m *Maker) string {
		return `{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/` + base64.StdEncoding.EncodeToString(m.bytes(m.between(200, 1500))) + `"}}`
	}},
	{"certificate", func(m *Maker) string {
		return "-----BEGIN CERTIFICATE-----\n" + base64.StdEncoding.EncodeToString(m.bytes(300)) + "\n-----END CERTIFICATE-----"
	}},
	{"public key", func(m *Maker) string {
		return "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + base64.RawStdEncoding.EncodeToString(m.bytes(32)) + " " + m.name() + "@laptop"
	}},
	{"minified", func(m *Maker) string { return m.minified() }},
	{"output of tests", func(m *Maker) string {
		return m.pick("--- PASS: Test", "    --- PASS: Fuzz", "--- FAIL: Test") + strings.ToUpper(m.noun()[:1]) + m.noun() + m.pick("/", "/empty_", "V2/") + m.noun() + m.random(number, 1) + " (0.0" + m.random(number, 1) + "s)"
	}},
	{"base64 of text", func(m *Maker) string {
		return base64.StdEncoding.EncodeToString([]byte(`{"` + m.noun() + `":"` + m.words(6) + `","id":` + m.random(number, 6) + `}`))
	}},
	{"usage", func(m *Maker) string {
		return fmt.Sprintf(`"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":%d,"service_tier":"standard"}`, m.r.IntN(99), m.r.IntN(99999), m.r.IntN(9999))
	}},
	{"limits", func(m *Maker) string {
		return m.pick("max_tokens: 4096", `"max_tokens":8192,`, "maxTokens = 1024", "token_count = len(tokens)", "tokenizer = AutoTokenizer.from_pretrained(name)", "TOKEN_LIMIT=200000")
	}},
	{"types", func(m *Maker) string {
		return m.pick("  password: string;", "password?: string | null,", "  token: string", "apiKey: String,", "secret: Option<String>,", "password = models.CharField(max_length=128)", "private String password;", "token TEXT NOT NULL,", "pub struct Token { kind: TokenKind }", "func (t *Token) Key() string {", "type Secret struct {")
	}},
	{"references", func(m *Maker) string {
		return m.pick("password: process.env.DB_PASSWORD,", "const token = req.headers.authorization", `apiKey := os.Getenv("API_KEY")`, "token = get_token(user)", "password = getpass.getpass()", "API_KEY=${API_KEY}", "PASSWORD=$1", "secret: ${{ secrets.DEPLOY_TOKEN }}", "token: {{ .Values.token }}", "const secret = await vault.read(path)", "this.token = token;", "password = userPassword", "key: entry.key,", "AccessKey = credentials.AccessKey")
	}},
	{"examples", func(m *Maker) string {
		return m.pick("API_KEY=your-api-key-here", "password: changeme", "TOKEN=<your token>", "DB_PASSWORD=", "export SECRET=xxxxxxxxxxxxxxxx", "sk-ant-api03-...", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "Authorization: Bearer <token>", "postgres://user:password@localhost:5432/db", "Authorization: Bearer $TOKEN", "curl -u user:password https://acme.test", "Set-Cookie: name=value")
	}},
	{"labels", func(m *Maker) string {
		return m.pick(`"password": "Password",`, `label: "Enter your password"`, `placeholder="API key"`, `<label for="password">Password</label>`, `"forgotPassword": "Forgot your password?",`, "The token is invalid or has expired", "secret: the value that signs sessions", "Passwords must have at least 8 characters", `t("auth.token.expired")`, "key: 'submit-button'", `errors.New("token expired")`)
	}},
	{"names", func(m *Maker) string {
		return m.pick("token_type=bearer", `"token_type": "Bearer"`, `"key_id": "`+m.uuid()+`"`, `primaryKey: "user_id"`, `"publicKey": "`+base64.StdEncoding.EncodeToString(m.bytes(32))+`"`, "foreign_key: account_id", `"cacheKey":"`+m.random(sixteen, 32)+`"`, "secretName: tls-"+m.noun(), "tokenEndpoint: https://login.acme.test/oauth2/token", `sort_key = "`+m.noun()+`#`+m.random(number, 6)+`"`, `React.createElement(Row, {key: "`+m.random(sixteen, 12)+`"})`, "password_hash_rounds: 12", "pass: 41, fail: 0", "bypass=true", "compass: north-east-2")
	}},
	{"code", func(m *Maker) string {
		return m.pick("for token in tokenize(source):", "if (token.kind === TokenKind.Identifier) {", "case token.STRING:", "keys := make([]string, 0, len(m))", "password.addEventListener('input', validatePassword)", "assert token == expected_token", "return hmac.new(key, msg, hashlib.sha256).hexdigest()", "passed = sum(1 for r in results if r.ok)", "it('rejects a wrong password', async () => {", "import { getToken, setToken } from '@/utils/auth'")
	}},
	{"path", func(m *Maker) string {
		return "/home/" + m.name() + "/.cache/" + m.noun() + "/" + m.random(sixteen, 32) + "/" + m.noun() + "-" + m.random(letters, 8) + ".js"
	}},
	{"asset", func(m *Maker) string {
		return "dist/assets/" + m.noun() + "-" + m.random(websafe, 8) + ".js   " + m.random(number, 2) + ".4 kB │ gzip: 3.1 kB"
	}},
	{"URL", func(m *Maker) string {
		return "https://cdn.acme.test/v1/" + m.random(letters, 22) + "/thumb_" + m.random(sixteen, 16) + ".webp?w=640&h=480&v=" + m.random(number, 10)
	}},
	{"tool id", func(m *Maker) string {
		return `{"type":"tool_use","id":"toolu_01` + m.random(letters, 22) + `","name":"Bash","input":{}}`
	}},
	{"message id", func(m *Maker) string {
		return `"id":"msg_01` + m.random(letters, 22) + `","requestId":"req_011C` + m.random(letters, 20) + `"`
	}},
	{"signature", func(m *Maker) string {
		return `"signature":"` + base64.StdEncoding.EncodeToString(m.bytes(m.between(200, 600))) + `"`
	}},
	{"container", func(m *Maker) string {
		return "sha256:" + m.random(sixteen, 64) + "   " + m.noun() + ":latest   " + m.random(sixteen, 12)
	}},
	{"hex dump", func(m *Maker) string { return "00000010: " + hex.EncodeToString(m.bytes(16)) + "  ................" }},
	{"prose", func(m *Maker) string { return m.words(m.between(8, 30)) + "." }},
	{"git index", func(m *Maker) string {
		return "index " + m.random(sixteen, 7) + ".." + m.random(sixteen, 7) + " 100644"
	}},
	{"source map", func(m *Maker) string {
		return `{"version":3,"mappings":"` + strings.ToUpper(m.random(letters, 8)) + `;AAAA,` + m.random(letters+",;", 200) + `"}`
	}},
	{"version", func(m *Maker) string {
		return m.noun() + "@" + m.version() + " " + m.noun() + "-darwin-arm64@" + m.version()
	}},
	{"etag", func(m *Maker) string { return `etag: W/"` + m.random(sixteen, 4) + "-" + m.random(letters, 27) + `"` }},
	{"nonce", func(m *Maker) string {
		return `<script integrity="sha384-` + base64.StdEncoding.EncodeToString(m.bytes(48)) + `" crossorigin="anonymous"></script>`
	}},
	{"color", func(m *Maker) string {
		return "--" + m.noun() + "-500: #" + m.random(sixteen, 6) + "; --shadow: 0 1px 2px #" + m.random(sixteen, 8) + ";"
	}},
	{"escaped", func(m *Maker) string {
		data, _ := json.Marshal("\x1b[32m✓\x1b[0m " + m.words(5) + "\n" + m.random(sixteen, 40) + "\tok")
		return string(data)
	}},
}

func (m *Maker) version() string {
	return fmt.Sprintf("%d.%d.%d", m.r.IntN(20), m.r.IntN(30), m.r.IntN(99))
}

// minified is a line of a bundle.
func (m *Maker) minified() string {
	var b strings.Builder
	for range m.between(10, 60) {
		x, y := m.random(small+big, 1), m.random(small+big, 2)
		b.WriteString(m.pick(
			"function "+x+"("+y+"){return "+y+".key="+x+",e}", "var "+y+"="+x+"("+m.random(number, 4)+");", "t.token=n,e.secret="+x+";",
			x+".exports={password:"+y+",key:"+x+"};", "const{token:"+x+",apiKey:"+y+"}=e;", "\""+m.random(letters, 5)+"\"===r?"+x+":"+y+",",
			"!0===e.passed&&"+x+"();", y+"=>{var t;return null!=(t="+y+".accessToken)?t:void 0};", "n("+m.random(number, 5)+"),",
		))
	}
	return b.String()
}

// Lookalikes draws n lines without a secret, each with its kind.
func (m *Maker) Lookalikes(n int) (list []Sample) {
	for i := range n {
		k := lookalikes[i%len(lookalikes)]
		list = append(list, Sample{Kind: k.name, Text: k.make(m)})
	}
	return list
}
