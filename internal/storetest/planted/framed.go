package planted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// chosen is a password as people choose them.
func (m *Maker) chosen() string {
	name := m.name()
	switch m.r.IntN(8) {
	case 0:
		return strings.ToUpper(name[:1]) + name[1:] + m.random(number, 4) + m.pick("!", "?", "#", "$", "*")
	case 1:
		return m.noun() + m.random(number, m.between(1, 4))
	case 2:
		return strings.NewReplacer("a", "4", "e", "3", "o", "0", "s", "5").Replace(m.noun()+m.noun()) + m.pick("!", "!!", "1")
	case 3:
		return m.pick("Summer", "Winter", "Spring", "Herbst") + m.pick("2023", "2024", "2025", "2026") + m.pick("!", "?", "")
	case 4:
		return m.random(letters+"!#%+:=?@_~.-", m.between(12, 24)) + m.random(letters, 1)
	case 5:
		return m.noun() + "-" + m.noun() + "-" + m.noun() + "-" + m.random(number, 2)
	case 6:
		return m.random(small, 4) + m.random(number, 3) + m.random(big, 3) + m.pick("#", "+", "_") + m.random(letters, 2)
	}
	return m.random(letters, m.between(10, 20))
}

// drawn is a secret that a program drew, of no known form.
func (m *Maker) drawn() string {
	switch m.r.IntN(5) {
	case 0:
		return m.random(sixteen, m.pickInt(32, 40, 64))
	case 1:
		return base64.StdEncoding.EncodeToString(m.bytes(m.pickInt(24, 32, 48)))
	case 2:
		return m.random(letters, m.between(20, 48))
	case 3:
		return m.uuid()
	}
	return m.random(websafe, m.between(24, 43)) + m.random(letters, 1)
}

func (m *Maker) pickInt(list ...int) int { return list[m.r.IntN(len(list))] }

