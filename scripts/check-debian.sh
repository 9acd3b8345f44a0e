#!/usr/bin/env bash
# Usage: scripts/check-debian.sh FOLDER [demo|test]
# Runs the README's command on a bare Debian 12 with the security suite, made by
# debootstrap in FOLDER, which must not exist: scripts/setup.sh and then
# run-demo.sh (default) or test.sh, on a clone of the last commit. Nothing is in a
# cache. Prints the time of each and fails if wall time is above 10 minutes. Needs
# root, the network and 8 GB.
set -euo pipefail
cd "$(dirname "$0")/.."
root=${1:-}
script=$(case ${2:-demo} in demo) echo run-demo.sh ;; test) echo test.sh ;; esac)
if [ -z "$root" ] || [ -z "$script" ] || [ -e "$root" ]; then
  sed -n '2,7s/^# //p' "$0" >&2
  exit 2
fi
command -v debootstrap >/dev/null || { echo "check-debian: needs debootstrap" >&2; exit 1; }
debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >"$root.log" 2>&1
printf 'deb http://deb.debian.org/debian%s main\n' ' bookworm' '-security bookworm-security' >"$root/etc/apt/sources.list"
git clone -q . "$root/src"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# The sources in there belong to root; git must not wonder.
cat >"$root/check.sh" <<'EOF'
cd /src
times() { TIMEFORMAT="$1: %R s, %U s user, %S s system"; shift; time "$@" >>/check.log 2>&1; }
times setup scripts/setup.sh && git config --global --add safe.directory /src && times "$1" "scripts/$1"
EOF
begin=$SECONDS
unshare --mount bash -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
  exec env -i HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" bash /check.sh "$2"' check "$root" "$script" ||
  { tail -n 20 "$root/check.log" >&2; echo "check-debian: setup.sh or $script failed; the log is $root/check.log" >&2; exit 1; }
wall=$((SECONDS - begin))
echo "check-debian: setup.sh and $script took $wall s on $(nproc) cores (limit 600)"
[ "$wall" -le 600 ]
