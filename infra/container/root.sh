#!/bin/sh
# Puts Node, the libraries that it and native modules need, certificates and a user into a folder: the root file system of the images.
#   root.sh FOLDER FOLDER_OF_NATIVE_MODULES
set -eu
out=$1
modules=$2
mkdir -p "$out/usr/local/bin" "$out/etc/ssl/certs" "$out/tmp" "$out/data" "$out/lib64" "$out/proc" "$out/dev"
node=$(command -v node)
cp "$node" "$out/usr/local/bin/node"
# The native part of Temporal's SDK needs more of them than Node.
{
  ldd "$node"
  find "$modules" -name '*.node' -exec ldd {} +
} | grep -o '/[^ :]*' | grep -v '\.node$' | sort -u | while read -r library; do
  mkdir -p "$out$(dirname "$library")"
  cp -L "$library" "$out$library"
done
# Names are resolved by files and DNS.
for library in libnss_dns.so.2 libnss_files.so.2 libresolv.so.2; do
  found=$(find /lib /usr/lib -name "$library" | head -n 1)
  if [ -n "$found" ]; then
    mkdir -p "$out$(dirname "$found")"
    cp -L "$found" "$out$found"
  fi
done
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  cp -L /etc/ssl/certs/ca-certificates.crt "$out/etc/ssl/certs/"
fi
echo 'reeve:x:65532:65532:reeve:/data:/nonexistent' > "$out/etc/passwd"
echo 'reeve:x:65532:' > "$out/etc/group"
echo 'hosts: files dns' > "$out/etc/nsswitch.conf"
chmod 1777 "$out/tmp"
chown 65532:65532 "$out/data"
