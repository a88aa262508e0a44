package redact_test

import (
	"testing"

	"sesskeep/internal/redact"
)

// What looks like a secret and is none: code, settings, output of tests, sentences.
func TestKept(t *testing.T) {
	r := rules(t, redact.Options{})
	for _, text := range []string{
		"a token of my appreciation", "the secret is out", "password: string", "password: required", "Password: must have 8 characters", "token: Token", "tokens: 12345", "max_tokens: 4096", "\"max_tokens\": 200000", "input_tokens=18234",
		`"input_tokens":3,"cache_creation_input_tokens":18234,"cache_read_input_tokens":0`, "key: value", "primaryKey: 'user_id'", "foreign_key: users_id_fk2", `"key": "ArrowLeft1"`, "keyCode: 'Enter2'", "keyword: 'async4'",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c", `"integrity": "sha512-Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU2x9Q7e4T6oI8uY1rW3qP5aSdFgHjKl=="`,
		"id: 9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0", "sessionId: 9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0", `<div class="token keyword">`, "const token = await getToken()", "token = req.headers['x-token']", "password = os.environ['DB_PASSWORD']", "password=${DB_PASSWORD}", "password: {{ .Values.password }}", "password=$1", "PASSWORD=$(cat file)", "Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "Authorization: Bearer YOUR_API_KEY", "Authorization: Bearer ${token}", "`Authorization: Bearer` header", "Basic authentication is used",
		"https://user@host/x", "git@github.com:a/b.git", "http://localhost:8080/@vite/client", "https://unpkg.com/@scope/pkg@1.2.3/x", "https://medium.com/@joe/title-1234", "postgres://user:password@localhost/db", "postgres://${USER}:${PASS}@host/db", "https://example.com:443/path@x",
		"getPassword(): Promise<string>", "password?: string;", "password!: string", "interface X { token: string; apiKey: string }", "func (s *Server) Token() string", "if token == nil {", "if (password !== confirmPassword)", "token := parser.Next()", "switch token.Kind {", "tokenize(text)", "secretName: my-app-tls", "secretKeyRef:\n  name: app\n  key: password", "passwordField: 'password_hash'", "passwordPolicy: min8chars", "type=\"password\" name=\"password\"", "<input type='password' id='pw1'>", "<label for=\"password\">Password</label>", "Enter password: ", "[sudo] password for joe: ", "password authentication failed for user \"app\"", "--password-stdin", "--token-file /run/token", "TOKEN_TTL=3600s", "TOKEN_URL=https://x.test/oauth2/token", "token_endpoint: https://x.test/o/2", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7VJTUt9Us8cKjMzEfYyjiWA4R4 joe@h", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1L7VLPHCozMxH2Mo\n-----END PUBLIC KEY-----", "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1L7VLPHCozMxH2Mo\n-----END CERTIFICATE-----",
		"Cookie: consent=yes; lang=en", "cookie: 'strict'", "sameSite cookie = lax", "public_key = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='",
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
		"keep the key at 5 o'clock", "the API key is stored in Vault", "use a strong password like the one we discussed", "password reset token expired", "Your token has expired: please log in", "token budget: 10k", "token count: 1,234,567", "key=lambda x: x[1]", "sorted(d, key=len)", "keys: ['a1b2', 'c3d4']", "partition_key: 2024-01-01T00:00:00Z", "s3_key = 'uploads/2024/01/report-final.pdf'", "cache_key: user:1234:profile", "idempotency_key: 9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0", "sort_key=created_at_desc2", "storageKey: 'theme-v2'", "i18n key: settings.account.title2", "redis key user:42:sess", "translation_key: 'HomePage.title1'",
		"pass: 12 fail: 0", "PASS: TestFoo123 (0.00s)", "pass 1 of 2", "--- PASS: TestToken (0.00s)", "passed=182", "pass=TestLogin2", "compass: N45", "bypass: Rule42",
		"uses: actions/checkout@v4", "github_token: ${{ secrets.GITHUB_TOKEN }}", "with:\n  token: ${{ secrets.X }}", "csrf_token()", "{% csrf_token %}", "name=\"csrf-token\"", "authenticity_token", "tokenizer.json", "token_type: bearer", "grant_type=password", "response_type=token", "expires_in: 3600",
		"mysql -p", "mysql -u root -p mydb2", "mkdir -p src/a1", "cp -p a1 b2", "docker run -p 8080:80 img", "ssh -p 2222 host", "curl -u https://x", "tar -u a1:b2", "sort -u a:b", "git push -u origin main", "chown -u joe:joe",
		"eyJ is how a token begins", "ASIA is a continent", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "sk-your-key-here", "sk-ant-api03-...", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_...",
		"SKIP 0123456789abcdef0123456789abcdef", "cio is an address in Lausanne", "pa-per trail", "key-value-store-implementation-for-everyone",
		"[github-token:1]", "password: [password:1]", "Bearer [jwt:1]", "let secret = crypto.randomBytes(32)", "secret: crypto.createHash('sha256')", "jwt.sign(payload, secret)", "process.env.SECRET_KEY_1", "secrets.token_hex(16)", "token=...", "token=***", "password=********", "token: null", "token: 'abc'", "x.password = y.password2", "this.token = token2;", "self.api_key = api_key1", "api_key=api_key1", "apiKey={apiKey}", "apiKey={process.env.KEY1}", "'token': token1,", "password=password1",
		"access_token_expires_at: 2024-05-05T10:00:00Z", "refreshTokenTTL: 30d", "tokens/s: 42.5", "token_usage: 3.2k/200k", "secretsmanager:GetSecretValue", "arn:aws:secretsmanager:us-east-1:123456789012:secret:app/db-AbC123", "SecretString: !Ref DbSecret1", "secret/data/app1", "--secret id=npmrc,src=.npmrc", "secret_version: 3", "credentials: 'include'", "credentials: same-origin", "withCredentials: true", "credential-helper: osxkeychain",
		"keytool -list -v", "key_file: /etc/ssl/private/server1.key", "ssl_key=/etc/pki/tls/private/a1.key", "IdentityFile ~/.ssh/id_ed25519", "private_key_path = ~/.ssh/key2", "KeyPair: my-keypair-2024", "KeyName: prod-key-1", "access-key-id", "host_key_checking=False", "known_hosts key SHA256:Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiY",
		"type Token struct {\n\tKind  TokenKind\n\tValue string\n}", "token    string `json:\"token\"`", "Password  string `json:\"password1,omitempty\"`", "expect(token).toBe('abc123')", "assertEquals(\"secret\", x)", "return errors.New(\"token: unexpected EOF2\")", "t.Errorf(\"token = %q, want %q\", a, b)", "fmt.Println(\"password:\", p)", "log.info(\"token: \" + token)", "print(f\"Token: {token}\")", "token: process.argv[2]", "key: `user-${id}`", "key={item.id}", "key={`row-${i}`}", "<Foo key=\"row-12ab\" />", "dict[key]=value1", "for key, value1 in x", "key => value1", "KEY_UP = 'ArrowUp1'", "Key: Ctrl+Shift+P", "keybinding: ctrl+k1", "api-key header: X-Api-Key",
		"CSRF-Token: nocheck", "sig=md5", "?code=404", "status code=ECONNREFUSED1", "exit code=1", "auth=none", "?auth=basic",
		"--- PASS: TestDecode/empty_2 (0.00s)\n    --- PASS: TestV2 (0.01s)", "the header identified by `name1` is sent", "pwd := a.Package.Dir", "PWD=/home/joe/src", "STENCIL_PASS: 0x8803",
		"token is ClosingBraceToken$1;", "(parent.token === ts.SyntaxKind.Extends)", `{"pass": "aria-label属性が存在し、空ではありません"}`, "const pass = !received;",
		"a key begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----", "the mnemonic of this opcode is mov and it moves bytes between two registers of the machine",
		"private key is *ed25519.PrivateKey", "password: 'Password:'", "gZNwZtR@3p]Pw:5p/Ou!5p2JvG'!6Vye", "echo hello | sudo tee /etc/motd1", "curl -b cookies.txt https://x.test", "x.test\tTRUE\t/\tFALSE\t0\tlang\ten",
	} {
		if got := r.Document().Text(text); got != text {
			t.Errorf("%q\nbecomes %q", text, got)
		}
	}
}
