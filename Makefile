# The front door: everything is built into .venv, and CI calls nothing but this file.
#
#   make run       build, then the reference campaign on the virtual bench
#   make test      every test that needs neither captures nor other programs
#   make test-all  every test; needs AIRLAG_CAPTURES, a compiler for boards, OpenThread's nodes and peers
#   make check     format, lints, types, stubs, documentation, oldest versions, arrows between the rooms
#   make firmware  images for boards; AIRLAG_SIZE and AIRLAG_BAUD set them up
#   make emulator  what images of boards are tested on; needs Node
#   make loop      two emulated Picos with a radio each, and the analysis of their capture; needs Node
#   make sketches  Arduino sketches with the stock RF24 library; needs Debian's gcc-avr and arduino-core-avr
#   make sketch-loop  two emulated Unos with these sketches and a radio each, and the analysis of their capture
#   make openthread  nodes of Thread networks, of OpenThread's own code: for `airlag thread`
#   make studio    the bench as a page for a browser, which airlag studio opens, and as one file; needs Node
#   make site      the documentation in site/dist, with notebooks run, and the studio if it was built
#   make wheel     a wheel and a source distribution in dist/, with the studio if it was built
#   make crates    the crates that are useful alone, packaged as a registry would get them
#   make bench     speed beside named peers, as ratios
#   make fuzz      every reader in Rust against hostile input, FUZZ_SECONDS each; 0 only builds the programs
#   make mutate    hostile files and settings against the command line, MUTATIONS a format
#   make deny      licences, sources and advisories of every crate; needs cargo-deny
#   make docs      rewrite the numbers and pictures in README and docs
#   make lock      refresh requirements/*.lock from pyproject.toml

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# The oldest versions that will do, as the two manifests say.
OLDEST_RUST   := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
OLDEST_PYTHON := $(shell sed -n 's/^requires-python = ">=\(.*\)"/\1/p' pyproject.toml)
FUZZ_SECONDS ?= 60
MUTATIONS ?= 3000

# Images have a profile of their own: what a run sets to build sooner takes a third more stack.
FIRMWARE        := firmware/rp2040 firmware/stm32f429 firmware/nrf52840 firmware/esp32c6 firmware/esp32c6/ble firmware/esp32c6/ieee802154 firmware/esp32c6/wifi
FIRMWARE_TARGET := thumbv6m-none-eabi thumbv7em-none-eabihf riscv32imac-unknown-none-elf
FIRMWARE_CARGO  := env -u CARGO_TARGET_DIR -u CARGO_INCREMENTAL -u CARGO_PROFILE_RELEASE_LTO -u CARGO_PROFILE_RELEASE_CODEGEN_UNITS cargo
FIRMWARE_TOOLS  := for each in $(FIRMWARE_TARGET); do test -d "$$(rustc --print target-libdir --target $$each 2>/dev/null)" || exit 1; done
FIRMWARE_HINT   := rustup target add $(FIRMWARE_TARGET)

# Images that run with the radios of the bench, and the program that has these radios.
LOOP_RADIO  := nrf24
LOOP_LINK   := nrf24-2m
RELEASE     := thumbv6m-none-eabi/release
LOOP_IMAGES := $(foreach each,sender receiver,firmware/rp2040/target/$(RELEASE)/$(LOOP_RADIO)-$(each))
# In the folder of all images, so that only the crate of the board is compiled for another size, and then for its own.
LONG_SENDER := $(FIRMWARE_CARGO) build --release --locked --quiet --bin nrf24-sender

# Sketches of others' code run with them too: Arduino's core and RF24, which firmware/avr/build compiles.
SKETCH_LINK   := nrf24-2m
SKETCH_IMAGES := $(foreach each,sender receiver,firmware/avr/target/$(each).elf)
SKETCH_TOOLS  := command -v avr-g++ >/dev/null && test -d /usr/share/arduino/hardware/arduino/avr
SKETCH_HINT   := apt-get install --no-install-recommends gcc-avr avr-libc arduino-core-avr

