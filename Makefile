GO ?= go
# What looks at our code alone does without SQLite: see the file.
LEAN = GOWORK=$(CURDIR)/tools/lean.work
STATICCHECK = .cache/staticcheck
VET = .cache/vet
CORPUS ?= .cache/corpus-M
CORPUS_M2 ?= .cache/corpus-M2

CORPUS_S ?= .cache/corpus-S
CORPUS_L ?= .cache/corpus-L
CORPUS_L4 ?= .cache/corpus-L4
CORPUS_XL ?= .cache/corpus-XL

.PHONY: whole oracle client-go docs comments build test test-times quick steady race race-index race-others race-some linters lint cross binaries release packages release-check module drift bench bench-M bench-XL bench-live crowd idle corpus corpus-M2 corpus-L corpus-L4 fuzz client crash faults tail live cover captures web web-types web-check web-browser web-full soak hostile runs bench-api web-same mutate figures map

# Without cgo nothing has to be linked when the program starts; tests and linters
# see what is built, and use what was compiled for it.
export CGO_ENABLED = 0

build:
	$(GO) build -o bin/sesskeep ./cmd/sesskeep

# The dashboard. What is built is committed, so that "make build" needs no Node.
web: web/node_modules
	cd web && npm run -s build

# What is committed is what the sources make.
web-same: web
	@git diff --exit-code --stat -- internal/web/dist && test -z "$$(git status --porcelain -- internal/web/dist)" || \
	  { git status --short -- internal/web/dist; echo 'internal/web/dist is not what web/ makes: run "make web" and commit it'; exit 1; }

# Its types, from the document that the server serves.
web-types: web/node_modules comments
	SESSKEEP_UPDATE=1 $(GO) test -run 'TestWeb' ./internal/api ./internal/keys
	cd web && npm run -s types

web-check: web/node_modules
	cd web && npm run -s check && npm run -s lint && npm run -s test

# The dashboard in the chromium of this machine, against the program as it is: its
# pages, a walk without a mouse and runs, or all there is to prove. Pictures are in web/shots.
web-browser: build web/node_modules
	cd web && SESSKEEP_BIN=$${SESSKEEP_BIN:-$(CURDIR)/bin/sesskeep} npx playwright test --grep @short pages keys lists runs coverage live document share.spec handed-over stands file.spec insights

web-full: web build
	cd web && SESSKEEP_BIN=$${SESSKEEP_BIN:-$(CURDIR)/bin/sesskeep} npx playwright test

web/node_modules: web/package-lock.json
	cd web && npm ci --no-progress
	touch $@

# All tests; TESTFLAGS are for "go test".
test:
	GO="$(GO)" .ci/test $(TESTFLAGS)

# The same, and what the tests of each package took, on the clock and of CPU.
test-times:
	$(GO) -C tools build -o ../.cache/ ./times
	TEST='.cache/times --' .ci/test -count=1 $(TESTFLAGS)

# The tests of the packages that a change touched; BASE=main compares with that.
BASE ?=
quick:
	GO="$(GO)" .ci/quick $(BASE)

# The tests, again and again, on a machine that is busy with something else.
STEADY ?= 20
steady:
	GO="$(GO)" .ci/steady $(STEADY)

# Complete means complete: what a search finds, --count counts and a scan finds is the
# same, for WHOLE substrings, with another seed each time.
WHOLE ?= 400
whole:
	SESSKEEP_WHOLE=$(WHOLE) $(GO) test -vet=off -count 1 -v -run 'TestWhole$$' ./internal/cli

# The race detector needs a C compiler. It runs where goroutines meet, without
# the long tests, and does not look into SQLite, which it makes ten times slower.
# In jsonl, price, view and money there is one goroutine, in the tests too. The packages
# of race-some start one in few tests, and those alone run: internal/archtest knows if one
# is missing. What all need is compiled once, before they run side by side.
RACEFLAGS = -race '-gcflags=modernc.org/sqlite/lib=-race=false' '-gcflags=modernc.org/libc/...=-race=false'
RACE = CGO_ENABLED=1 $(GO) test -vet=off $(RACEFLAGS)
race:
	CGO_ENABLED=1 $(GO) build $(RACEFLAGS) ./internal/follow ./internal/holder
	$(MAKE) --no-print-directory --output-sync -j 2 race-index race-others race-some

race-index:
	$(RACE) -run 'Rows|Needles|ManyWriters|AbsorbLooks|ReaderIn|Follow|Counted' ./internal/index

race-others:
	$(RACE) -short ./internal/app ./internal/jobs ./internal/live ./internal/follow ./internal/holder

