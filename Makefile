# `make run` and `make test` work from a bare checkout on Debian 12 with Swift 6.3, make and git.
# Each target installs the Debian packages that it needs.

.PHONY: help run test check prepare packages lint format tree coverage covered schemas rules site picture goldens crash crash-fleet crash-rollout crash-upstream failover soak soak-slice sanitize statistics fuzz bench install uninstall deb tarball clean

# The commit that `herald --version` prints. Programs built with a plain `swift build` do not print one.
export HERALD_BUILD_COMMIT := $(shell Scripts/commit.sh)

# `make run` and `make test` share one optimized build. The program that users install is linked with
# Swift's libraries and has its own folder, because other options would build everything again.
build = swift build -c release -Xswiftc -enable-testing
test = swift test -c release -Xswiftc -enable-testing --skip-build
build-static = Scripts/build-static.sh
herald = .build/release/herald
static = .build/static/release

# A server that counts sends.
sink = clang -O2 -D_GNU_SOURCE -o .build/bench/sink Benchmarks/send/sink.c $$(pkg-config --cflags --libs libnghttp2 openssl)

PREFIX = /usr/local
export DESTDIR

# Debian's Python, even if another one comes first in PATH.
PYTHON = /usr/bin/python3

# The Python of the end-to-end tests, with their packages.
venv = .venv/bin/python
statistics_venv = .venv-statistics/bin/python

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## plan and apply campaigns/ on the built-in emulator; KEEP=1 leaves it running
	@Scripts/install-packages.sh build run
	$(build) --product herald
	Scripts/run-example.sh

test: ## build once and run every test
	@Scripts/install-packages.sh build
	$(build) --build-tests
	Scripts/run-tests.sh

check: ## what CI runs: lint, tree, coverage, run, tests
	$(MAKE) --no-print-directory --jobs 5 --output-sync=target lint tree covered prepare run
	$(MAKE) --no-print-directory test

prepare:
	@Scripts/install-packages.sh
	@Scripts/make-environments.sh

packages: ## install the Debian packages of all targets
	@Scripts/install-packages.sh

lint: ## check the format and the embedded rule pages
	@Scripts/install-packages.sh python
	Scripts/embed-rule-pages.py --check
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzzing Benchmarks

format: ## format all Swift files in place
	swift format --in-place --parallel --recursive Package.swift Sources Tests Fuzzing Benchmarks

tree: ## check that git has no build output and no paths of one machine
	@Scripts/check-tree.sh

coverage: ## write Documentation/Internals/Coverage.md: which test shows which statement of FCM's documents
	@Scripts/install-packages.sh python
	@Scripts/coverage-table.py

covered: ## check that each statement of FCM's documents has a test or a reason
	@Scripts/install-packages.sh python
	@Scripts/coverage-table.py --check

schemas: ## rewrite schemas/ after a change of the language or of the emulator's routes
	@Scripts/install-packages.sh build run
	$(build) --product herald
	$(herald) schema --write

rules: ## embed the rule pages and list them, after a change of a rule's page
	@Scripts/install-packages.sh python
	Scripts/embed-rule-pages.py

site: ## build the documentation as a site with search in .build/site; a broken link fails
	@Scripts/install-packages.sh venv
	@Scripts/make-environments.sh site
	Scripts/site/site.py .venv-site/bin/mkdocs .build/site

picture: ## retake the pictures in Documentation/images after a change of a page
	@Scripts/install-packages.sh build run python browser
	$(build) --product herald
	Scripts/phones-picture.py
	Scripts/page-pictures.py

goldens: ## rewrite Tests/Goldens/plans after a change of a plan's view, and show the differences
	@Scripts/install-packages.sh build
	$(build) --build-tests
	-HERALD_GOLDENS=write $(test) --filter Golden
	git diff --stat -- Tests/Goldens

crash: ## kill herald 500 times and check the emulator's log; then check that thirteen mutants are caught
	@Scripts/install-packages.sh build run python crash
	$(build) --product herald
	Tests/Crash/mutant_build.py .build/crash
	Tests/Crash/crash.py --mutants .build/crash/build/debug/herald

