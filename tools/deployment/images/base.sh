#!/bin/sh
# Makes an image of the name of the Dockerfile's base from the machine's own Debian and Node, where no registry of images can be asked.
#   base.sh NAME FOLDER
set -eu
name=$1
folder=$2
root="$folder/root"
if [ ! -f "$root/.made" ]; then
  rm -rf "$root"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" http://deb.debian.org/debian > "$folder/debootstrap.log" 2>&1
  touch "$root/.made"
fi
mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules" "$root/usr/etc"
cp "$(node -p process.execPath)" "$root/usr/local/bin/node"
cp -r "$(npm root -g)/npm" "$root/usr/local/lib/node_modules/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
# The certificates that this machine trusts.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
container=$(buildah from scratch)
buildah add --quiet "$container" "$root" / > /dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
buildah commit --quiet "$container" "$name" > /dev/null
buildah rm "$container" > /dev/null
