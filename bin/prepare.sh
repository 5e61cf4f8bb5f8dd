# Sourced by the commands in this folder, with $root set. Installs the packages of the lockfile if necessary, and sets
# $node to the runtime. Prints nothing to standard output, which belongs to the program.

# Caches compiled modules and stripped types between starts. The cache is beside the packages, so that only the user who
# installed them can write it.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/node_modules/.cache/linnet}"

node=$root/node_modules/.bin/node
required="$(cksum <"$root/package-lock.json") $(uname -sm)"
installed=
runtime=

if [ -r "$root/node_modules/.linnet-installed" ]; then
  { read -r installed && read -r runtime; } <"$root/node_modules/.linnet-installed" || :
fi

if [ "$installed" != "$required" ]; then
  installer=$(command -v node || :)
  [ -n "$installer" ] || installer=$node
  if [ ! -x "$installer" ]; then
    echo 'Linnet needs Node 20 or newer with npm in the PATH, to install the rest: https://nodejs.org' >&2
    exit 1
  fi
  runtime=$("$installer" "$root/bin/install.mjs" "$required")
fi

# If npm has no runtime for this system, use the one in the PATH, which may have changed since the installation.
if [ "$runtime" != bundled ]; then
  node=$(command -v node || :)
  if [ -z "$node" ]; then
    echo 'Linnet needs Node 24 or newer in the PATH: npm has none for this system' >&2
    exit 1
  fi
  if [ "$("$node" -p 'Boolean(process.features.typescript)')" != true ]; then
    echo "Linnet needs Node 24 or newer, which runs TypeScript; $node is $("$node" -v)" >&2
    exit 1
  fi
fi