# Each has a lock file of its own.
WORKSPACES := . benches studio/bindings $(FIRMWARE)

# Nodes of Thread networks are OpenThread's own sources, as a crate carries them.
OPENTHREAD_TOOLS := command -v cmake >/dev/null && command -v ninja >/dev/null && command -v c++ >/dev/null
OPENTHREAD_HINT  := apt-get install --no-install-recommends cmake ninja-build g++

# The core for a browser, and the page around it. Both are copied to where a wheel carries them from.
STUDIO_TARGET := wasm32-unknown-unknown
STUDIO_TOOLS  := command -v node >/dev/null && command -v npm >/dev/null && test -d "$$(rustc --print target-libdir --target $(STUDIO_TARGET) 2>/dev/null)"
STUDIO_HINT   := apt-get install --no-install-recommends nodejs npm; rustup target add $(STUDIO_TARGET)

# Programs that tests are held against, and the packages of Debian that have them.
PEERS      := chromium chromedriver firefox-esr iperf3 ip nft ping setpriv sigrok-cli socat tshark
PEERS_HINT := apt-get install --no-install-recommends chromium chromium-driver firefox-esr iperf3 iproute2 iputils-ping nftables util-linux sigrok-cli socat tshark

# What the extension and the tests in Rust are built with. With `checked` both are made of the same crates,
# compiled once, and arithmetic that overflows ends a test in Python too.
BUILD_PROFILE ?= release
PROFILE    := $(if $(filter-out release,$(BUILD_PROFILE)),--profile $(BUILD_PROFILE))
LOCKSTEP   := $(or $(CARGO_TARGET_DIR),target)/$(if $(PROFILE),$(BUILD_PROFILE),debug)/airlag-lockstep
CARGO_TEST := cargo test --workspace --quiet $(PROFILE)
BUILT_AS   := --profile $(BUILD_PROFILE) $(if $(PROFILE),--features as-in-workspace)

# The marks of the two tiers: see tests/peers/src/lib.rs and tests/python/peers.py.
PYTEST  := $(BIN)/python -m pytest -q --dist loadgroup
# Tests without peers wait for the programs that they start, so there is one process more than cores.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.PHONY: run test test-all tests-rust tests-python tests-ignored images-and-wheel tests-in-python tests-peers tests-real-time tests-studio peers check check-rust check-python oldest workflows firmware emulator loop sketches sketch-loop openthread studio site wheel sdist crates bench fuzz mutate deny docs lock build tools clean

run: build
	$(BIN)/airlag campaign campaigns/reference.toml

test: tests-rust tests-python
	@echo "make: left out are tests that need captures, images for boards, nodes of OpenThread, the studio or other programs; make test-all runs them and names what is missing"

# Each test runs once: those of make test, and then the others. Tests in Rust are compiled on two cores and end on one,
# so what tests with peers need, which is mostly made on one core, is made beside them. Tests in Python wait: those in
# real time for the clock, the others for the programs that they start, and for their peers. So the other tests in Rust
# run beside them, on what they leave of the machine, and further targets that BESIDE lists. Those in real time come
# first, as they leave the most.
test-all: peers build openthread studio site
	$(MAKE) --no-print-directory -j2 --output-sync=target -o build tests-rust images-and-wheel
	$(MAKE) --no-print-directory -j3 --output-sync=target -o build tests-in-python tests-ignored $(BESIDE)

tests-in-python: build
	$(MAKE) --no-print-directory tests-real-time
	$(MAKE) --no-print-directory -o build tests-python
	$(MAKE) --no-print-directory tests-peers

images-and-wheel: emulator sketches
	env -u AIRLAG_SIZE -u AIRLAG_BAUD $(MAKE) --no-print-directory firmware
	$(MAKE) --no-print-directory wheel
	$(MAKE) --no-print-directory tests-studio