race-some:
	$(RACE) -short -run 'NotRegular|PipesIn|MoreAtOnce|ManyProcesses|Queue|Meanwhile|ReadEmpty|Pool|Concurrent|Page|Progress|Aside|Exit|ForgetKilled' . ./homefs ./internal/shelf ./internal/reading ./internal/query ./internal/term

linters:
	$(GO) -C tools build -o ../.cache/ ./vet honnef.co/go/tools/cmd/staticcheck

lint: linters
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	$(GO) -C tools test ./vet
	$(LEAN) $(VET) $(shell $(GO) env GOOS)/$(shell $(GO) env GOARCH)
	$(LEAN) $(STATICCHECK) ./...

# Our code for other systems, type-checked and vetted. What is not ours changes with
# go.mod alone, and then "make binaries" tells whether it still builds there.
cross: linters
	$(LEAN) $(VET) windows/amd64 darwin/arm64

binaries:
	GOOS=windows $(GO) build -o bin/sesskeep.exe ./cmd/sesskeep
	GOOS=darwin GOARCH=arm64 $(GO) build -o bin/sesskeep-darwin ./cmd/sesskeep

# What is handed out: archives with checksums, licenses and SBOM, for TARGETS. The same commit
# gives the same bytes everywhere.
VERSION = 0.1.0
DATE ?= $(shell git log -1 --format=%cs)
DIST ?= $(CURDIR)/dist
TARGETS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
release:
	$(GO) -C tools run ./release -version $(VERSION) -date $(DATE) -top .. -dir $(DIST) -targets "$(TARGETS)"

# And packages of what was built for Linux.
NFPM = .cache/nfpm
$(NFPM):
	GOFLAGS= GOBIN=$(CURDIR)/.cache $(GO) install github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.48.0

