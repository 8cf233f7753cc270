# Everyday commands; the longer ones are scripts in bin/.
export PORT LAN CERTIFICATE
PYTHON = .venv/bin/python
BROWSER = $(if $(filter 1,$(GIRONE_SKIP_BROWSER)),-m "not browser",)
# Tests start many processes: each would compile every module again where bytecode isn't kept.
TESTED = ENV_FILE= PYTHONDONTWRITEBYTECODE= $(PYTHON)
CODE = manage.py accounts bench config decks rules tests tournaments

.PHONY: run test test-all set-up set-up-dev lint types fmt folder bench bench-crowd bench-connections bench-large bench-anonymous check-pairings stress demo \
	test-postgres test-cluster pictures messages lock \
	measure-lists measure-kills measure-organisers measure-schema measure-mutations measure-archives measure-photos measure-tampering \
	measure-first-visit measure-first-round measure-https measure-shape measure-costs measure-reload measure-wheel words

run: set-up               ## serve this machine: http://127.0.0.1:8000, or make run PORT=8123; LAN=1: the hall
	@bin/run

# Three processes for two cores: a test that waits for a browser or a server leaves its core to
# another, and each further process takes as long to begin as it saves.
test: set-up-dev          ## the tests, in three processes and some minutes
	@bin/chromium
	@$(TESTED) -m pytest -n 3 --dist worksteal $(BROWSER) $(ARGS)

test-all: set-up-dev      ## every test, many more examples, and the coverage
	@bin/chromium
	@$(TESTED) -m pytest -n 3 --dist worksteal --deep --cov --cov-report= $(BROWSER) $(ARGS)
	@$(PYTHON) -m coverage report --include='rules/*' --fail-under=100
	@$(PYTHON) -m coverage report --omit='rules/*' --fail-under=95

set-up:
	@bin/setup requirements.lock

set-up-dev:
	@bin/setup requirements-dev.lock

lint: set-up-dev          ## ruff: rules and format; imports; templates: indentation and length of lines; words
	@$(PYTHON) -m ruff check $(CODE)
	@$(PYTHON) -m ruff format --check $(CODE)
	@.venv/bin/lint-imports --no-cache --no-logo
	@$(PYTHON) -m djhtml --check --tabwidth 2 templates
	@$(PYTHON) -m pytest -q tests/architecture/test_templates.py
	@$(PYTHON) -m tests.measures.words

fmt: set-up-dev           ## put the code into shape
	@$(PYTHON) -m ruff check --fix $(CODE)
	@$(PYTHON) -m ruff format $(CODE)
	@$(PYTHON) -m djhtml --tabwidth 2 templates

types: set-up-dev         ## mypy: strictly for the rules, loosely for the rest
	@$(PYTHON) -m mypy --strict rules
	@$(PYTHON) -m mypy accounts config decks tournaments

demo: set-up              ## an event to look at
	@$(PYTHON) manage.py migrate --verbosity 0
	@$(PYTHON) manage.py demo --site

folder: set-up            ## the folder to double-click, for the system that this runs on
	@$(PYTHON) packaging/folder.py $(ARGS)

bench: set-up-dev         ## time the slow paths
	@$(PYTHON) -m bench
	@$(PYTHON) -m bench.crowd
	@$(PYTHON) -m bench.connections

bench-crowd: set-up-dev   ## a hall that reads: finished pages, stampedes, 10,000 phones (needs wrk)
	@$(PYTHON) -m bench.crowd $(ARGS)

bench-connections: set-up-dev ## pages beside a thousand idle and two hundred slow connections
	@$(PYTHON) -m bench.connections $(ARGS)

bench-large: set-up-dev   ## lists, histories, the log and searches with a million entries, on both databases
	@$(PYTHON) -m bench large_site $(ARGS)
	@bin/with-postgres $(PYTHON) -m bench large_site $(ARGS)

bench-anonymous: set-up-dev ## the dearest request of a reader without account, with 1,000 events
	@$(PYTHON) -m bench anonymous $(ARGS)

check-pairings: set-up-dev ## five thousand random Swiss events against slower ways, a thousand of tables
	@$(PYTHON) -m bench.check_pairings $(ARGS)

stress: set-up-dev        ## eight requests at once on one event, five hundred times
	@$(PYTHON) -m tests.lives.stress

test-postgres: set-up-dev ## the tests on a throw-away PostgreSQL server
	@bin/test-postgres

test-cluster: set-up-dev  ## two machines, PostgreSQL, Redis and nginx, a crowd, a killed process
	@$(TESTED) -m pytest -q --cluster tests/cluster $(ARGS)

pictures: set-up-dev      ## draw the pictures of the help and of the tests anew, to be looked at
	@$(PYTHON) -m pytest -q --deep tests/journeys/test_pictures.py --approve

messages: set-up          ## collect and compile the sentences
	@bin/messages

lock: set-up-dev          ## choose the newest versions of the requirements, with hashes
	@bin/lock $(ARGS)

measure-lists: set-up-dev ## 500 lists in 60 s and at once, by a real server
	@$(PYTHON) -m tests.measures.lists $(ARGS)

measure-kills: set-up-dev ## kill the server in the middle of results, on both databases
	@$(PYTHON) -m tests.measures.kills $(ARGS)
	@bin/with-postgres $(PYTHON) -m tests.measures.kills $(ARGS)

measure-organisers: set-up-dev ## two organisers at the same moment, on both databases
	@$(PYTHON) -m tests.measures.organisers $(ARGS)
	@bin/with-postgres $(PYTHON) -m tests.measures.organisers $(ARGS)

measure-schema: set-up-dev ## every operation of the API by its schema, as four roles
	@$(PYTHON) -m tests.measures.schema $(ARGS)

measure-mutations: set-up-dev ## ten thousand requests with something wrong in them
	@$(PYTHON) -m tests.measures.mutations $(ARGS)

measure-archives: set-up-dev ## every field of an archive with twenty wrong values
	@$(PYTHON) -m tests.measures.archives $(ARGS)

measure-photos: set-up-dev ## pictures made to hurt, and the largest that are read: seconds and memory
	@$(PYTHON) -m tests.measures.photos

measure-tampering: set-up-dev ## 600 tamperings with honest events: how many verify notices, or an act refuses
	@$(PYTHON) -m tests.measures.tampering $(ARGS)

measure-first-visit: set-up-dev ## seconds until a phone on a slow line shows an event of 200 players
	@bin/chromium
	@$(PYTHON) -m tests.measures.first_visit $(ARGS)

measure-first-round: set-up-dev ## play what docs/start.md and start.it.md say in a browser, with empty data
	@bin/chromium
	@$(PYTHON) -m tests.measures.first_round $(ARGS)

measure-https: set-up-dev ## pages by https beside idle phones and half-sent requests, by each server installed
	@$(PYTHON) -m tests.measures.https $(ARGS)

words: set-up-dev         ## how many words the site says, and labels that documents name wrongly
	@$(PYTHON) -m tests.measures.words

measure-shape: set-up-dev ## how large the code is, and how many modules a request runs through
	@$(PYTHON) -m tests.measures.shape

measure-costs: set-up-dev ## the dearest of what anybody may send: seconds of the processor and memory
	@$(PYTHON) -m tests.measures.costs $(ARGS)

measure-reload: set-up-dev ## readers while the site begins anew, without and with a migration
	@$(PYTHON) -m tests.measures.reload $(ARGS)

measure-wheel: set-up-dev ## the wheel: its size, installed without network, played, upgraded, taken back
	@$(PYTHON) -m tests.packages.wheel $(ARGS)