tests-ignored:
	AIRLAG_PEERS=all nice -n 15 $(CARGO_TEST) --tests -- --ignored

# Types and units of the page; what it does in a browser is tested with the peers.
tests-studio:
	cd studio && npm run --silent check && npm run --silent test

tests-peers:
	AIRLAG_PEERS=all $(PYTEST) -n auto -m "peers and not real_time"

# One after the other: they share names of network namespaces.
tests-real-time:
	AIRLAG_PEERS=all $(BIN)/python -m pytest -q -m "peers and real_time"

tests-rust:
	env -u AIRLAG_CAPTURES AIRLAG_PEERS=none $(CARGO_TEST)
	# Only images for boards use this feature.
	cargo test --package airlag-drivers --features websocket --lib --quiet $(PROFILE) websocket

tests-python: build
	env -u AIRLAG_CAPTURES AIRLAG_PEERS=none $(PYTEST) -n $(WORKERS) -m "not peers"

peers:
	@test -d "$$AIRLAG_CAPTURES" || { echo "make: AIRLAG_CAPTURES names no folder of captures"; exit 1; }
	@for each in $(PEERS); do command -v $$each >/dev/null || { echo "make: $$each not found; $(PEERS_HINT)"; exit 1; }; done
	@($(FIRMWARE_TOOLS)) || { echo "make: no compiler for boards; $(FIRMWARE_HINT)"; exit 1; }
	@$(SKETCH_TOOLS) || { echo "make: no compiler for sketches; $(SKETCH_HINT)"; exit 1; }
	@$(STUDIO_TOOLS) || { echo "make: no tools to build the studio; $(STUDIO_HINT)"; exit 1; }

check: check-rust check-python

