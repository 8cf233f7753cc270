# The two commands are `make run` and `make test`; both set up what is missing, once.
PORT ?= 8000
PY := .venv/bin/python

.PHONY: run test test-postgres lint types fmt bench demo messages setup setup-dev

run: setup
	bin/run $(PORT)

test: setup-dev
	bin/test

test-postgres: setup-dev
	bin/test-postgres

lint: setup-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: setup-dev
	.venv/bin/mypy --strict rules
	.venv/bin/mypy config accounts decks tournaments

fmt: setup-dev
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

bench: setup-dev
	$(PY) -m bench

demo: setup
	$(PY) manage.py migrate -v0
	$(PY) manage.py demo --site

messages: setup-dev
	bin/messages

setup:
	bin/setup requirements.txt

setup-dev:
	bin/setup requirements-dev.txt
