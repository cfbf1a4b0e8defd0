# pgbouncer in transaction mode before a PostgreSQL, until standard input ends; says its directory once it runs.
# Arguments: the directory of the database's socket, and its port.
set -eu
PATH="$PATH:/usr/sbin"
dir=$(mktemp -d "${TMPDIR:-/tmp}/pool.XXXXXX")
cat >"$dir/pooler.ini" <<INI
[databases]
postgres = host=$1 port=$2 user=test
[pgbouncer]
pool_mode = transaction
default_pool_size = 2
server_login_retry = 1
auth_type = any
unix_socket_dir = $dir
listen_port = 5432
logfile = $dir/log
INI
pgbouncer -q "$dir/pooler.ini" &
pooler=$!
trap 'kill -INT $pooler; wait $pooler; rm -rf "$dir"' EXIT
until [ -S "$dir/.s.PGSQL.5432" ]; do
  kill -0 $pooler
  sleep 0.02
done
echo "$dir"
cat >/dev/null
