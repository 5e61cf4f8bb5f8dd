const URL_PATTERN = /^https?:\/\/\S+$/i
const REMOTE_HANDLE = /^@?[^\s@:]+@[^\s@:]+\.[^\s@]+$/

/** Returns whether a query is a URL or a remote handle, which the server looks up at its server. */
export function needsResolving(query: string): boolean {
  return URL_PATTERN.test(query) || REMOTE_HANDLE.test(query)
}
