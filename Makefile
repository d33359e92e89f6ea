# Thin by intent: every target is one or two commands that can also be typed.

CARGO ?= cargo
EXEC := target/release/hermes-exec

.DEFAULT_GOAL := help
.PHONY: help run test bench artifact build lint windows

help: ## show what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

artifact: ## install what is missing and build the guest artifact
	@sh python-wasm/assets/check-packages.sh
	$(CARGO) run --release --bin python-wasm -- build

build: artifact ## and the binary
	$(CARGO) build --release

run: build ## run the examples on this project's own files
	@for script in examples/*.py; do \
		echo "== $(EXEC) run $$script --workdir . --max-tool-calls 500"; \
		$(EXEC) run $$script --workdir . --max-tool-calls 500 || exit $$?; \
	done

test: build ## every test
	$(CARGO) test --release
	$(CARGO) test --release -p hermes-guest

bench: build ## the table of README, measured now
	target/release/hermes-benches

windows: ## check that it compiles for Windows; needs the mingw-w64 gcc for the C in it
	rustup target add x86_64-pc-windows-gnu
	$(CARGO) clippy --release --target x86_64-pc-windows-gnu -p hermes-runtime -- -D warnings

lint: ## formatting and clippy, warnings denied
	$(CARGO) fmt --all --check
	$(CARGO) clippy --release --all-targets -- -D warnings
	$(CARGO) clippy --release -p hermes-guest --all-targets -- -D warnings
