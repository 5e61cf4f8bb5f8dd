# Sourced after prepare.sh by the command that serves. Sets $main to the program of the server: its modules bundled into a
# few files, which start faster and use less memory than the sources. Bundles them if a file has changed since.
main=$root/src/main.ts
bundles=$root/node_modules/.cache/linnet-server
# Sizes and times of the files, because those of another version may be older than the bundle.
sources=$(cd "$root" && ls -lnR src migrations package-lock.json bin/build-server.ts | cksum)
bundled=
bundle=
if [ -r "$bundles/current" ]; then
  { read -r bundled && read -r bundle; } <"$bundles/current" || :
fi
if [ "$bundled" != "$sources" ] || [ ! -e "$bundles/$bundle/main.js" ] || [ -n "$(find "$root/src" -newer "$bundles/current" -print | head -n 1)" ]; then
  # Without a bundle, for example in a folder that cannot be written, the server runs from its sources.
  bundle=$("$node" "$root/bin/build-server.ts" "$sources") || bundle=
fi
[ -z "$bundle" ] || main=$bundles/$bundle/main.js
