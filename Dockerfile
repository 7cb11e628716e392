# The server alone; docker-compose.yml runs it with PostgreSQL.
# For the same image each time, name it by its digest: --build-arg PYTHON=python:3.12-slim@sha256:...
ARG PYTHON=python:3.12-slim
FROM $PYTHON AS build
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
