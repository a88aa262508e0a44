package demo

import "time"

const shopDir = "/home/ada/src/shop-api"

func (h *home) shopStories() {
	h.idempotency()
	h.orderSearch()
	h.pullReview()
	h.onlyCommands()
	h.errorDigest()
	h.dependencies()
}

// idempotency waits for ada to allow a command.
func (h *home) idempotency() {
	s := h.session(plot{name: "idempotency", cwd: shopDir, branch: "feat/idempotency", start: 96 * minute, mode: "plan"})
	s.slug = "brisk-amber-heron"
	s.prompt("Customers were charged twice last night when the app retried a timed-out order. Plan idempotency keys for POST /orders.")
	s.attach(fields{"type", "plan_mode", "reminderType", "full", "isSubAgent", false,
		"planFilePath", "/home/ada/.claude/plans/brisk-amber-heron.md", "planExists", false},
		"Plan mode is on: read, think, and write the plan. Do not change anything else.", "system")
	s.answer(think("The handler inserts and then charges, outside any transaction. A retry runs both again. The key must be stored in the same transaction as the order, and the charge must come after the commit with its own guard."),
		read("src/routes/orders.ts"),
		task("Plan", "Design idempotency keys", "Design idempotency keys for POST /orders: table, middleware, failure cases.", func(a *session) {
			a.answer(read("src/routes/orders.ts"))
			a.answer(withheld(900), text("Store (key, hash of the request, response) in one transaction with the order; answer repeats from the table; refuse a known key with another hash. Charge after the commit, guarded by the order's state."))
		}))
	s.answer(plain("ExitPlanMode", fields{"plan", "See plans/brisk-amber-heron.md: migration, middleware, one transaction, keys expire after 24 hours."},
		"The user approved the plan. You may start.", fields{"plan", "# Idempotency keys for POST /orders", "isAgent", false, "filePath", "/home/ada/.claude/plans/brisk-amber-heron.md"}))
	h.put("plans/"+s.slug+".md", []byte(source("shop-api/plans/brisk-amber-heron.md")), s.clock)
	s.mode = "default"
	s.named("Add idempotency keys to POST /orders")
	s.attach(fields{"type", "plan_mode_exit", "planFilePath", "/home/ada/.claude/plans/brisk-amber-heron.md", "planExists", true}, "Plan mode is off.", "system")
	s.note("permission-mode", "permissionMode", s.mode)
	s.answer(
		create("db/migrations/0042_idempotency_keys.sql", "create table idempotency_keys (\n  key          text primary key,\n  request_hash text not null,\n  response     jsonb,\n  created_at   timestamptz not null default now()\n);\n"),
		edit("src/routes/orders.ts", "orders.post(\"/\", async (req, res) => {\n  const order = Order.parse(req.body);\n", "orders.post(\"/\", idempotent(db), async (req, res) => {\n  const order = Order.parse(req.body);\n"),
		edit("src/routes/orders.ts", "import { charge } from \"../payments\";\n", "import { charge } from \"../payments\";\nimport { idempotent } from \"../idempotent\";\n"))
	s.answer(create("src/idempotent.ts", "import type { RequestHandler } from \"express\";\nimport { hash } from \"./hash\";\n\nexport const idempotent =\n  (db: Db): RequestHandler =>\n  async (req, res, next) => {\n    const key = req.get(\"Idempotency-Key\");\n    if (!key) return next();\n    const seen = await db.oneOrNone(\"select request_hash, response from idempotency_keys where key = $1\", [key]);\n    if (!seen) return next();\n    if (seen.request_hash !== hash(req.body)) return res.status(422).json({ error: \"key was used for another order\" });\n    res.status(201).json(seen.response);\n  };\n"))
	s.answer(bash("Run the tests", "npm test -- orders", "\x1b[32m✓\x1b[39m two posts with one key give one order (84 ms)\n\x1b[32m✓\x1b[39m a key with another body is refused (12 ms)\n\x1b[31m✗\x1b[39m a retry after a crash charges once (31 ms)\n\nTests: 1 failed, 2 passed, 3 total"))
	s.answer(refused(bash("Look at staging", "psql $STAGING_URL -c 'select count(*) from orders'", ""), "not on staging, use the local database"))
	s.answer(text("Understood, local only. The third test needs the new table."))
	s.tasks("x Write migration 0042", "x Middleware for the key", "> Apply the migration locally", "Charge after the commit")
	s.ago(4*minute + 20*second)
	s.prompt("ok, apply the migration to the local db and rerun")
	s.answer(text("Applying 0042 to the local database, then the tests again."),
		bash("Apply the migration", "npm run migrate -- --database shop_dev && npm test -- orders", "").noResult())
	s.lastPrompt()
	s.registered(4_200_533, "waiting", "permission prompt", Domain)
	s.save()
}

