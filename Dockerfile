# The server alone; docker-compose.yml runs it with PostgreSQL.
FROM python:3.12-slim AS build
RUN python -m venv /opt/cadogan
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY cadogan cadogan
COPY engine engine
COPY server server
COPY clients clients
COPY migrations migrations
COPY deploy/__init__.py deploy/build_backend.py deploy/bundle.py deploy/wheel.py deploy/
RUN /opt/cadogan/bin/pip install --no-cache-dir ".[nats]"

FROM python:3.12-slim
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
