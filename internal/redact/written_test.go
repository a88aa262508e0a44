package redact_test

import (
	encoding "encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"sesskeep/internal/redact"
)

func b64(text string) string { return encoding.StdEncoding.EncodeToString([]byte(text)) }

const (
	keyLines = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\nNMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ\n"
	aJWT     = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
)

// Secrets as files, commands, pages and people write them, by hand. In plain text and as
// what a tool printed, in the line of a transcript.
func TestWritten(t *testing.T) {
	r := rules(t, redact.Options{})
	for _, tt := range []struct{ text, secret string }{
		{"AWS_SESSION_TOKEN=IQoJb3JpZ2luX2VjEHoaCXVzLWVhc3QtMSJHMEUCIQDTmZ8rP1k9Wq3bX5v7yN2uJ4hG6fD8sA0lK3jH5gF7dQIgT9rE2wY4uI6oP8aS0dF2gH4jK6lZ8xC0vB2nM4qWeRt=", "IQoJb3JpZ2luX2VjEHoaCXVzLWVhc3QtMSJHMEUCIQDTmZ8rP1k9Wq3bX5v7yN2uJ4hG6fD8sA0lK3jH5gF7dQIgT9rE2wY4uI6oP8aS0dF2gH4jK6lZ8xC0vB2nM4qWeRt="},
		{"aws_session_token = FwoGZXIvYXdzEBYaDKx9Q2vT7nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU\n", "FwoGZXIvYXdzEBYaDKx9Q2vT7nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU"},
		{`{"Credentials":{"AccessKeyId":"ASIAQWERTYUIOPASDF12","SecretAccessKey":"wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp","SessionToken":"IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJGMEQCIBp3k8f0m2Xz7Q+v"}}`, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp"},
		{`{"Credentials":{"AccessKeyId":"ASIAQWERTYUIOPASDF12","SecretAccessKey":"wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp","SessionToken":"IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJGMEQCIBp3k8f0m2Xz7Q+v"}}`, "IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJGMEQCIBp3k8f0m2Xz7Q+v"},
		{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp"},
		{"AWS_ACCESS_KEY_ID=AKIAQ3EGTPV7XWZL2KBM", "AKIAQ3EGTPV7XWZL2KBM"},
		{"AKIAQ3EGTPV7XWZL2KBM:wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp"},
		{"AKIAQ3EGTPV7XWZL2KBM\twJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp"},
		{"AWS Access Key ID [None]: AKIAQ3EGTPV7XWZL2KBM\nAWS Secret Access Key [None]: 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", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp"},
		{"aws configure set aws_secret_access_key wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzqk3R9v2Lp"},
		// base64 wrapped
		{"Authorization: Basic " + b64("admin:Tr0ub4dor&3xyz"), b64("admin:Tr0ub4dor&3xyz")},
		{"authorization: Basic " + b64("joe:pw"), b64("joe:pw")},
		{`"auth": "` + b64("myuser:dckr_pat_x8Kq2Lm9Zr4Tv7Wb1Nc5") + `"`, b64("myuser:dckr_pat_x8Kq2Lm9Zr4Tv7Wb1Nc5")},
		{"data:\n  password: " + b64("Sup3rS3cret!!pass") + "\n", b64("Sup3rS3cret!!pass")},
		{"kind: Secret\ndata:\n  db-url: " + b64("postgres://app:s3cr3tPw@db:5432/app") + "\n", b64("postgres://app:s3cr3tPw@db:5432/app")},
		{"echo " + b64("GITHUB_TOKEN="+aToken) + " | base64 -d", b64("GITHUB_TOKEN=" + aToken)},
		{"echo " + b64(aToken), b64(aToken)},
		{"tls.key: " + b64("-----BEGIN PRIVATE KEY-----\n"+keyLines+"-----END PRIVATE KEY-----\n"), b64("-----BEGIN PRIVATE KEY-----\n" + keyLines + "-----END PRIVATE KEY-----\n")},
		{"    client-key-data: " + b64("-----BEGIN EC PRIVATE KEY-----\n"+keyLines+"-----END EC PRIVATE KEY-----\n"), b64("-----BEGIN EC PRIVATE KEY-----\n" + keyLines + "-----END EC PRIVATE KEY-----\n")},
		// PEM variants
		{`KEY="-----BEGIN PRIVATE KEY-----\n` + strings.ReplaceAll(keyLines, "\n", `\n`) + `-----END PRIVATE KEY-----\n"`, "MzEfYyjiWA4R4"},
		{`"private_key": "-----BEGIN RSA PRIVATE KEY-----\\n` + strings.ReplaceAll(keyLines, "\n", `\\n`) + `-----END RSA PRIVATE KEY-----\\n"`, "MzEfYyjiWA4R4"},
		{"+-----BEGIN RSA PRIVATE KEY-----\n+" + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n+") + "\n+-----END RSA PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"------BEGIN RSA PRIVATE KEY-----\n-" + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n-") + "\n------END RSA PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"     1\t-----BEGIN OPENSSH PRIVATE KEY-----\n     2\t" + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n     3\t") + "\n     4\t-----END OPENSSH PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"     1→-----BEGIN OPENSSH PRIVATE KEY-----\n     2→" + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n     3→") + "\n     4→-----END OPENSSH PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"12:-----BEGIN RSA PRIVATE KEY-----\n13:" + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n14:") + "\n15:-----END RSA PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"id_rsa:1:-----BEGIN RSA PRIVATE KEY-----\nid_rsa-2-" + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\nid_rsa-3-") + "\n", "MzEfYyjiWA4R4"},
		{"    -----BEGIN RSA PRIVATE KEY-----\n    " + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n    ") + "\n    -----END RSA PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"> -----BEGIN RSA PRIVATE KEY-----\n> " + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n> ") + "\n> -----END RSA PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17F5316E2BAC89\n\n" + keyLines + "-----END RSA PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n" + keyLines + "=abcd\n-----END PGP PRIVATE KEY BLOCK-----\n", "MzEfYyjiWA4R4"},
		{"-----BEGIN PGP PRIVATE KEY BLOCK-----\nComment: User-ID: Jo <jo@x.test>\n\n" + keyLines + "=abcd\n-----END PGP PRIVATE KEY BLOCK-----\n", "MzEfYyjiWA4R4"},
		{"# -----BEGIN RSA PRIVATE KEY-----\n# " + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\n# ") + "\n# -----END RSA PRIVATE KEY-----\n", "MzEfYyjiWA4R4"},
		{"'-----BEGIN RSA PRIVATE KEY-----\\n' +\n  '" + strings.ReplaceAll(strings.TrimSpace(keyLines), "\n", "\\n' +\n  '") + "\\n' +\n '-----END RSA PRIVATE KEY-----\\n'", "MzEfYyjiWA4R4"},
		{"-----BEGIN RSA PRIVATE KEY-----&#10;" + strings.ReplaceAll(keyLines, "\n", "&#10;") + "-----END RSA PRIVATE KEY-----", "MzEfYyjiWA4R4"},
		{"-----BEGIN%20RSA%20PRIVATE%20KEY-----%0A" + strings.ReplaceAll(keyLines, "\n", "%0A") + "-----END%20RSA%20PRIVATE%20KEY-----", "MzEfYyjiWA4R4"},
		{"-----BEGIN RSA PRIVATE KEY-----\u2028" + strings.ReplaceAll(keyLines, "\n", " ") + "-----END RSA PRIVATE KEY-----", "MzEfYyjiWA4R4"},
		// connection strings
		{"DATABASE_URL=postgresql://app_user:p%40ssW0rd%21@db.prod.internal:5432/app?sslmode=require", "p%40ssW0rd%21"},
		{"mongodb+srv://admin:Zx81-Spectrum@cluster0.ab12c.mongodb.net/test", "Zx81-Spectrum"},
		{"redis://:fooBared9x@redis:6379/0", "fooBared9x"},
		{"amqp://guest2:r4bbitPw@mq//", "r4bbitPw"},
		{"Server=tcp:x.database.windows.net,1433;User ID=sa;Password=Yukon900!x;Encrypt=True", "Yukon900!x"},
		{"Data Source=db;User Id=scott;Pwd=t1gerTail;", "t1gerTail"},
		{"jdbc:postgresql://h/db?user=app&password=q8Zr-44tu", "q8Zr-44tu"},
		{"host=db port=5432 user=app password=q8Zr44tu dbname=x", "q8Zr44tu"},
		{"PGPASSWORD=q8Zr44tu psql -h db", "q8Zr44tu"},
		{"PGPASSWORD='q8 Zr44tu!' psql -h db", "q8 Zr44tu!"},
		{"MYSQL_PWD=q8Zr44tu mysql", "q8Zr44tu"},
		{"mysql -uroot -pq8Zr44tu db", "q8Zr44tu"},
		{"mysql -u root --password=q8Zr44tu db", "q8Zr44tu"},
		{"DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;EndpointSuffix=core.windows.net", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="},
		{"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiY=", "Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiY="},
		// headers
		{"curl -H 'X-Api-Key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0' x", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"Authorization: token 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"Proxy-Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNzd29yZDEyMw=="},
		{"headers={'Authorization': f'Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0'}", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"Authorization: Bearer " + aJWT, aJWT},
		{"Cookie: sessionid=zq8f7d6c5b4a3928; csrftoken=Ab12Cd34Ef56Gh78", "zq8f7d6c5b4a3928"},
		{"cookie: _gh_sess=K0tWcTVNdUx%2BZ3J5QkJXbE9%3D--f3a2b1c0; logged_in=yes", "K0tWcTVNdUx%2BZ3J5QkJXbE9%3D--f3a2b1c0"},
		{"set-cookie: session=s%3AuJ4hG6fD8sA0lK3jH5gF7dQ.9Wq3bX5v7yN2; Path=/; HttpOnly", "s%3AuJ4hG6fD8sA0lK3jH5gF7dQ.9Wq3bX5v7yN2"},
		{"curl -b 'sid=uJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7' https://x.test", "uJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7"},
		{"curl --cookie \"sid=uJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7\" https://x.test", "uJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7"},
		{"document.cookie = 'sid=uJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7; path=/'", "uJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7"},
		{".example.com\tTRUE\t/\tTRUE\t1735689600\tsessionid\tuJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7", "uJ4hG6fD8sA0lK3jH5gF7dQ9Wq3bX5v7"},
		{"X-Amz-Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7", "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"},
		{"https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIAQ3EGTPV7XWZL2KBM%2F2024&X-Amz-Security-Token=IQoJb3JpZ2luX2VjEHoaCXVzLWVhc3QtMSJHMEUCIQDTmZ8rP1k9&X-Amz-Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7", "IQoJb3JpZ2luX2VjEHoaCXVzLWVhc3QtMSJHMEUCIQDTmZ8rP1k9"},
		{"https://b.s3.amazonaws.com/k?X-Amz-Security-Token=IQo&X-Amz-Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7", "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"},
		{"https://x.blob.core.windows.net/c?sv=2022&sig=Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiY%3D", "Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiY%3D"},
		{"https://x.test/cb?code=4/0AY0e-g7Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEw&state=x", "4/0AY0e-g7Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEw"},
		{"https://api.test/v1?key=9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"https://api.test/v1?api_key=9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"https://api.test/v1?apikey=9f8e7d6c5b4a39281706f5e4d3c2b1a0&x=1", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"https://api.test/v1?access_token=Zk3vT8nB4yLmW8SKcAfPq1rHj5u", "Zk3vT8nB4yLmW8SKcAfPq1rHj5u"},
		{"https://api.test/v1?appid=9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"git clone https://x-access-token:" + aToken + "@github.com/a/b", aToken},
		{"git clone https://oauth2:Zk3vT8nB4yLmW8SKcAfP@gitlab.corp/a/b", "Zk3vT8nB4yLmW8SKcAfP"},
		{"https://user:hunter2@host/", "hunter2"},
		{"https://hooks.slack.com/services/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", "Zk3vT8nB4yLmW8SKcAfPq1rH"},
		// env, yaml, toml
		{"STRIPE_SECRET=sk_live_51HxYzAbCdEfGhIjKlMnOpQrStUvWxYz0123", "sk_live_51HxYzAbCdEfGhIjKlMnOpQrStUvWxYz0123"},
		{"export SECRET_KEY_BASE=9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"SECRET_KEY = 'django-insecure-8z$k2m!q7w@e5r#t9y&u1i*o3p'", "django-insecure-8z$k2m!q7w@e5r#t9y&u1i*o3p"},
		{"DB_PASSWORD=\"correct horse battery 9\"", "correct horse battery 9"},
		{"DB_PASSWORD=hunter2", "hunter2"},
		{"DB_PASS=hunter22", "hunter22"},
		{"DB_PW=hunter22x", "hunter22x"},
		{"SMTP_PASS: hunter22x", "hunter22x"},
		{"password: hunter2", "hunter2"},
		{"password = \"hunter2\"", "hunter2"},
		{"password: |\n  hunter2xY\n", "hunter2xY"},
		{"api_token = '''Zk3vT8nB4yLmW8SKcAfP'''", "Zk3vT8nB4yLmW8SKcAfP"},
		{"api_token = \"\"\"Zk3vT8nB4yLmW8SKcAfP\"\"\"", "Zk3vT8nB4yLmW8SKcAfP"},
		{"- name: API_TOKEN\n  value: Zk3vT8nB4yLmW8SKcAfP", "Zk3vT8nB4yLmW8SKcAfP"},
		{`{"name":"API_TOKEN","value":"Zk3vT8nB4yLmW8SKcAfP"}`, "Zk3vT8nB4yLmW8SKcAfP"},
		{"- name: DB_PASSWORD\n  value: \"hunter2x!\"", "hunter2x!"},
		{"<add key=\"ApiToken\" value=\"Zk3vT8nB4yLmW8SKcAfP\" />", "Zk3vT8nB4yLmW8SKcAfP"},
		{"<property name=\"password\" value=\"hunter2x!\"/>", "hunter2x!"},
		{"<server><username>x</username><password>hunter2x!</password></server>", "hunter2x!"},
		{"//registry.npmjs.org/:_authToken=9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0", "9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0"},
		{"//registry.corp/:_password=SHVudGVyMng5OQ==", "SHVudGVyMng5OQ=="},
		{"_auth=dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNzd29yZDEyMw=="},
		{"machine api.x login joe password hunter2x", "hunter2x"},
		{"spring.datasource.password=hunter2x!", "hunter2x!"},
		{"'password' => 'hunter2x!'", "hunter2x!"},
		{"define('DB_PASSWORD', 'hunter2x!');", "hunter2x!"},
		{"config.setPassword(\"hunter2x!\")", "hunter2x!"},
		{"$env:API_TOKEN = 'Zk3vT8nB4yLmW8SKcAfP'", "Zk3vT8nB4yLmW8SKcAfP"},
		{"set API_TOKEN=Zk3vT8nB4yLmW8SKcAfP", "Zk3vT8nB4yLmW8SKcAfP"},
		{"setx API_TOKEN Zk3vT8nB4yLmW8SKcAfP", "Zk3vT8nB4yLmW8SKcAfP"},
		{"fish: set -x API_TOKEN Zk3vT8nB4yLmW8SKcAfP", "Zk3vT8nB4yLmW8SKcAfP"},
		{"docker run -e API_TOKEN=Zk3vT8nB4yLmW8SKcAfP img", "Zk3vT8nB4yLmW8SKcAfP"},
		{"docker login -u joe -p hunter2x! reg", "hunter2x!"},
		{"kubectl create secret generic x --from-literal=password=hunter2x!", "hunter2x!"},
		{"sshpass -p 'hunter2x!' ssh h", "hunter2x!"},
		{"echo 'hunter2x!' | sudo -S ls", "hunter2x!"},
		{"curl -u joe:hunter2x! https://x", "hunter2x!"},
		{"curl -u 'joe:hunter2x!' https://x", "hunter2x!"},
		{"curl --user joe:hunter2x! https://x", "hunter2x!"},
		{"http -a joe:hunter2x! x", "hunter2x!"},
		{"openssl rsa -passin pass:hunter2x! -in a", "hunter2x!"},
		{"the password is hunter2x!", "hunter2x!"},
		{"my password is: hunter2x!", "hunter2x!"},
		{"password for the box: hunter2x!", "hunter2x!"},
		{"Passwort: Geheim123!", "Geheim123!"},
		{"contraseña: S3cretaX!", "S3cretaX!"},
		{"mot de passe : S3cretaX!", "S3cretaX!"},
		{"パスワード：S3cretaX!", "S3cretaX!"},
		{"密码: S3cretaX!", "S3cretaX!"},
		{"--token Zk3vT8nB4yLmW8SKcAfP", "Zk3vT8nB4yLmW8SKcAfP"},
		{"--token=Zk3vT8nB4yLmW8SKcAfP", "Zk3vT8nB4yLmW8SKcAfP"},
		{"--api-key \"Zk3vT8nB4yLmW8SKcAfP\"", "Zk3vT8nB4yLmW8SKcAfP"},
		{"-DapiKey=Zk3vT8nB4yLmW8SKcAfP", "Zk3vT8nB4yLmW8SKcAfP"},
		{"apiKey: 'Zk3vT8nB4yLmW8SKcAfP',", "Zk3vT8nB4yLmW8SKcAfP"},
		{"const apiKey = `Zk3vT8nB4yLmW8SKcAfP`", "Zk3vT8nB4yLmW8SKcAfP"},
		{"client_secret=Zk3~vT8nB4yL.mW8SKcAfP_1rHj5uZ0dGtX6oEw", "Zk3~vT8nB4yL.mW8SKcAfP_1rHj5uZ0dGtX6oEw"},
		{`{\"client_secret\":\"Zk3vT8nB4yLmW8SKcAfP\"}`, "Zk3vT8nB4yLmW8SKcAfP"},
		{`{\\\"client_secret\\\":\\\"Zk3vT8nB4yLmW8SKcAfP\\\"}`, "Zk3vT8nB4yLmW8SKcAfP"},
		{"client_secret%3DZk3vT8nB4yLmW8SKcAfP%26grant", "Zk3vT8nB4yLmW8SKcAfP"},
		{"&quot;password&quot;:&quot;hunter2x!&quot;", "hunter2x!"},
		{"password&#61;hunter2x!", "hunter2x!"},
		{`password\u003dhunter2x!`, "hunter2x!"},
		{`"password"\u003a"hunter2x!"`, "hunter2x!"},
		// tokens glued
		{"TOKEN_" + aToken, aToken},
		{"x=" + aToken + "_suffix", aToken},
		{aToken + ".", aToken}, {"(" + aToken + ")", aToken}, {"`" + aToken + "`", aToken}, {"**" + aToken + "**", aToken}, {"__" + aToken + "__", aToken}, {"_" + aToken + "_", aToken},
		{aToken + "\\", aToken}, {aToken + "\x1b[0m", aToken}, {"\x1b[32m" + aToken, aToken}, {"\u200b" + aToken + "\u200b", aToken}, {aToken + "%22", aToken}, {aToken + "\\u0022", aToken}, {"é" + aToken, aToken},
		{"-" + aToken, aToken}, {"+" + aToken, aToken}, {"/" + aToken + "/x", aToken},
		{"sk-ant-api03-Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU2x9Q7e4T6oI8uY1rW3qP5aSdFg-Zk3vT8nBAA", "sk-ant-api03-Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU2x9Q7e4T6oI8uY1rW3qP5aSdFg-Zk3vT8nBAA"},
		{"sk-ant-oat01-Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU2x9Q7e4T6oI8uY1rW3qP5aSdFg-Zk3vT8nBAA", "Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dG"},
		{"AIzaSyD8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaK", "AIzaSyD8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaK"},
		{"glpat-Zk3vT8nB4yLmW8SKcAfP", "glpat-Zk3vT8nB4yLmW8SKcAfP"},
		{"xoxb-123456789012-1234567890123-Zk3vT8nB4yLmW8SKcAfPq1rH", "Zk3vT8nB4yLmW8SKcAfPq1rH"},
		{"npm_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V", "npm_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V"},
		{"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", "rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU2x9Q7e4T6o"},
		{"dd_api_key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"HEROKU_API_KEY=9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0", "9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0"},
		{"CLOUDFLARE_API_TOKEN=Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3s", "Zk3vT8nB4yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3s"},
		{"bot8123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawZ", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"},
		{"mnemonic: legal winner thank year wave sausage worth useful legal winner thank yellow", "legal winner thank year"},
		{"seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow", "legal winner thank year"},
		{"xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi", "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"},
		{"PRIVATE_KEY=0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318", "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"},
		{"DOCKER_AUTH_CONFIG={\"auths\":{\"r\":{\"auth\":\"am9lOmh1bnRlcjJ4IQ==\"}}}", "am9lOmh1bnRlcjJ4IQ=="},
		{"user: joe, pass: hunter2x!", "hunter2x!"},
		{"IDENTIFIED BY 'hunter2x!'", "hunter2x!"},
		{"CREATE USER joe WITH PASSWORD 'hunter2x!';", "hunter2x!"},
		{"wifi psk=\"hunter2x!\"", "hunter2x!"},
		{"TOTP_SECRET=JBSWY3DPEHPK3PXP", "JBSWY3DPEHPK3PXP"},
		{"otpauth://totp/x:joe?secret=JBSWY3DPEHPK3PXP&issuer=x", "JBSWY3DPEHPK3PXP"},
		{"$ANSIBLE_VAULT_PASSWORD: 'hunter2x!'", "hunter2x!"},
		{"root:$6$rounds=5000$Zk3vT8nB$yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU2x9Q7e4T6oI8uY1rW3qP5aSdFgHjKlZxCvB.:19000:0:99999:7:::", "$6$rounds=5000$Zk3vT8nB$yLmW8SKcAfPq1rHj5uZ0dGtX6oEwV3sNiYbAkCzRlMpJhU2x9Q7e4T6oI8uY1rW3qP5aSdFgHjKlZxCvB."},
	} {
		got := r.Document().Text(tt.text)
		if strings.Contains(got, tt.secret) {
			t.Errorf("%q stays in\n%q", tt.secret, got)
		}
		if again := r.Document().Text(got); again != got {
			t.Errorf("redacted again, it is another text:\n%q\n%q", got, again)
		}
		line, _ := json.Marshal(map[string]any{"toolUseResult": map[string]any{"stdout": tt.text}})
		var back struct{ ToolUseResult struct{ Stdout string } }
		if err := json.Unmarshal(r.Document().JSON(line), &back); err != nil || strings.Contains(back.ToolUseResult.Stdout, tt.secret) {
			t.Errorf("in a transcript %v: %q", err, back.ToolUseResult.Stdout)
		}
	}
}
