# The front door. Each target installs the Debian packages it needs, if any are missing, and builds what it needs.

CLANG_FORMAT ?= clang-format-14
CLANG_TIDY ?= clang-tidy-14
JOBS ?= $(shell nproc)
SECONDS ?= 30
PYTEST = build/python-env/bin/python -m pytest -q python/tests
SOURCES = $(sort $(shell find aria benchmarks cli examples fuzz python tests -name '*.[ch]pp' -o -name '*.h' 2>/dev/null))

.DEFAULT_GOAL := help
.PHONY: help demo study build python test test-interop test-slow bench lint format test-sanitizers test-asan test-tsan \
  test-valgrind fuzz clean

# $(call build,preset,targets)
define build
	cmake --preset $(1) >/dev/null
	cmake --build --preset $(1) --target $(2)
endef

help: ## show this list
	@[ -t 1 ] && bold=$$(tput bold 2>/dev/null) plain=$$(tput sgr0 2>/dev/null); \
	awk -v bold="$$bold" -v plain="$$plain" 'BEGIN {FS = ":.*## "; print "make TARGET, where TARGET is\n"} \
	  /^[a-z-]+:.*## / {printf "  %s%-15s%s  %s\n", bold, $$1, plain, $$2}' $(MAKEFILE_LIST)

demo: build ## build the program and run a short demonstration (results in runs/demo)
	@scripts/demo

study: build ## the published comparison on the arm, with the authors' rounding of ranks (results in runs/study-arm)
	build/aria study --task arm --algorithms all --replications 10 --set fitness_resolution=0.0625 --out runs/study-arm

build: ## build the program, build/aria
	@scripts/install-packages build
	$(call build,release,aria)

python: build ## build the Python package and install it into build/python-env
	@scripts/install-packages python
	scripts/python-package install

test: ## build and run the tests, those of the report page and of the Python package too
	@scripts/install-packages build test viewer python
	$(call build,release,tests aria)
	ctest --preset release --label-exclude slow --no-tests=error -j $(JOBS)
	scripts/test-viewer
	scripts/python-package install test
	$(PYTEST) -m 'not interop and not slow'

test-interop: build ## run the Python tests that need QDax, Dask or Gymnasium
	@scripts/install-packages python
	scripts/python-package install test interop
	$(PYTEST) -m 'interop and not slow'

test-slow: ## build and run the tests that take minutes
	@scripts/install-packages build test python
	$(call build,release,tests aria)
	ctest --preset release --label-regex slow
	scripts/python-package install test
	$(PYTEST) -m 'slow and not interop'

bench: ## build and run the micro-benchmarks
	@scripts/install-packages build bench
	$(call build,release,aria_bench)
	build/aria_bench

# LINT=--quick leaves out the analysis of paths
lint: ## check format, include directions and clang-tidy
	@scripts/install-packages build test bench lint python
	@echo '$(CLANG_FORMAT): $(words $(SOURCES)) files'
	@$(CLANG_FORMAT) --dry-run -Werror $(SOURCES)
	scripts/check_includes.py --self-test
	scripts/check_includes.py
	scripts/python-package environment
	cmake --preset release -DARIA_NANOBIND=$$(build/python-env/bin/python -m nanobind --cmake_dir) \
	  -DPython_EXECUTABLE=$(CURDIR)/build/python-env/bin/python >/dev/null
	scripts/run_clang_tidy.py $(LINT) --clang-tidy $(CLANG_TIDY) --jobs $(JOBS) build

format: ## format all sources in place
	@scripts/install-packages lint
	@$(CLANG_FORMAT) -i $(SOURCES)

test-sanitizers: test-asan test-tsan ## both of the next two

test-asan: ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/install-packages build test
	$(call build,asan,tests)
	ctest --preset asan --label-exclude slow --no-tests=error -j $(JOBS)

test-tsan: ## run the tests under ThreadSanitizer
	@scripts/install-packages build test
	$(call build,tsan,tests)
	ctest --preset tsan --label-exclude slow --no-tests=error -j $(JOBS)

test-valgrind: build ## run every algorithm under Valgrind: nothing that was never set reaches a file
	@scripts/install-packages valgrind
	scripts/test-valgrind

# FUZZERS="csv toml" takes only these
fuzz: ## let each fuzzer of the readers look for SECONDS=30
	@scripts/install-packages build fuzz
	$(call build,fuzz,fuzzers)
	JOBS=$(JOBS) scripts/fuzz $(SECONDS) $(FUZZERS)

clean: ## remove everything that was built (not runs/)
	rm -rf build build-debug build-asan build-tsan build-fuzz