check-rust: tools
	cargo fmt --all --check
	cargo fmt --manifest-path benches/Cargo.toml --check
	rustfmt --check --edition 2024 firmware/ends/src/lib.rs $(FIRMWARE:%=%/src/lib.rs) $(FIRMWARE:%=%/src/bin/*.rs)
	cargo clippy --workspace --all-targets --quiet $(PROFILE) -- -D warnings
	cargo clippy --manifest-path benches/Cargo.toml --target-dir target --locked --all-targets --quiet $(PROFILE) -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet $(PROFILE)

check-python: build
	$(MAKE) --no-print-directory oldest
	$(BIN)/ruff format --check python tests benches docs packaging site
	$(BIN)/ruff check --no-cache python tests benches docs packaging site
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest airlag._airlag
	$(BIN)/python -m pytest -q tests/python/test_arrows.py
	$(MAKE) --no-print-directory workflows
	$(BIN)/python docs/generate.py --check

# Clippy has refused what is newer than rust-version in the standard library, and a test refuses crates
# that need a newer compiler. Where that compiler is installed, it is asked itself.
oldest: $(VENV)/.dev
	@if rustup toolchain list 2>/dev/null | grep -q "^$(OLDEST_RUST)"; \
	  then cargo +$(OLDEST_RUST) check --workspace --all-targets --locked --quiet; \
	  else echo "make: no compiler $(OLDEST_RUST) to check with; rustup toolchain install $(OLDEST_RUST)"; fi
	$(BIN)/vermin --quiet --no-tips --violations --eval-annotations -t=$(OLDEST_PYTHON)- python tests benches docs packaging site

# What runs on the machines of a forge: mistakes in syntax, and permissions or tokens that a step could abuse.
workflows: $(VENV)/.dev
	$(BIN)/zizmor --offline --no-progress --quiet .github/workflows
	@if command -v actionlint >/dev/null; then actionlint; \
	  else echo "make: no actionlint to check workflows with; go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"; fi

firmware:
	@($(FIRMWARE_TOOLS)) || { echo "make: no compiler for boards; $(FIRMWARE_HINT)"; exit 1; }
	for each in $(FIRMWARE); do (cd $$each && $(FIRMWARE_CARGO) build --release --locked --quiet) || exit 1; done

# An RP2040 in virtual time, on which the images of a Pico are tested, an ATmega328P for sketches, the radios for two of
# them, and a sender of messages of several frames.
emulator: tools
	@command -v npm >/dev/null || { echo "make: npm not found; apt-get install --no-install-recommends nodejs npm"; exit 1; }
	for each in rp2040 avr; do (cd firmware/$$each/emulator && npm ci --silent --no-audit --no-fund) || exit 1; done
	@($(FIRMWARE_TOOLS)) || { echo "make: no compiler for boards; $(FIRMWARE_HINT)"; exit 1; }
	cd firmware/rp2040 && AIRLAG_SIZE=128 $(LONG_SENDER) && mkdir -p target/size-128 && cp target/$(RELEASE)/nrf24-sender target/size-128 && $(LONG_SENDER)
	cargo build --quiet --locked --workspace --bin airlag-lockstep $(PROFILE)

# Firmware in the loop: from trigger to analysis.
loop: firmware emulator build
	$(LOCKSTEP) $(LOOP_LINK) -- node firmware/rp2040/emulator/link.js $(LOOP_RADIO) $(LOOP_IMAGES) target/loop.csv
	$(BIN)/airlag analyze target/loop.csv --trigger trigger --completion strobe --size $(or $(AIRLAG_SIZE),12) --link $(LOOP_LINK)

sketches: $(VENV)/.dev
	@$(SKETCH_TOOLS) || { echo "make: no compiler for sketches; $(SKETCH_HINT)"; exit 1; }
	cd firmware/avr && export PYTHON=$(CURDIR)/$(BIN)/python && for each in sender receiver; do \
	  ./build sketches/$$each/$$each.ino target/$$each.elf && \
	  ./build sketches/$$each/$$each.ino target/$$each-no-delay.elf -DCS_DELAY=0 && \
	  ./build sketches/$$each/$$each.ino target/$$each-dynamic.elf -DDYNAMIC_PAYLOADS && \
	  ./build sketches/$$each/$$each.ino target/$$each-interrupt.elf -DWITH_INTERRUPT || exit 1; done
	cd firmware/avr && avr-gcc -mmcu=atmega328p -nostartfiles cycles/cycles.S -o target/cycles.elf

sketch-loop: sketches emulator build
	$(LOCKSTEP) $(SKETCH_LINK) -- node firmware/avr/emulator/link.js $(SKETCH_IMAGES) target/sketch-loop.csv
	$(BIN)/airlag analyze target/sketch-loop.csv --trigger trigger --completion strobe --size 12 --link $(SKETCH_LINK)

openthread: tools
	@$(OPENTHREAD_TOOLS) || { echo "make: no tools to build OpenThread; $(OPENTHREAD_HINT)"; exit 1; }
	@crates/openthread/node/build

studio: tools
	@$(STUDIO_TOOLS) || { echo "make: no tools to build the studio; $(STUDIO_HINT)"; exit 1; }
	cargo build --quiet --locked --package airlag-wasm --profile studio --target $(STUDIO_TARGET)
	cargo run --quiet --locked --manifest-path studio/bindings/Cargo.toml -- target/$(STUDIO_TARGET)/studio/airlag_wasm.wasm studio/dist/core
	cd studio && npm ci --silent --no-audit --no-fund && npm run --silent build
	rm -rf python/airlag/studio && cp -r studio/dist python/airlag/studio

# The studio is copied into it, so it comes after the studio where both are made.
site: build $(VENV)/.site
	$(BIN)/python site/build.py

# Of the crates that make build has compiled: same profile, same features. Older packages in dist/ would be offered
# to pip as well.
wheel: tools $(VENV)/.dev sdist
	@rm -f dist/airlag-*.whl
	$(BIN)/maturin build $(BUILT_AS) --locked --quiet --out dist

sdist: tools $(VENV)/.dev
	@rm -f dist/airlag-*.tar.gz
	@said=$$($(BIN)/maturin sdist --out dist 2>&1) || { echo "$$said"; exit 1; }

# Those that Cargo.toml does not keep to the workspace, each built from its package.
crates: tools
	cargo publish --workspace --dry-run --locked --quiet

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
	nice -n 15 fuzz/run $(FUZZ_SECONDS)

mutate: build
	PYTHONPATH=tests:tests/python $(BIN)/python -m mutation --cases $(MUTATIONS) --keep reports/mutation

# Licences and sources are in the project; advisories come from a database that is fetched, or was before.
deny: tools
	@command -v cargo-deny >/dev/null || { echo "make: cargo-deny not found; cargo install cargo-deny --locked"; exit 1; }
	@for each in $(WORKSPACES); do cargo deny --config deny.toml --manifest-path $$each/Cargo.toml check -A duplicate bans licenses sources || exit 1; done
	@if cargo deny --config deny.toml fetch db >/dev/null 2>&1; \
	  then for each in $(WORKSPACES); do cargo deny --config deny.toml --manifest-path $$each/Cargo.toml check --disable-fetch advisories || exit 1; done; \
	  else echo "make: the database of advisories (github.com/RustSec/advisory-db) cannot be fetched, so none are checked"; fi

build: tools $(VENV)/.dev
	PIP_QUIET=1 $(BIN)/maturin develop $(BUILT_AS) --quiet
	@$(BIN)/python -m compileall -q python/airlag

tools:
	@command -v cargo >/dev/null || { echo "make: cargo not found; install a Rust toolchain, $(OLDEST_RUST) or newer"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < tuple(map(int, "$(OLDEST_PYTHON)".split("."))))' 2>/dev/null \
	  || { echo "make: $(PYTHON) is missing or older than $(OLDEST_PYTHON); set PYTHON=/path/to/python$(OLDEST_PYTHON) or newer"; exit 1; }

# Locks are whole: nothing is installed that they do not name, or leave out on purpose. uv installs them on all cores,
# and is installed from the same lock; it does not know an index that pip is configured for. Without bytecode every
# command would compile what it imports, where Python is told to keep none; so airlag itself is compiled too.
WHOLE   := --quiet --no-deps --require-hashes
INSTALL  = $(BIN)/uv pip install --compile-bytecode --python $(BIN)/python $(WHOLE) -r $< || \
  { echo "make: uv cannot install the packages, so pip does"; $(BIN)/python -m pip install --disable-pip-version-check $(WHOLE) -r $<; }
$(VENV)/.dev: requirements/dev.lock
	$(PYTHON) -m venv $(VENV)
	@sed -n '/^uv==/,/[^\\]$$/p' $< >$(VENV)/uv.lock
	$(BIN)/python -m pip install --disable-pip-version-check $(WHOLE) -r $(VENV)/uv.lock
	$(INSTALL)
	@touch $@

$(VENV)/.bench: requirements/bench.lock $(VENV)/.dev
	$(INSTALL)
	@touch $@

$(VENV)/.site: requirements/site.lock $(VENV)/.dev
	$(INSTALL)
	@touch $@

LOCK = uv pip compile --universal --python-version $(OLDEST_PYTHON) --generate-hashes --no-header --quiet
lock: $(VENV)/.dev
	$(BIN)/$(LOCK) pyproject.toml --group dev --group peers -o requirements/dev.lock
	$(BIN)/$(LOCK) pyproject.toml --group dev --group peers --group bench -c requirements/dev.lock -o requirements/bench.lock
	$(BIN)/$(LOCK) pyproject.toml --group dev --group peers --group site -c requirements/dev.lock -o requirements/site.lock
	$(BIN)/$(LOCK) pyproject.toml -c requirements/dev.lock -o requirements/run.lock
	$(BIN)/$(LOCK) --group release -c requirements/dev.lock -o requirements/release.lock

clean:
	rm -rf $(VENV) dist target benches/target $(FIRMWARE:%=%/target) firmware/avr/target reports site/dist