packages: release $(NFPM)
	mkdir -p $(DIST)/packages/man1
	for f in $(DIST)/manual/man1/*.1; do gzip -9nc $$f > $(DIST)/packages/man1/$$(basename $$f).gz; done
	for t in $(filter linux/%,$(TARGETS)); do for p in deb rpm apk; do \
	  VERSION=$(VERSION) DATE=$(DATE) DIST=$(DIST) ARCH=$$(basename $$t) $(NFPM) package -f packaging/nfpm.yaml -p $$p -t $(DIST)/packages || exit 1; done; done

# Another module path, under which others can fetch the project.
module:
	$(GO) -C tools run ./module -top .. -to "$(MODULE)"

# Two builds in two directories are the same, what they made is installed, run and removed, and a
# damaged archive is refused. PACKAGES=1 tries the packages, too.
PACKAGES ?=
release-check:
	$(GO) -C tools test ./release ./module
	PACKAGES=$(PACKAGES) VERSION=$(VERSION) packaging/check.sh

# The corpora; another SEED gives others.
SEED ?= 1
corpus:
	$(GO) run ./internal/storetest/makecorpus -size M -seed $(SEED) -dir $(CORPUS)

# The same size with another seed, so that no figure is that of one home.
corpus-M2:
	$(GO) run ./internal/storetest/makecorpus -size M -seed $(SEED)0 -dir $(CORPUS_M2)

# Two builds over one home: the sessions they do not agree on.
drift:
	$(GO) run ./internal/drift -old "$(OLD)" -new "$(NEW)" -home "$(HOME_DIR)"

# What finds secrets, beside gitleaks: what that finds in the planted corpus is found too.
GITLEAKS = .cache/gitleaks
$(GITLEAKS):
	GOFLAGS= GOBIN=$(CURDIR)/.cache $(GO) install github.com/zricethezav/gitleaks/v8@v8.30.1

oracle: $(GITLEAKS)
	SESSKEEP_GITLEAKS=$(abspath $(GITLEAKS)) $(GO) test -vet=off -count 1 -v -run 'TestOracle' ./internal/redact

# What users type, beside cat, rg and, where npm has it, ccusage, and how it grows: 10 MB, 1 GB of two seeds, 4 GB;
# and what answers over HTTP take.
CCUSAGE = .cache/ccusage/node_modules/.bin/ccusage
$(CCUSAGE):
	-npm install --silent --no-save --prefix .cache/ccusage ccusage@20.0.24

bench: build corpus corpus-M2 corpus-L4 $(CCUSAGE)
	$(GO) run ./internal/storetest/makecorpus -size S -seed $(SEED) -dir $(CORPUS_S)
	$(GO) run ./internal/bench -ccusage $(abspath $(CCUSAGE)) -sesskeep bin/sesskeep $(CORPUS_S) $(CORPUS) $(CORPUS_M2) $(CORPUS_L4)
	$(GO) run ./internal/bench -api -sesskeep bin/sesskeep $(CORPUS) $(CORPUS_M2)

# The same on 1 GB alone, and inside of one process.
bench-M: build corpus $(CCUSAGE)
	$(GO) run ./internal/bench -ccusage $(abspath $(CCUSAGE)) -sesskeep bin/sesskeep $(CORPUS)
	SESSKEEP_CORPUS=$(abspath $(CORPUS)) $(GO) test -run '^$$' -bench 'Search' ./internal/index

# What answers over HTTP take.
bench-api: build corpus
	$(GO) run ./internal/bench -api -sesskeep bin/sesskeep $(CORPUS)

corpus-L4:
	$(GO) run ./internal/storetest/makecorpus -size L4 -seed $(SEED) -dir $(CORPUS_L4)

# 100,000 sessions, 20 GB: made, measured once, deleted.
bench-XL: build
	$(GO) run ./internal/storetest/makecorpus -size XL -seed $(SEED) -dir $(CORPUS_XL)
	$(GO) run ./internal/bench -n 1 -sesskeep bin/sesskeep $(CORPUS_XL)
	rm -rf $(CORPUS_XL)

corpus-L:
	$(GO) run ./internal/storetest/makecorpus -size L -seed 1 -dir $(CORPUS_L)

# How long an appended line takes to the screen, among 10,000 sessions.
bench-live: corpus-L
	SESSKEEP_LATENCY=$(abspath $(CORPUS_L)) $(GO) test -count=1 -v -run 'Latency' ./internal/app ./internal/cli ./internal/tui

# A home of very many files that was never read: of use in 5 s, with 1 GiB.
FILES ?= 1000000
crowd:
	SESSKEEP_CROWD=$(abspath .cache) SESSKEEP_CROWD_FILES=$(FILES) $(GO) test -count=1 -v -timeout 0 -run 'TestCrowd' ./internal/cli

# Ten minutes in which nothing happens, and what they cost.
idle: corpus-L
	SESSKEEP_IDLE=$(abspath $(CORPUS_L))/home SESSKEEP_IDLE_FOR=10m $(GO) test -count=1 -v -timeout 0 -run 'Idle' ./internal/live

fuzz:
	for t in FuzzParser FuzzLine FuzzReader; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s ./internal/jsonl || exit 1; done
	for t in FuzzDecode FuzzTree FuzzTail FuzzDirName FuzzKey; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s . || exit 1; done
	for t in FuzzTerm FuzzExit; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s ./internal/term || exit 1; done
	for t in FuzzParse FuzzRaw; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s -fuzzminimizetime 5x ./internal/query || exit 1; done
	for t in FuzzLaunch FuzzStreamJSON FuzzControlMsg; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s ./internal/launch || exit 1; done
	$(GO) test -run '^$$' -fuzz '^FuzzLookup$$' -fuzztime 60s ./internal/price
	$(GO) test -run '^$$' -fuzz '^FuzzPath$$' -fuzztime 60s -fuzzminimizetime 5x ./internal/api
	$(GO) test -run '^$$' -fuzz '^FuzzRedact$$' -fuzztime 60s -fuzzminimizetime 5x ./internal/redact
	$(GO) test -run '^$$' -fuzz '^FuzzUnpack$$' -fuzztime 60s -fuzzminimizetime 5x ./internal/bundle
	$(GO) test -run '^$$' -fuzz '^FuzzImageHeader$$' -fuzztime 60s ./internal/view
	for t in FuzzMarkdown FuzzCode; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s ./internal/export/page || exit 1; done

# The real client, named by CLAUDE or installed here, resumes what was repaired, branched, imported and restored, and is run:
# from the command line and from the dashboard, against a mock of the API.
CLIENT = .cache/client/node_modules/.bin/claude
CLAUDE ?= $(abspath $(CLIENT))
$(CLIENT):
	npm install --silent --no-save --prefix .cache/client @anthropic-ai/claude-code@2.1.325

client: build web/node_modules $(if $(filter $(abspath $(CLIENT)),$(CLAUDE)),$(CLIENT))
	SESSKEEP_CLAUDE=$(CLAUDE) $(GO) test -count 1 -v -run '^TestReal' ./internal/cli
	cd web && SESSKEEP_CLAUDE=$(CLAUDE) SESSKEEP_BIN=$${SESSKEEP_BIN:-$(CURDIR)/bin/sesskeep} npx playwright test real

# Fifty sessions and twenty clients that are cut off, slow sockets by the thousand.
soak:
	SESSKEEP_SOAK=60s $(GO) test -count=1 -v -timeout 20m -run 'TestSoak$$|TestSlowloris$$|TestRebinding$$' ./internal/api

# Every command on a terminal, over homes with every hostile value in every field, and
# over every session of a home full of damage.
hostile:
	SESSKEEP_HOSTILE=1 $(GO) test -count=1 -v -timeout 30m -run 'TestHostile' ./internal/cli

# The Go client again, from the API as it is now.
client-go: comments
	SESSKEEP_UPDATE=1 $(GO) test -count 1 ./internal/clientgen

# What documents say of fields and words, from the source.
docs:
	SESSKEEP_UPDATE=1 $(GO) test -count 1 -run 'TestWebKeys|Documented$$' ./internal/query ./internal/config ./internal/clientgen ./internal/views ./internal/cli

# What the source says of the fields that are answered; the document has it.
comments:
	SESSKEEP_UPDATE=1 $(GO) test -count 1 -run TestWebComments ./internal/api

# The code map of ARCHITECTURE.md, from the docs of the packages.
map:
	SESSKEEP_UPDATE=1 $(GO) test -count 1 -run TestCodeMap ./internal/archtest

# The plan of the code in figures.
figures:
	SESSKEEP_UPDATE=1 $(GO) test -count 1 -run TestFigures ./internal/archtest

crash:
	SESSKEEP_CRASH=200 SESSKEEP_DAMAGE=200 SESSKEEP_VANISH=300 SESSKEEP_ABSORB=300 $(GO) test -count=1 -v -timeout 30m \
	  -run 'TestCrash$$|TestDamage|TestVanish$$|TestAbsorbLaw|TestOneWriter|TestStartTogether' ./internal/index
	SESSKEEP_CRASH=200 SESSKEEP_EDITS=3000 $(GO) test -count=1 -v -timeout 30m -run 'TestKilled|TestEditedMeanwhile|TestStateEditedMeanwhile' ./internal/shelf ./internal/manage
	SESSKEEP_CRASH=6 $(GO) test -count=1 -v -timeout 30m -run 'TestPowerFails|TestDiskFails' ./internal/shelf
	SESSKEEP_CRASH=200 $(GO) test -count=1 -v -timeout 60m -run 'TestFaults|TestKill|TestVerify' ./internal/vault
	SESSKEEP_CRASH=200 $(GO) test -count=1 -v -timeout 60m -run 'TestMoveKilled|TestBackupKilled' ./internal/cli

# Every read of every command fails once, and each of our files is removed and damaged
# under every command. FAULTS=20 tries one in 20.
FAULTS ?= 1
faults:
	SESSKEEP_FAULTS=$(FAULTS) $(GO) test -count=1 -v -timeout 0 -run 'TestReadFaults|TestOwnFilesDamaged' ./internal/cli

# One refusal at a time is removed from what guards something, and a test has to miss it;
# docs/mutants.md lists what may survive. ONLY=internal/shelf tries those alone.
ONLY ?=
mutate:
	$(GO) -C tools test ./mutate
	$(GO) -C tools build -o ../.cache/ ./mutate
	.cache/mutate -only "$(ONLY)"

# Many random runs: of the machine alone, and of real holders with the fake client.
runs:
	SESSKEEP_SCHEDULES=1000000 $(GO) test -count=1 -v -timeout 60m -run 'TestSchedules' ./internal/launch
	SESSKEEP_RUNS=200 $(GO) test -count=1 -v -timeout 60m -run 'TestRandomRuns' ./internal/holder

tail:
	SESSKEEP_TAIL_OPS=2000000 $(GO) test -run TestTailModel -timeout 60m .

live:
	SESSKEEP_LIVE_OPS=2000000 $(GO) test -count=1 -v -run 'TestModel$$' -timeout 120m ./internal/live

captures: build web/node_modules
	cd web && SESSKEEP_BIN=$(CURDIR)/bin/sesskeep npx playwright test --grep @short pages
	mkdir -p docs/img/web && cd web/shots && cp home.png conversation.png tree.png usage.png ../../docs/img/web
	internal/capture/screens.sh bin/sesskeep docs/img/tui
	@for c in "ls" "show 3987 --last 3" "session tree 3987" "search half line -n 3"; do \
	  name=$$(echo $$c | awk '{print ($$1 == "session") ? $$2 : $$1}'); \
	  CLICOLOR_FORCE=1 COLUMNS=110 TZ=UTC bin/sesskeep --demo=fresh --format table $$c | \
	    $(GO) run ./internal/capture -title "sesskeep $$c" > docs/img/$$name.svg; done

cover:
	$(GO) test -coverprofile=.cache/cover.out ./... && $(GO) tool cover -func=.cache/cover.out | tail -1
