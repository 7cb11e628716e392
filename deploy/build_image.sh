#!/usr/bin/env bash
# Builds the image of the Dockerfile without a daemon, with buildah, and checks that it migrates a database and serves.
#
#     deploy/build_image.sh [FOLDER]
#
# FOLDER is the root of a Debian system with Python, such as debootstrap makes. It takes the place of the base image
# where no registry can be reached. Exits with 3, and says why, where the image cannot be built here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

left_out() { echo "Left out: the image. $*"; exit 3; }

command -v buildah >/dev/null || left_out 'buildah is not installed.'
[ "$(id -u)" = 0 ] || left_out 'buildah with chroot isolation needs root here.'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build() { buildah --storage-driver vfs --root "$work/images" --runroot "$work/run" "$@"; }
dockerfile=$(<Dockerfile)
base=${dockerfile#*ARG PYTHON=}
base=docker.io/library/${base%%$'\n'*}

if [ $# -gt 0 ]; then
    base=localhost/base
    container=$(build from scratch)
    build add --quiet "$container" "$1" / >/dev/null
    build config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
    build commit --quiet "$container" "$base" >/dev/null
    echo "Built on $1 in place of the base image."
elif ! timeout 120 buildah --storage-driver vfs --root "$work/images" --runroot "$work/run" pull --quiet "$base" \
    >/dev/null 2>"$work/pull.log"; then
    left_out "$base cannot be pulled: $(tail -n 1 "$work/pull.log")"
fi

certificates=()
if [ -n "${SSL_CERT_FILE:-}" ]; then  # those that this machine trusts, where it reaches PyPI by a proxy of its own
    certificates=(--volume "$SSL_CERT_FILE:/etc/ssl/certs/ca-certificates.crt:ro")
fi
build bud --format docker --isolation chroot --pull-never "${certificates[@]}" \
    --build-arg PYTHON="$base" --tag cadogan .
container=$(build from --pull-never cadogan)
build run --isolation chroot "$container" -- sh -c '
    set -e
    cadogan migrate
    cadogan doctor
    CADOGAN_MIGRATE=true CADOGAN_HOST=127.0.0.1 CADOGAN_PORT=18123 cadogan serve & server=$!
    python - <<PROGRAM
import time, urllib.request
for attempt in range(600):
    try:
        print(urllib.request.urlopen("http://127.0.0.1:18123/readyz", timeout=5).read())
        break
    except OSError:
        time.sleep(0.1)
else:
    raise SystemExit("the image does not serve")
PROGRAM
    kill $server
    wait $server
'
echo 'The image was built, migrates and serves.'
