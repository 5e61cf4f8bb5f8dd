# Read by the commands in this folder, with $root set. Installs what the lockfile pins if that is not there yet, and
# sets $node to the runtime. Says nothing on standard output, which is the program's.

# What was compiled at the last start is not compiled again, and its types are not taken out again. Beside the packages,
# where only who installed them writes.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/node_modules/.cache/linnet}"

node=$root/node_modules/.bin/node
wanted="$(cksum <"$root/package-lock.json") $(uname -sm)"
installed=
runtime=

if [ -r "$root/node_modules/.linnet-installed" ]; then
  { read -r installed && read -r runtime; } <"$root/node_modules/.linnet-installed" || :
fi

if [ "$installed" != "$wanted" ]; then
  installer=$(command -v node || :)
  [ -n "$installer" ] || installer=$node
  if [ ! -x "$installer" ]; then
    echo 'Linnet needs Node 20 or newer with npm in the PATH, to install the rest: https://nodejs.org' >&2
    exit 1
  fi
  runtime=$("$installer" "$root/bin/install.mjs" "$wanted")
fi

# Where npm brings no runtime, the machine's own has to do. It may have changed since the installation.
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