// orderSearch was branched off to try something else.
func (h *home) orderSearch() {
	s := h.session(plot{name: "search", cwd: shopDir, branch: "perf/search", start: 3*day + 2*hour, hourCache: true})
	s.prompt("GET /orders?q= takes 4 s on production data. Make it fast.")
	s.answer(read("src/routes/orders.ts"),
		plain("mcp__postgres__query", fields{"sql", "explain (analyze, buffers) select id, customer, created_at from orders where notes ilike '%gift%' order by created_at desc limit 50"},
			"Seq Scan on orders  (cost=0.00..48211.00 rows=213 width=56) (actual time=0.03..3970.11 rows=198 loops=1)\n  Filter: (notes ~~* '%gift%'::text)\n  Rows Removed by Filter: 1204802\nExecution Time: 4011.870 ms",
			[]any{fields{"type", "text", "text", "1 plan"}}).took(4_100*time.Millisecond))
	s.answer(think("ilike with a leading wildcard cannot use a btree. A trigram index (pg_trgm, gin) can. 1.2 million rows, notes are short, so the index stays small."),
		text("A sequential scan over 1.2 million rows: `ilike '%…%'` cannot use the index on `created_at`. A trigram index can serve it."),
		create("db/migrations/0041_orders_notes_trgm.sql", "create extension if not exists pg_trgm;\ncreate index concurrently orders_notes_trgm on orders using gin (notes gin_trgm_ops);\n"))
	s.answer(bash("Apply and measure", "npm run migrate -- --database shop_dev && npm run bench:search", "applied 0041 in 11.2 s\nsearch: p50 18 ms, p95 41 ms (was 3970 / 4430)").took(14 * second))
	s.answer(text("p95 is 41 ms instead of 4.4 s. The index takes 61 MB."))
	s.named("Speed up the order search")
	b := s.branchOff("covering", "try-covering-index", 3*day+80*minute)

	s.pass(5 * minute)
	s.prompt("Good. Also add a test that the planner uses it")
	s.answer(create("test/search-plan.test.ts", "test(\"search uses the trigram index\", async () => {\n  const plan = await explain(\"select id from orders where notes ilike '%gift%'\");\n  expect(plan).toContain(\"orders_notes_trgm\");\n});\n"))
	s.answer(task("reviewer", "Review the migration", "Review migration 0041 and its test.", func(a *session) {
		a.model = sonnet
		a.answer(bash("See the diff", "git diff main", "+create extension if not exists pg_trgm;\n+create index concurrently orders_notes_trgm …"))
		a.answer(text("`create index concurrently` cannot run inside the transaction that `npm run migrate` opens. Mark 0041 as non-transactional."))
	}))
	s.answer(edit("db/migrations/0041_orders_notes_trgm.sql", "create extension", "-- no-transaction\ncreate extension"))
	s.answer(text("Marked as non-transactional, test added."))
	s.system("stop_hook_summary", "hookCount", 1, "hookInfos", []any{fields{"command", "npm run lint --silent"}}, "hookErrors", []any{},
		"hookAdditionalContext", []any{}, "preventedContinuation", false, "stopReason", "", "hasOutput", false, "level", "suggestion", "toolUseID", s.ids.uuid())
	s.exit()

	b.prompt("What about a covering index on (created_at desc) include (notes) instead?")
	b.answer(withheld(320), bash("Measure", "npm run bench:search -- --index covering", "search: p50 611 ms, p95 702 ms (index-only scan, 1204802 rows)").took(9*second))
	b.answer(text("It avoids the heap but still looks at every row: p95 702 ms. The trigram index stays ahead."))
	b.exit()
}