// framed are secrets that only their surroundings call so.
var framed = []struct {
	name string
	make func(m *Maker) (text, secret string)
}{
	{"password in a file of variables", func(m *Maker) (string, string) {
		p := m.chosen()
		return m.pick("NODE_ENV=production\n", "", "# local\n") + m.pick("DB_PASSWORD", "POSTGRES_PASSWORD", "SMTP_PASS", "REDIS_PASSWORD", "ADMIN_PWD", "MYSQL_ROOT_PASSWORD") + "=" + m.wrap(p) + "\nPORT=3000", p
	}},
	{"token in a file of variables", func(m *Maker) (string, string) {
		s := m.drawn()
		return "export " + m.pick("API_TOKEN", "SESSION_SECRET", "JWT_SECRET", "SECRET_KEY_BASE", "ACME_API_KEY", "WEBHOOK_SECRET", "ENCRYPTION_KEY", "ACCESS_TOKEN", "CLIENT_SECRET_PROD") + "=" + m.wrap(s), s
	}},
	{"aws secret", func(m *Maker) (string, string) {
		s := m.random(letters+"/+", 40)
		if m.r.IntN(2) == 0 {
			return m.pick(`"secretAccessKey": "`, `"SecretAccessKey" : "`) + s + `",`, s
		}
		return m.pick("aws_secret_access_key = ", "AWS_SECRET_ACCESS_KEY=") + s + m.pick("\n", "\nregion = eu-west-1"), s
	}},
	{"password in JSON", func(m *Maker) (string, string) {
		p := m.chosen()
		data, _ := json.Marshal(map[string]any{"host": "db.acme.test", "user": m.name(), m.pick("password", "passwd", "dbPassword", "db_password", "pass"): p})
		return string(data), p
	}},
	{"token in JSON in JSON", func(m *Maker) (string, string) {
		s := m.drawn()
		data, _ := json.Marshal(map[string]any{m.pick("access_token", "refreshToken", "apiKey", "client_secret", "authToken", "signing_key", "id_token"): s, "expires_in": 3600})
		data, _ = json.Marshal(map[string]any{"stdout": string(data) + "\n", "exit": 0})
		return string(data), s
	}},
	{"password in YAML", func(m *Maker) (string, string) {
		p := m.chosen()
		return "spec:\n  user: " + m.name() + "\n  " + m.pick("password", "adminPassword", "db_pass") + ": " + m.pick(p, `"`+p+`"`, "'"+p+"'") + "\n  port: 5432", p
	}},
	{"token in YAML", func(m *Maker) (string, string) {
		s := m.drawn()
		return m.pick("api_key", "apiToken", "secret", "client-secret") + ": " + s + "\nother: true", s
	}},
	{"password in code", func(m *Maker) (string, string) {
		p := m.chosen()
		return m.pick("const password = ", "  password: ", "password=", "String dbPassword = ", "$db_password = ", "conn.Password = ", "const pwd: string = ") + m.pick(`"`+p+`"`, "'"+p+"'") + m.pick(";", ",", ""), p
	}},
	{"key in code", func(m *Maker) (string, string) {
		s := m.drawn()
		return m.pick("API_KEY = ", "private readonly apiKey = ", "client.secret = ", "auth_token := ", "token: str = ", "secretKey: ", `os.environ["API_TOKEN"] = `, `setenv("ACCESS_KEY", `) + `"` + s + `"`, s
	}},
	{"URL of a database", func(m *Maker) (string, string) {
		p := m.random(letters+"-_.~", m.between(8, 24))
		return m.pick("DATABASE_URL=", "connecting to ", `"url": "`) + m.pick("postgres", "postgresql", "mysql", "mongodb+srv", "redis", "amqp", "https") + "://" + m.name() + ":" + p + "@db.acme.test:5432/app", p
	}},
	{"connection string", func(m *Maker) (string, string) {
		p := m.random(letters, m.between(10, 20))
		return "Server=tcp:db.acme.test,1433;Initial Catalog=app;User ID=" + m.name() + ";" + m.pick("Password", "Pwd", "password") + "=" + p + ";Encrypt=True", p
	}},
	{"bearer", func(m *Maker) (string, string) {
		s := m.random(letters, m.between(32, 64))
		return m.pick("curl -H 'Authorization: Bearer ", "> Authorization: Bearer ", `headers: {"Authorization": "Bearer `, "authorization: bearer ") + s + m.pick("' https://api.acme.test", "\n", `"}`), s
	}},
	{"basic", func(m *Maker) (string, string) {
		s := base64.StdEncoding.EncodeToString([]byte(m.name() + ":" + m.chosen()))
		return "GET / HTTP/1.1\nHost: acme.test\nAuthorization: Basic " + s + "\nAccept: */*", s
	}},
	{"key in a header", func(m *Maker) (string, string) {
		s := m.drawn()
		return "-H \"" + m.pick("X-Api-Key", "x-api-key", "X-Auth-Token", "PRIVATE-TOKEN") + ": " + s + "\"", s
	}},
	{"cookie", func(m *Maker) (string, string) {
		s := m.random(letters, m.between(24, 64))
		return m.pick("Cookie: theme=dark; session=", "< set-cookie: sid=", "Cookie: connect.sid=", "Set-Cookie: auth=") + s + m.pick("; Path=/; HttpOnly", ""), s
	}},
	{"token in a URL", func(m *Maker) (string, string) {
		s := m.random(letters, m.between(24, 48))
		return "GET https://api.acme.test/v2/things?limit=5&" + m.pick("access_token", "token", "api_key", "apikey", "client_secret") + "=" + s + "&page=2", s
	}},
	{"curl", func(m *Maker) (string, string) {
		p := m.chosen()
		if strings.ContainsAny(p, "#") {
			p = m.noun() + m.random(number, 4) + m.noun()
		}
		return "curl -s -u " + m.name() + ":" + p + " https://acme.test/api", p
	}},
	{"option", func(m *Maker) (string, string) {
		s := m.drawn()
		return "./deploy --env prod " + m.pick("--token ", "--api-key=", "--secret ", "--auth-token=") + s + " --verbose", s
	}},
	{"netrc", func(m *Maker) (string, string) {
		p := m.random(letters, 16)
		return "machine git.acme.test login " + m.name() + " password " + p + "\n", p
	}},
	{"XML", func(m *Maker) (string, string) {
		p := m.chosen()
		return "<server><username>" + m.name() + "</username><password>" + strings.NewReplacer("<", "", "&", "").Replace(p) + "</password></server>", p
	}},
	{"sentence", func(m *Maker) (string, string) {
		p := m.noun() + m.random(number, 4) + m.pick("!", "x")
		return m.words(5) + ", the " + m.pick("password is ", "admin password: ", "new password is ") + p + m.pick(" ", "\n") + m.words(3), strings.TrimSuffix(p, "!")
	}},
	{"name and value", func(m *Maker) (string, string) {
		s, name := m.drawn(), m.pick("API_TOKEN", "DB_PASSWORD", "CLIENT_SECRET", "SIGNING_KEY")
		return m.pick("    - name: "+name+"\n      value: "+m.wrap(s)+"\n", `{"name":"`+name+`","value":"`+s+`"}`, `<add key="`+name+`" value="`+s+`"/>`), s
	}},
	{"key with something before its lines", func(m *Maker) (string, string) {
		lines := strings.Split(m.pem("\n"), "\n")
		secret := lines[1+m.r.IntN(len(lines)-2)]
		sign := m.pick("+", "-", "> ", "# ", "    ", "%6d\t", "%6d→", "%d:", "id_rsa-%d-")
		for i, line := range lines {
			if strings.Contains(sign, "%") {
				line = fmt.Sprintf(sign, i+1) + line
			} else {
				line = sign + line
			}
			lines[i] = line
		}
		return strings.Join(lines, "\n") + "\n", secret
	}},
	{"in base64", func(m *Maker) (string, string) {
		s := m.pick("DB_PASSWORD="+m.random(letters, 20), "postgres://"+m.name()+":"+m.random(letters, 16)+"@db/app", `{"token":"`+m.random(letters, 30)+`"}`, m.pem("\n"))
		wrapped := base64.StdEncoding.EncodeToString([]byte(s))
		middle := len(wrapped) / 2 // of the secret, whatever stands around it
		return m.pick("data:\n  config: ", "echo ", "X-Config: ") + wrapped + m.pick("\n", " | base64 -d\n"), wrapped[middle-4 : middle+8]
	}},
	{"escaped", func(m *Maker) (string, string) {
		p := m.noun() + m.random(number, 3) + m.random(big, 3)
		return m.words(2) + m.pick(" user=x%26password%3D"+p+"%26ok=1", " &quot;password&quot;:&quot;"+p+"&quot;,", ` password\u003d`+p+`\u0026ok`), p
	}},
	{"in a command", func(m *Maker) (string, string) {
		p := m.noun() + m.random(number, 4) + m.random(big, 2)
		return m.pick("echo '"+p+"' | sudo -S apt update", "aws configure set aws_secret_access_key "+p+m.random(letters, 30), "PGPASSWORD="+p+" psql -h db", "mysql -u root -p"+p+" app",
			"curl -b 'sid="+p+m.random(letters, 20)+"' https://acme.test"), p
	}},
}

