/**
 * OAuth scopes. A parent covers its children (`read` covers `read:lists`), `follow` covers the reading and writing
 * of follows, blocks and mutes, and nothing but `admin:…` ever covers `admin:…`.
 */
const READ =
  'accounts blocks bookmarks collections favourites filters follows lists mutes notifications search statuses'
const WRITE =
  'accounts blocks bookmarks collections conversations favourites filters follows lists media mutes notifications reports statuses'
const ADMIN = 'accounts reports domain_allows domain_blocks ip_blocks email_domain_blocks canonical_email_blocks'

function children(parent: string, names: string): string[] {
  return [parent, ...names.split(' ').map((name) => `${parent}:${name}`)]
}

/** Every scope that an application may ask for, parents first. */
export const ALL_SCOPES: readonly string[] = [
  'profile',
  ...children('read', READ),
  ...children('write', WRITE),
  'follow',
  'push',
  ...children('admin:read', ADMIN),
  ...children('admin:write', ADMIN),
]

const KNOWN = new Set(ALL_SCOPES)
const FOLLOW = new Set(['follows', 'blocks', 'mutes'].flatMap((name) => [`read:${name}`, `write:${name}`]))

/** The scopes named in a space- or plus-separated text, each once, in order. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/[\s+]+/).filter(Boolean))]
}

/** True when every scope is one that this server knows. */
export function areKnownScopes(scopes: readonly string[]): boolean {
  return scopes.every((scope) => KNOWN.has(scope))
}

/** True when a holder of `held` may do what needs `needed`. */
export function coversScope(held: readonly string[], needed: string): boolean {
  const colon = needed.lastIndexOf(':')
  const parent = colon > 0 ? needed.slice(0, colon) : needed
  return held.some((scope) => scope === needed || scope === parent || (scope === 'follow' && FOLLOW.has(needed)))
}

/** True when every requested scope is covered by the allowed ones: a token never gets more than its application. */
export function withinScopes(requested: readonly string[], allowed: readonly string[]): boolean {
  return requested.every((scope) => coversScope(allowed, scope))
}
