# Sourced after prepare.sh by the commands that serve the web client. Builds it if it was never built, or if a file that
# belongs to it has changed since.
if [ ! -e "$root/web/dist/.built" ] || [ -n "$(
  find "$root/web/src" "$root/web/package.json" "$root/web/vite.config.ts" "$root/src/lib/messages/web-catalogues" \
    "$root/src/http/pages/layout/tokens.css" "$root/src/http/route-policies.ts" "$root/package-lock.json" -newer "$root/web/dist/.built" -print | head -n 1
)" ]; then
  "$node" "$root/bin/build-web.ts" >&2
fi
