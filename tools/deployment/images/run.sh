#!/bin/sh
# Runs a program in the root file system of an image as platforms do: nobody can write there but into /tmp and /data, as another user
# than root. It becomes the program, so signals reach that.
#   unshare --mount sh run.sh ROOT DATA UID PROGRAM [ARGUMENT ...]
set -eu
root=$1
data=$2
user=$3
shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
exec unshare --root "$root" --wd /app --setgid "$user" --setuid "$user" -- "$@"
