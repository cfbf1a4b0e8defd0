# A RabbitMQ of its own, until standard input ends; says "ready" once it runs.
# Arguments: a directory of its own, which it may find as an earlier run left it; three free ports.
set -eu
dir=$1
export HOME="$dir" RABBITMQ_NODENAME="test$2@localhost" RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 RABBITMQ_NODE_PORT="$2"
export RABBITMQ_DIST_PORT="$3" ERL_EPMD_PORT="$4" ERL_EPMD_ADDRESS=127.0.0.1
export RABBITMQ_MNESIA_BASE="$dir/db" RABBITMQ_LOG_BASE="$dir/log" RABBITMQ_PID_FILE="$dir/pid"
export RABBITMQ_ENABLED_PLUGINS_FILE="$dir/plugins" RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_CONFIG_FILE="$dir/none"
export ERL_CRASH_DUMP="$dir/erl_crash.dump"
# Debian's own command wants to be root or a user of its own; what lies behind it does not.
PATH="/usr/lib/rabbitmq/bin:$PATH"
# One that the broker starts by itself would outlive it.
epmd -port "$4" >/dev/null 2>&1 &
epmd=$!
# Emptied before it is looked at: an earlier run had completed, too.
: >"$dir/out"
rabbitmq-server >>"$dir/out" 2>&1 &
broker=$!
end() {
  trap - EXIT TERM INT
  [ ! -s "$dir/pid" ] || kill -9 "$(cat "$dir/pid")" 2>/dev/null || true
  kill -9 $broker $epmd 2>/dev/null || true
}
trap end EXIT
trap 'exit 1' TERM INT
until grep -q "Starting broker... completed" "$dir/out"; do
  kill -0 $broker 2>/dev/null || { cat "$dir/out" >&2; exit 1; }
  sleep 0.1
done
echo ready
cat >/dev/null