# Network namespaces need root.
crash-fleet: ## kill, stop and cut off the workers of 300 fleets and crash their PostgreSQL; then check the emulator's log
	@Scripts/install-packages.sh build run python fleet
	$(build) --product herald
	HERALD=$(herald) Tests/Fleet/crash.py --breaks --runs 300 --seed $(SEED) --namespaces

crash-upstream: ## kill herald listen 100 times while 20,000 messages arrive through Prosody, and compare its inbox with what it acknowledged
	@Scripts/install-packages.sh build run xmpp venv
	@Scripts/make-environments.sh
	$(build) --product herald
	$(build) --product herald-listen
	HERALD=$(herald) $(venv) Tests/Upstream/crash.py --seed $(SEED)

crash-rollout: ## kill herald in every stage of 100 rollouts that stop and continue, and check the emulator's log
	@Scripts/install-packages.sh build run python fleet
	$(build) --product herald
	HERALD=$(herald) Tests/Rollout/crash.py --runs 100 --seed $(SEED)

failover: ## kill the primary of a replicated state 30 times while a fleet sends, and check the emulator's log
	@Scripts/install-packages.sh build run patroni
	$(build) --product herald
	HERALD=$(herald) Tests/Fleet/failover.py --seed $(SEED)

# Tampering includes mounts, which only root can make: without that right, the tests fail.
soak: ## the statistics of experiments, assignments of 1,000,000 people, a month with a global hold-out, 2,000 approvals compared with ssh-keygen, 60 hand-overs of services, 300 fleets with faults, 100 rollouts with kills, recalls with 100 kills, 30 failovers, 20 minutes of clock jumps, open files and memory of a service over 24 virtual hours, a year of 1,000 campaigns, 200,000 simulated fleets, pace against a quota, frequency caps of 100,000 people, ten times as many generated tests, 300 tampered runs, fuzzers and tests with memory checks, tests with checks for data races, lists of 30,000,000 registrations, also in PostgreSQL, and packages in bare roots
	@Scripts/install-packages.sh build run python soak bench
	$(build) --product herald
	HERALD=$(herald) Tests/Soak/handover.py --seed $(SEED)
	HERALD=$(herald) Tests/Soak/jumps.py --seed $(SEED)
	HERALD=$(herald) Tests/Soak/leaks.py
	@Scripts/make-environments.sh
	HERALD=$(herald) Tests/Emulator/parallel/run.py --repeat 50
	Benchmarks/pace/run.py $(herald)
	HERALD=$(herald) Tests/Recall/crash.py --seed $(SEED)
	Tests/Caps/run.py --seed $(SEED)
	HERALD=$(herald) Tests/Experiments/holdout.py --seed $(SEED)
	@mkdir -p .build/bench
	$(sink)
	HERALD_POSTGRES_FOLDER=.build/bench Scripts/with-postgres.sh Tests/Experiments/assignment.py $(herald) .build/bench/sink
	@Scripts/make-environments.sh
	HERALD=$(herald) $(venv) Tests/Approvals/agree.py --seed $(SEED)
	$(MAKE) --no-print-directory statistics
	$(MAKE) --no-print-directory crash-fleet crash-rollout crash-upstream failover SEED=$(SEED)
	HERALD_SEED=$(SEED) HERALD_SOAK=10 Scripts/with-postgres.sh Scripts/run-pytest.sh -k "tampering or plan_is_what_happens or cut_off or schemas_agree or schedules_agree or hostile_input or validate_fix or openapi or disk_errors or rapid_resets or test_dead or test_rendering or test_lists or half_a_second_of_latency"
	$(build) --build-tests
	$(venv) Tests/EndToEnd/year.py --seed $(SEED) .build/year.json
	HERALD_YEAR=.build/year.json $(test) --filter YearTests
	HERALD_HISTORIES=10000 $(test) --filter HistoryAgreementTests
	HERALD_FLEET_SEEDS=200000 $(test) --filter FleetSimulationTests
	HERALD_SOAK=10 $(test) --filter LanguageTests
	HERALD_FUZZ_SANITIZE=address $(MAKE) --no-print-directory fuzz
	$(MAKE) --no-print-directory sanitize
	for name in csv ndjson templates; do Scripts/fuzz.sh $$name 3600 || exit; done
	$(build-static) --product herald
	Benchmarks/pace/joins.py $(static)/herald
	HERALD_BENCH=1 $(build-static) --product MembershipLoad
	@mkdir -p .build/bench
	$(sink)
	Benchmarks/memberships/run.py $(static)/herald $(static)/MembershipLoad .build/bench/sink .build/bench --long 30000000 plan
	HERALD_BENCH=1 $(build-static) --product ListLoad
	HERALD_POSTGRES_FOLDER=.build/bench Scripts/with-postgres.sh Benchmarks/postgres/run.py $(static)/ListLoad .build/bench
	rm -rf .build/packages
	$(MAKE) --no-print-directory deb tarball
	Tests/Soak/package.py .build/packages/herald_*.deb .build/packages/herald-listen_*.deb
	Tests/Soak/tarball.py .build/packages/herald-*.tar.gz
	@Scripts/install-packages.sh fleet
	Tests/Soak/container.py .build/packages