// wrap puts quotes around a value, or none.
func (m *Maker) wrap(text string) string { return m.pick(text, text, `"`+text+`"`, "'"+text+"'") }

// Framed draws n secrets of each kind that only its surroundings call a secret.
func (m *Maker) Framed(n int) (list []Sample) {
	for _, k := range framed {
		for range n {
			text, secret := k.make(m)
			if m.r.IntN(4) == 0 { // as the output of a tool, in JSON
				data, _ := json.Marshal(fmt.Sprintf("%s\n%s\n", m.words(4), text))
				if strings.Contains(string(data), secret) {
					text = string(data)
				}
			}
			list = append(list, Sample{Kind: k.name, Text: text, Secret: secret})
		}
	}
	return list
}

var names = strings.Fields("alice bjorn carmen deniz emeka fatima goran hanna ivan jolanta kenji lucia mateo nadia oskar priya quentin rosa svetlana tomas")

var nouns = strings.Fields("river copper falcon garden winter pepper rocket marble tiger violet anchor bottle castle dragon engine forest guitar hammer island jungle kettle ladder mirror needle orange pirate rabbit saddle tunnel")

var plainWords = strings.Fields(`the a of to and in is it that for on with as was at by be this from or have an are not but had his they which you one we all
	file function error test build server request response client handler token key value list string parse return update check index session branch merge commit
	password secret auth login user account cache table column query page button style layout module package import export config option default version release`)

func (m *Maker) name() string { return names[m.r.IntN(len(names))] }
func (m *Maker) noun() string { return nouns[m.r.IntN(len(nouns))] }

func (m *Maker) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = plainWords[m.r.IntN(len(plainWords))]
	}
	return strings.Join(list, " ")
}
