import type { IncomingMessage } from 'node:http'

const CLIENT_PATH = /^\/+(api|oauth)\//

/**
 * Merges repeated slashes in the paths that clients request, as Rails does for Mastodon: some clients join a base URL
 * and a path with one slash too many.
 */
export function mergeSlashes({ url = '/' }: IncomingMessage): string {
  if (!CLIENT_PATH.test(url)) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.includes('//') ? path.replace(/\/{2,}/g, '/') + url.slice(path.length) : url
}