# The seed of hand-overs, jumps, the year and caps, and the first seed of the tampered runs and of the fleets. Each is printed or in a test's name.
SEED := $(shell date +%s)

soak-slice: ## the part of it that CI runs: 8 hand-overs, 3 minutes of clock jumps, open files and memory over 2 virtual hours, crashes of 5 fleets, 5 rollouts and 3 recalls, frequency caps of 10,000 people, a tenth of the experiments of `statistics`, assignments of 10,000 people, four days with a global hold-out, 200 approvals, lists of 1,000,000 registrations, 20 seconds of each fuzzer
	@Scripts/install-packages.sh build run python soak bench fleet
	$(build) --product herald
	@mkdir -p .build/bench
	$(sink)
	$(MAKE) --no-print-directory .venv-statistics/ready
	@Scripts/make-environments.sh
	Scripts/soak-slice.sh $(herald) $(SEED)
	HERALD_BENCH=1 $(build) --product MembershipLoad
	Benchmarks/memberships/run.py $(herald) .build/release/MembershipLoad .build/bench/sink .build/bench --count 1000000

statistics: .venv-statistics/ready ## compare the statistics of experiments with confseq, scipy and statsmodels, and judge 8,000 simulated experiments
	$(statistics_venv) Tests/Statistics/run.py

# The old build files of confseq need an older pybind11 than pip's isolated builds would choose.
.venv-statistics/ready: Tests/Statistics/build-requirements.txt Tests/Statistics/requirements.txt
	@Scripts/install-packages.sh venv statistics
	$(PYTHON) -m venv .venv-statistics
	.venv-statistics/bin/pip install --quiet --disable-pip-version-check --requirement Tests/Statistics/build-requirements.txt
	.venv-statistics/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --requirement Tests/Statistics/requirements.txt
	@touch $@

sanitize: ## run the tests of threads and C libraries with the address sanitizer and the thread sanitizer
	Scripts/sanitize.sh address
	Scripts/sanitize.sh thread

FUZZ_SECONDS = 60
fuzz: ## random input for the readers of files, conditions, schedules, lists and templates, FUZZ_SECONDS=60 each
	Scripts/fuzz.sh loader $(FUZZ_SECONDS)
	Scripts/fuzz.sh conditions $(FUZZ_SECONDS)
	Scripts/fuzz.sh schedules $(FUZZ_SECONDS)
	Scripts/fuzz.sh csv $(FUZZ_SECONDS)
	Scripts/fuzz.sh ndjson $(FUZZ_SECONDS)
	Scripts/fuzz.sh compressed $(FUZZ_SECONDS)
	Scripts/fuzz.sh templates $(FUZZ_SECONDS)

