GO ?= go
TOOL = $(GO) tool -modfile=tools/go.mod
CORPUS ?= .cache/corpus-M

.PHONY: build test race lint cross bench corpus fuzz crash tail cover captures

build:
	$(GO) build -o bin/sesskeep ./cmd/sesskeep

test:
	$(GO) test ./...

# The race detector needs a C compiler, and makes SQLite ten times slower: it
# runs where goroutines meet, without the long tests.
race:
	$(GO) test -race -short . ./internal/jsonl ./internal/term ./internal/query ./internal/price ./internal/view ./internal/app
	$(GO) test -race -run 'Rows|Needles|OneWriter|Follow|StartTogether|Counted' ./internal/index

lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...

cross:
	CGO_ENABLED=0 GOOS=windows $(GO) build -o /dev/null ./cmd/sesskeep && CGO_ENABLED=0 GOOS=windows $(GO) vet ./...
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/sesskeep && CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) vet ./...

corpus:
	$(GO) run ./internal/storetest/makecorpus -size M -seed 1 -dir $(CORPUS)

bench: build corpus
	$(GO) run ./internal/bench -corpus $(CORPUS) -sesskeep bin/sesskeep

fuzz:
	for t in FuzzParser FuzzLine FuzzReader; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s ./internal/jsonl || exit 1; done
	for t in FuzzDecode FuzzTree FuzzTail FuzzDirName; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s . || exit 1; done
	$(GO) test -run '^$$' -fuzz '^FuzzTerm$$' -fuzztime 60s ./internal/term
	for t in FuzzParse FuzzRaw; do $(GO) test -run '^$$' -fuzz "^$$t$$" -fuzztime 60s -fuzzminimizetime 5x ./internal/query || exit 1; done
	$(GO) test -run '^$$' -fuzz '^FuzzLookup$$' -fuzztime 60s ./internal/price

crash:
	SESSKEEP_CRASH=200 SESSKEEP_DAMAGE=200 SESSKEEP_VANISH=300 $(GO) test -count=1 -v -timeout 30m \
	  -run 'TestCrash$$|TestDamage|TestVanish$$|TestOneWriter|TestStartTogether' ./internal/index

tail:
	SESSKEEP_TAIL_OPS=2000000 $(GO) test -run TestTailModel -timeout 60m .

captures: build
	@for c in "ls" "show 3987 --last 3" "session tree 3987" "search half line -n 3"; do \
	  name=$$(echo $$c | awk '{print ($$1 == "session") ? $$2 : $$1}'); \
	  CLICOLOR_FORCE=1 COLUMNS=110 TZ=UTC bin/sesskeep --demo --format table $$c | \
	    $(GO) run ./internal/capture -title "sesskeep $$c" > docs/img/$$name.svg; done

cover:
	$(GO) test -coverprofile=.cache/cover.out ./... && $(GO) tool cover -func=.cache/cover.out | tail -1
