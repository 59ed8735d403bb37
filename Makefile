# The front door: everything is built into .venv, and CI calls nothing but this file.
#
#   make run       build, then the reference campaign on the virtual bench
#   make test      every test, without hardware; those of the images where they can be built
#   make check     format, lints, types, stubs, arrows between the rooms
#   make firmware  images for boards; AIRLAG_SIZE and AIRLAG_BAUD set them up
#   make openthread  nodes of Thread networks, of OpenThread's own code: for `airlag thread`
#   make bench     speed beside named peers, as ratios
#   make fuzz      every reader in Rust against hostile input, FUZZ_SECONDS each
#   make mutate    hostile files and settings against the command line, MUTATIONS a format
#   make deny      licences, sources and advisories of every crate; needs cargo-deny
#   make docs      rewrite the numbers and pictures in README and docs
#   make lock      refresh requirements/*.lock from pyproject.toml

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
FUZZ_SECONDS ?= 60
MUTATIONS ?= 3000

# Images are built by Debian's compiler from the sources of core in its package rust-web-src: no
# target has to be installed beside it. Their profile is their own: what a run sets to build sooner
# takes a third more stack.
FIRMWARE       := firmware/stm32f429
FIRMWARE_CARGO := env -u CARGO_TARGET_DIR -u CARGO_PROFILE_RELEASE_LTO -u CARGO_PROFILE_RELEASE_CODEGEN_UNITS PATH="/usr/bin:$$PATH" RUSTC_BOOTSTRAP=1 cargo
FIRMWARE_TOOLS := test -x /usr/bin/cargo && command -v ld.lld-22 >/dev/null && test -d "$$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library"
FIRMWARE_HINT  := apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld-22

# Nodes of Thread networks are OpenThread's own sources, as a crate carries them.
OPENTHREAD_TOOLS := command -v cmake >/dev/null && command -v ninja >/dev/null && command -v c++ >/dev/null
OPENTHREAD_HINT  := apt-get install --no-install-recommends cmake ninja-build g++

.PHONY: run test check firmware openthread bench fuzz mutate deny docs lock build tools clean

run: build
	$(BIN)/airlag campaign campaigns/reference.toml

test: build
	@if $(OPENTHREAD_TOOLS); then $(MAKE) --no-print-directory openthread; \
	  else echo "make: no nodes of OpenThread, their tests are skipped; $(OPENTHREAD_HINT)"; fi
	cargo test --workspace --quiet
	@if $(FIRMWARE_TOOLS); then env -u AIRLAG_SIZE -u AIRLAG_BAUD $(MAKE) --no-print-directory firmware; \
	  else echo "make: no images for boards, their tests are skipped; $(FIRMWARE_HINT)"; fi
	$(BIN)/python -m pytest -q

check: build
	cargo fmt --all --check
	cargo fmt --manifest-path benches/Cargo.toml --check
	rustfmt --check --edition 2024 $(FIRMWARE)/src/lib.rs $(FIRMWARE)/src/bin/*.rs
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	cargo clippy --manifest-path benches/Cargo.toml --target-dir target --locked --all-targets --quiet -- -D warnings
	$(BIN)/ruff format --check python tests benches docs
	$(BIN)/ruff check --no-cache python tests benches docs
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest airlag._airlag
	$(BIN)/python -m pytest -q tests/python/test_arrows.py
	$(BIN)/python docs/generate.py --check

firmware:
	@$(FIRMWARE_TOOLS) || { echo "make: no compiler for boards; $(FIRMWARE_HINT)"; exit 1; }
	cd $(FIRMWARE) && $(FIRMWARE_CARGO) build --release --locked --quiet

openthread: tools
	@$(OPENTHREAD_TOOLS) || { echo "make: no tools to build OpenThread; $(OPENTHREAD_HINT)"; exit 1; }
	@crates/openthread/node/build

bench: build $(VENV)/.bench
	$(BIN)/python benches/capture_speed.py
	$(BIN)/python benches/report_speed.py
	cargo run --release --quiet --manifest-path benches/Cargo.toml --bin readers
	$(BIN)/python benches/packet_speed.py
	$(BIN)/python benches/rpc_speed.py
	$(BIN)/python benches/sweep_speed.py

docs: build
	$(BIN)/python docs/generate.py

fuzz: tools
	fuzz/run $(FUZZ_SECONDS)

mutate: build
	PYTHONPATH=tests:tests/python $(BIN)/python -m mutation --cases $(MUTATIONS) --keep reports/mutation

# Advisories are fetched from the network.
deny: tools
	@command -v cargo-deny >/dev/null || { echo "make: cargo-deny not found; cargo install cargo-deny --locked"; exit 1; }
	for each in . benches $(FIRMWARE); do cargo deny --config deny.toml --manifest-path $$each/Cargo.toml check -A duplicate || exit 1; done

build: tools $(VENV)/.dev
	PIP_QUIET=1 $(BIN)/maturin develop --release --quiet

tools:
	@command -v cargo >/dev/null || { echo "make: cargo not found; install a Rust toolchain, 1.91 or newer"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "make: $(PYTHON) is missing or older than 3.11; set PYTHON=/path/to/python3.11 or newer"; exit 1; }

# Locks are whole: nothing is installed that they do not name, or leave out on purpose.
$(VENV)/.dev: requirements/dev.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

$(VENV)/.bench: requirements/bench.lock $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

LOCK = uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --quiet
lock: $(VENV)/.dev
	$(BIN)/$(LOCK) --group dev --group peers -o requirements/dev.lock
	$(BIN)/$(LOCK) --group dev --group peers --group bench -c requirements/dev.lock -o requirements/bench.lock

clean:
	rm -rf $(VENV) target benches/target $(FIRMWARE)/target reports
