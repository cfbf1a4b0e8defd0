# A PostgreSQL of its own in a directory of its own, until standard input ends; says the directory once it runs.
# Arguments: the folder of its programs (empty: the PATH), certificate, key, port ("" for a Unix socket alone).
set -eu
[ -z "$1" ] || PATH="$1:$PATH"
dir=$(mktemp -d "${TMPDIR:-/tmp}/pg.XXXXXX")
end() {
  trap - EXIT TERM INT
  for data in "$dir/data" "$dir/standby"; do
    [ ! -d "$data" ] || pg_ctl -D "$data" -m immediate stop >/dev/null 2>&1 || true
  done
  rm -rf "$dir"
}
trap end EXIT
trap 'exit 1' TERM INT
# Each test has its own, and making one takes a second of processor time: an empty one is kept, and copied.
empty="${TMPDIR:-/tmp}/pg-empty.$(id -u).$(initdb --version | tr -dc 0-9.)"
if [ ! -O "$empty" ]; then
  initdb -D "$dir/data" -U test -A trust --no-sync --no-locale -E UTF8 >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
  cp -a "$dir/data" "$dir/empty"
  # Another test may have been faster.
  mv -T "$dir/empty" "$empty" 2>/dev/null || true
else
  cp -a "$empty" "$dir/data"
fi
printf '%s' "$2" >"$dir/data/server.crt"
(umask 077 && printf '%s' "$3" >"$dir/data/server.key")
{
  echo "unix_socket_directories = '$dir'"
  echo "fsync = off"
  echo "shared_buffers = 32MB"
  echo "max_connections = 60"
  echo "ssl = on"
  if [ -n "$4" ]; then echo "listen_addresses = '127.0.0.1'"; echo "port = $4"; else echo "listen_addresses = ''"; fi
} >>"$dir/data/postgresql.conf"
pg_ctl -D "$dir/data" -l "$dir/log" -w start >/dev/null || { cat "$dir/log" >&2; exit 1; }
echo "$dir"
cat >/dev/null