bench: ## measure validate against libyaml, plan against octoDNS, bystanders, starts, sends, long round trips, the emulator and its page, the ledger, frequency caps, memberships, lists in PostgreSQL, services, recalls, fleets, delivery, simulations
	@Scripts/install-packages.sh build run venv bench browser
	$(build-static) --product herald
	@mkdir -p .build/bench
	clang -O2 -o .build/bench/libyaml-events Benchmarks/lint/libyaml-events.c $$(pkg-config --cflags --libs yaml-0.1)
	Benchmarks/lint/run.py $(static)/herald .build/bench/libyaml-events
	$(PYTHON) -m venv .venv-octodns
	.venv-octodns/bin/pip install --quiet --requirement Benchmarks/plan/requirements.txt
	Benchmarks/plan/run.py $(static)/herald .venv-octodns/bin/octodns-sync
	Benchmarks/bystanders/run.py $(static)/herald
	Benchmarks/start/run.py $(static)/herald .build/bench/libyaml-events
	HERALD_BENCH=1 $(build-static) --product BareServer
	Benchmarks/emulator/run.py $(static)/herald $(static)/BareServer
	Benchmarks/emulator-web/run.py $(static)/herald
	HERALD_BENCH=1 $(build-static) --product LedgerLoad
	Benchmarks/ledger/run.py $(static)/LedgerLoad .build/bench
	HERALD_BENCH=1 $(build-static) --product CapLoad
	Benchmarks/caps/run.py $(static)/CapLoad .build/bench
	HERALD_BENCH=1 $(build-static) --product MembershipLoad
	$(sink)
	Benchmarks/memberships/run.py $(static)/herald $(static)/MembershipLoad .build/bench/sink .build/bench
	HERALD_BENCH=1 $(build-static) --product ListLoad
	HERALD_POSTGRES_FOLDER=.build/bench Scripts/with-postgres.sh Benchmarks/postgres/run.py $(static)/ListLoad .build/bench
	clang -O2 -shared -fPIC -o .build/bench/shifted_clocks.so Tests/EndToEnd/shifted_clocks.c
	Benchmarks/service/run.py $(static)/herald .build/bench/sink .build/bench/shifted_clocks.so .build/bench
	Benchmarks/recall/run.py $(static)/herald .build/bench/sink .build/bench
	HERALD_POSTGRES_FOLDER=.build/bench Scripts/with-postgres.sh Benchmarks/fleet/run.py $(static)/herald .build/bench/sink .build/bench
	clang -O2 -o .build/bench/curl-multi Benchmarks/send/curl-multi.c $$(pkg-config --cflags --libs libcurl)
	$(PYTHON) -m venv .venv-firebase
	.venv-firebase/bin/pip install --quiet --requirement Benchmarks/send/requirements.txt
	Benchmarks/send/run.py $(static)/herald .build/bench/sink .build/bench/curl-multi .venv-firebase/bin/python .build/bench
	Benchmarks/encrypt/run.py $(static)/herald .build/bench/sink .build/bench
	clang -O2 -D_GNU_SOURCE -o .build/bench/relay Benchmarks/latency/relay.c -lm
	Benchmarks/latency/run.py $(static)/herald .build/bench/sink .build/bench/relay .venv-firebase/bin/python .build/bench
	@Scripts/install-packages.sh xmpp venv
	@Scripts/make-environments.sh
	$(build-static) --product herald-listen
	$(venv) Benchmarks/upstream/run.py --prosody $(static)/herald
	HERALD_BENCH=1 $(build-static) --product DeliveryLoad
	Benchmarks/delivery/run.py $(static)/DeliveryLoad
	Benchmarks/simulate/run.py $(static)/herald

install: ## build for release and install program, completions and manual pages below PREFIX=/usr/local
	@Scripts/install-packages.sh build
	$(build-static) --product herald
	$(build-static) --product herald-listen
	Scripts/install.sh install $(static)/herald $(PREFIX)

uninstall: ## remove the files that install wrote
	Scripts/install.sh uninstall $(PREFIX)

deb: ## build the Debian package, check it with lintian, and write it to .build/packages
	@Scripts/install-packages.sh build python package
	$(build-static) --product herald
	$(build-static) --product herald-listen
	Scripts/package/deb.sh $(static)/herald .build/packages
	Scripts/package/deb-listen.sh $(static)/herald-listen .build/packages
	for package in .build/packages/herald_*.deb .build/packages/herald-listen_*.deb; do Scripts/package/check-deb.sh "$$package" || exit; done

tarball: ## build the archive for any Linux with glibc 2.35 or later, and write it to .build/packages
	@Scripts/install-packages.sh build python package
	HERALD_PORTABLE=1 $(build-static) --product herald
	HERALD_PORTABLE=1 $(build-static) --product herald-listen
	Scripts/package/tarball.sh $(static)/herald .build/packages

clean: ## remove everything that building and running wrote
	rm -rf .build .herald .venv .venv-*
