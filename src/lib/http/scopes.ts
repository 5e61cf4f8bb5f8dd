/**
 * OAuth scopes. A parent covers its children (`read` covers `read:lists`). `follow` covers the read and write scopes of
 * follows, blocks and mutes. Only `admin:…` covers `admin:…`.
 */
const READ =
  'accounts blocks bookmarks collections favourites filters follows lists mutes notifications search statuses'
const WRITE =
  'accounts blocks bookmarks collections conversations favourites filters follows lists media mutes notifications reports statuses'
const ADMIN = 'accounts reports domain_allows domain_blocks ip_blocks email_domain_blocks canonical_email_blocks'

function children(parent: string, names: string): string[] {
  return [parent, ...names.split(' ').map((name) => `${parent}:${name}`)]
}

/** All scopes that an application may request, parents first. */
export const ALL_SCOPES: readonly string[] = [
  'profile',
  ...children('read', READ),
  ...children('write', WRITE),
  'follow',
  'push',
  ...children('admin:read', ADMIN),
  ...children('admin:write', ADMIN),
]

const KNOWN_SCOPES = new Set(ALL_SCOPES)
const FOLLOW_SCOPES = new Set(['follows', 'blocks', 'mutes'].flatMap((name) => [`read:${name}`, `write:${name}`]))

/** All scopes together have 800 characters. */
const MAX_TEXT_LENGTH = 10_000

/**
 * Returns the scopes in a text that is separated by spaces or plus signs, without duplicates, in order. A text that is
 * too long is one unknown scope: splitting a body of 2 MB would block the event loop.
 */
export function parseScopes(text: string): string[] {
  if (text.length > MAX_TEXT_LENGTH) return [text]
  return [...new Set(text.split(/[\s+]+/).filter(Boolean))]
}

/** Returns whether all scopes are known. */
export function areKnownScopes(scopes: readonly string[]): boolean {
  return scopes.every((scope) => KNOWN_SCOPES.has(scope))
}

/** Returns whether the scopes `held` include `needed`. */
export function coversScope(held: readonly string[], needed: string): boolean {
  const colon = needed.lastIndexOf(':')
  const parent = colon > 0 ? needed.slice(0, colon) : needed
  return held.some((scope) => scope === needed || scope === parent || (scope === 'follow' && FOLLOW_SCOPES.has(needed)))
}

/** Returns whether `allowed` covers all requested scopes: a token never gets more than its application. */
export function withinScopes(requested: readonly string[], allowed: readonly string[]): boolean {
  return requested.every((scope) => coversScope(allowed, scope))
}
