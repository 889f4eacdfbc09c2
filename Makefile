# Two commands matter: `make run` and `make test`. Both work from a bare checkout on a machine
# that has Swift 6.3 and apt; what else they need they install.

.PHONY: help run test check build packages lint format tree coverage covered schemas rules picture goldens crash soak soak-slice fuzz bench install uninstall clean

# What `herald --version` says; a plain `swift build` does not know it.
export HERALD_BUILD_COMMIT := $(shell Scripts/commit.sh)

PREFIX = /usr/local
export DESTDIR

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: packages ## plan and apply campaigns/ on the built-in emulator; KEEP=1 leaves it running
	swift build --product herald
	Scripts/run-example.sh

test: packages ## build once and run every test
	swift build --build-tests
	Scripts/run-tests.sh

check: packages lint tree covered ## what CI runs: lint, tree, coverage, build with warnings as errors, run, tests
	$(MAKE) --no-print-directory run
	$(MAKE) --no-print-directory test

packages: ## install the Debian packages that are missing
	@Scripts/install-packages.sh

lint: ## format rules, as errors; embedded rule pages are current
	Scripts/embed-rule-pages.py --check
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzzing Benchmarks

format: ## format everything in place
	swift format --in-place --parallel --recursive Package.swift Sources Tests Fuzzing Benchmarks

tree: ## nothing in git that does not belong there
	@Scripts/check-tree.sh

coverage: ## write which test shows which statement of FCM's documents
	@Scripts/coverage-table.py

covered: ## every statement of FCM's documents has a test or a reason
	@Scripts/coverage-table.py --check

schemas: packages ## write schemas/ anew after the language or the emulator's routes changed
	swift build --product herald
	.build/debug/herald schema --write

rules: ## embed the pages of the rules and list them in Documentation/Rules/README.md
	Scripts/embed-rule-pages.py

picture: packages ## take Documentation/images/phones.png anew, after the emulator's page changed
	swift build --product herald
	Scripts/phones-picture.py

goldens: packages ## write Tests/Goldens/plans anew after a view of plans changed; look at what changed
	swift build --build-tests
	-HERALD_GOLDENS=write swift test --skip-build --filter Golden
	git diff --stat -- Tests/Goldens

crash: packages ## kill herald 500 times and judge by the emulator's log; then see eight mutants caught
	HERALD_MUTANTS=1 swift build --product herald
	@mkdir -p .build/crash
	cp .build/debug/herald .build/crash/herald-with-mutants
	swift build --product herald
	Tests/Crash/crash.py --mutants .build/crash/herald-with-mutants

soak: packages ## a quota that is kept to, the generated tests ten times as many, the fuzzers with memory checks
	swift build --product herald
	Benchmarks/pace/run.py .build/debug/herald
	HERALD_SOAK=10 Scripts/run-pytest.sh -k "plan_is_what_happens or cut_off or schemas_agree or validate_fix or openapi or disk_errors or rapid_resets or test_dead"
	swift build --build-tests
	HERALD_HISTORIES=10000 swift test --skip-build --filter HistoryAgreementTests
	HERALD_FUZZ_SANITIZE=address $(MAKE) --no-print-directory fuzz
	swift build -c release --static-swift-stdlib --product herald
	Benchmarks/pace/joins.py .build/release/herald

soak-slice: packages ## what CI runs of it: a minute of each fuzzer
	$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=60

FUZZ_SECONDS = 60
fuzz: packages ## random input for the readers of files, conditions and schedules, FUZZ_SECONDS=60 each
	Scripts/fuzz.sh loader $(FUZZ_SECONDS)
	Scripts/fuzz.sh conditions $(FUZZ_SECONDS)
	Scripts/fuzz.sh schedules $(FUZZ_SECONDS)

bench: packages ## measure validate against libyaml, plan against octoDNS, sends, the emulator, the ledger, delivery, simulations
	swift build -c release --static-swift-stdlib --product herald
	@mkdir -p .build/bench
	clang -O2 -o .build/bench/libyaml-events Benchmarks/lint/libyaml-events.c $$(pkg-config --cflags --libs yaml-0.1)
	Benchmarks/lint/run.py .build/release/herald .build/bench/libyaml-events
	python3 -m venv .venv-octodns
	.venv-octodns/bin/pip install --quiet --requirement Benchmarks/plan/requirements.txt
	Benchmarks/plan/run.py .build/release/herald .venv-octodns/bin/octodns-sync
	HERALD_BENCH=1 swift build -c release --static-swift-stdlib --product BareServer
	Benchmarks/emulator/run.py .build/release/herald .build/release/BareServer
	HERALD_BENCH=1 swift build -c release --static-swift-stdlib --product LedgerLoad
	Benchmarks/ledger/run.py .build/release/LedgerLoad .build/bench
	clang -O2 -D_GNU_SOURCE -o .build/bench/sink Benchmarks/send/sink.c $$(pkg-config --cflags --libs libnghttp2 openssl)
	clang -O2 -o .build/bench/curl-multi Benchmarks/send/curl-multi.c $$(pkg-config --cflags --libs libcurl)
	python3 -m venv .venv-firebase
	.venv-firebase/bin/pip install --quiet --requirement Benchmarks/send/requirements.txt
	Benchmarks/send/run.py .build/release/herald .build/bench/sink .build/bench/curl-multi .venv-firebase/bin/python .build/bench
	HERALD_BENCH=1 swift build -c release --static-swift-stdlib --product DeliveryLoad
	Benchmarks/delivery/run.py .build/release/DeliveryLoad
	Benchmarks/simulate/run.py .build/release/herald

install: packages ## build for release, install below PREFIX=/usr/local: program, completions, manual
	swift build -c release --static-swift-stdlib --product herald
	Scripts/install.sh install .build/release/herald $(PREFIX)

uninstall: ## take away what install wrote
	Scripts/install.sh uninstall $(PREFIX)

clean: ## remove what building and running made
	rm -rf .build .herald .venv .venv-*