// pullReview came from a command of ada's own. It is old enough to be deleted
// by the client before long.
func (h *home) pullReview() {
	s := h.session(plot{name: "review", cwd: shopDir, branch: "main", start: 21*day + 3*hour, model: sonnet})
	s.command("review", "482", "Review pull request 482.\n\n1. Read the description, then the whole diff.\n2. Name every behaviour that changes, and the test that shows it.\n3. List what you would ask the author, most important first.\n")
	s.answer(bash("Read the pull request", "gh pr view 482 && gh pr diff 482 | head -60", "title: Accept gift cards at checkout\nauthor: zoe\n+  if (payment.kind === \"gift\") {\n+    total -= card.balance;\n+  }"),
		plain("WebFetch", fields{"url", "https://docs.example.org/payments/gift-cards", "prompt", "How are partial payments rounded?"}, "Amounts are integers in cents; a partial payment is rounded down.", fields{"bytes", 18_211, "code", 200, "codeText", "OK", "result", "Amounts are integers in cents.", "durationMs", 812, "url", "https://docs.example.org/payments/gift-cards"}))
	s.answer(text("**Changes:** the total can become negative when a card holds more than the order costs. No test shows it.\n\n**Questions**\n1. What happens to the rest of the balance?\n2. Why is the card not locked while the order is placed?\n3. `total` is a float here and an integer in `charge`."))
	s.exit()
}

// onlyCommands never asked the model anything, until /clear gave it a new id.
func (h *home) onlyCommands() {
	s := h.session(plot{name: "commands", cwd: shopDir, branch: "main", start: 26 * hour})
	s.local("model", "sonnet", "Set model to \x1b[1mclaude-sonnet-5-5\x1b[22m")
	s.pass(1 * minute)
	s.local("context", "", "## Context Usage\n\n**Tokens:** 15k / 1m (2%)\n\n| Category | Tokens |\n|---|---|\n| System prompt | 1.9k |\n| System tools | 9.4k |\n| Memory files | 0.2k |")
	s.note("last-prompt", "leafUuid", s.tip)
	s.save()

	c := h.session(plot{name: "cleared", cwd: shopDir, branch: "main", start: 26*hour - 3*minute, model: sonnet})
	c.local("clear", "", "")
	c.prompt("Which of our endpoints have no rate limit?")
	c.answer(bash("Compare routes and limits", "grep -rn 'Router()' src/routes; grep -rn rateLimit src", "src/routes/orders.ts:11\nsrc/routes/carts.ts:8\nsrc/routes/login.ts:6\nsrc/routes/login.ts:14: rateLimit({ max: 10 })"))
	c.answer(text("`/orders` and `/carts` have none; `/login` allows 10 a minute."))
	c.exit()
}

// errorDigest is a nightly job.
func (h *home) errorDigest() {
	s := h.session(plot{name: "digest", cwd: shopDir, branch: "main", start: 14 * hour, model: haiku, entrypoint: "sdk-cli", mode: "bypassPermissions"})
	s.prompt("Summarise yesterday's errors from logs/error.log in three lines for the #shop channel.")
	s.answer(bash("Count the errors", "cut -d' ' -f4- logs/error.log | sort | uniq -c | sort -rn | head -4", "    212 timeout calling payments\n     31 validation: quantity must be positive\n      2 duplicate order"))
	s.answer(text("• 212 time-outs calling payments, all between 02:10 and 02:25\n• 31 invalid quantities, from one old app version\n• 2 duplicate orders: see the double charge of last night"))
	s.exit()
}

// dependencies runs in the background, without a terminal.
func (h *home) dependencies() {
	s := h.session(plot{name: "dependencies", cwd: shopDir, branch: "chore/deps", start: 7 * hour, model: sonnet, mode: "acceptEdits", job: true})
	s.prompt("Update all dependencies, one commit each, and stop at the first one that breaks a test")
	s.answer(bash("What is out of date", "npm outdated", "express  5.1.0  5.2.1\nzod      4.0.5  4.1.0\npg       8.16.0 8.17.2"))
	s.answer(bash("Update express", "npm i express@5.2.1 && npm test", "Tests: 118 passed, 118 total").took(38*second),
		bash("Update zod", "npm i zod@4.1.0 && npm test", "Tests: 118 passed, 118 total").took(71*second))
	s.answer(bashFails("Update pg", "npm i pg@8.17.2 && npm test", 1, "✗ rolls back when the pool is closed\nTests: 1 failed, 117 passed, 118 total").took(41 * second))
	s.answer(text("express and zod are updated and committed. pg 8.17.2 breaks `rolls back when the pool is closed`; I reverted it and stopped."))
	s.named("update dependencies")
	s.jobDone("Update all dependencies, one commit each, and stop at the first one that breaks a test")
	s.exit()
}
