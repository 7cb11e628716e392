# The server alone; docker-compose.yml runs it with PostgreSQL.
# How to renew the digest of this base image, and those in docker-compose.yml: docs/hosting.md, "What is installed".
ARG PYTHON=python:3.12.13-slim-bookworm@sha256:d50fb7611f86d04a3b0471b46d7557818d88983fc3136726336b2a4c657aa30b
FROM $PYTHON AS build
# Compiles the rules and the solver (docs/compiled.md). It stays in this stage; --build-arg COMPILER= leaves it out.
ARG COMPILER=g++
RUN test -z "$COMPILER" || { apt-get update && apt-get install --yes --no-install-recommends "$COMPILER"; }
RUN python -m venv /opt/cadogan
WORKDIR /source
COPY deploy/requirements.txt deploy/
RUN /opt/cadogan/bin/pip install --no-cache-dir --require-hashes --requirement deploy/requirements.txt
COPY pyproject.toml README.md LICENSE ./
COPY cadogan cadogan
COPY engine engine
COPY server server
COPY clients clients
COPY migrations migrations
COPY deploy/__init__.py deploy/build_backend.py deploy/bundle.py deploy/wheel.py deploy/
# The commit that `cadogan --version` names: --build-arg COMMIT="$(git rev-parse --short=12 HEAD)"
ARG COMMIT=unknown
RUN CADOGAN_COMMIT=$COMMIT /opt/cadogan/bin/pip install --no-cache-dir --no-deps .

FROM $PYTHON
RUN useradd --system --create-home --home-dir /var/lib/cadogan cadogan
COPY --from=build /opt/cadogan /opt/cadogan
USER cadogan
# An SQLite database, where no PostgreSQL is set, lies in this folder.
WORKDIR /var/lib/cadogan
VOLUME /var/lib/cadogan
ENV PATH=/opt/cadogan/bin:$PATH PYTHONUNBUFFERED=1 CADOGAN_HOST=0.0.0.0 CADOGAN_PORT=8000
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['CADOGAN_PORT'] + '/readyz', timeout=4)"]
CMD ["cadogan", "serve"]
