import { domainToASCII, domainToUnicode } from 'node:url'

export const MAX_USERNAME_LENGTH = 30

/** Default list of names that users cannot register. */
export const RESERVED_USERNAMES: readonly string[] = [
  'abuse',
  'account',
  'accounts',
  'admin',
  'administration',
  'administrator',
  'admins',
  'help',
  'helpdesk',
  'instance',
  'mod',
  'moderator',
  'moderators',
  'mods',
  'owner',
  'root',
  'security',
  'server',
  'staff',
  'support',
  'webmaster',
]
/** Default list of words that names of new accounts cannot contain. */
const RESERVED_WORDS: readonly string[] = ['mastodon', 'mastadon']

const MAX_HOST_LENGTH = 253
const MAX_LABEL_LENGTH = 63
const MAX_HANDLE_LENGTH = 512

const CONFUSABLE_CHARACTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  l: 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
}

/** Returns whether a local username is valid: 1 to 30 ASCII letters, digits and `_`. Does not check if it is taken. */
export function isValidUsername(username: string): boolean {
  return username.length <= MAX_USERNAME_LENGTH && /^[A-Za-z0-9_]+$/.test(username)
}

/**
 * Returns whether a name is reserved: it equals one of `names` or contains one of `words`, ignoring case, and with
 * similar digits and letters treated as equal (`Adm1n`, `he1p`, `mast0don`).
 */
export function isReservedUsername(
  username: string,
  lists: { names?: readonly string[]; words?: readonly string[] } = {},
): boolean {
  const { names = RESERVED_USERNAMES, words = RESERVED_WORDS } = lists
  const folded = foldConfusables(username)
  return (
    names.some((name) => foldConfusables(name) === folded) ||
    words.some((word) => word !== '' && folded.includes(foldConfusables(word)))
  )
}

/** A parsed handle. `username` is as typed; `domain` is canonical (`canonicalDomain`) with its port, or null. */
export type Handle = { username: string; domain: string | null }

/**
 * Parses `name`, `@name`, `name@domain` or `@name@domain` with surrounding white space.
 *
 * @returns null for anything else; never throws
 */
export function parseHandle(handle: unknown): Handle | null {
  if (typeof handle !== 'string' || handle.length > MAX_HANDLE_LENGTH) return null
  const match = /^@?([A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*)(?:@([^@\s]+))?$/.exec(handle.trim())
  const username = match?.[1]
  if (username === undefined) return null
  const typed = match?.[2]
  if (typed === undefined) return { username, domain: null }
  const domain = canonicalDomain(typed, { keepPort: true })
  return domain === null ? null : { username, domain }
}

/**
 * Returns the canonical form of a host name for storing, comparing and blocking: lower case, ASCII (punycode),
 * full-width forms unified, no trailing dot. `keepPort` keeps a port other than 443 (`localhost:3000`), which is
 * removed otherwise.
 *
 * @returns null for an invalid host name; never throws
 */
export function canonicalDomain(host: string, options: { keepPort?: boolean } = {}): string | null {
  const match = /^([^:]+)(?::(\d{1,5}))?$/.exec(host.trim())
  const name = match?.[1]
  // `domainToASCII` truncates at a slash, drops tabs and decodes percent-encoding, which must not make a name valid.
  if (name === undefined || name.length > MAX_HOST_LENGTH || /[\s\p{Cc}%/\\?#@<>^|[\]]/u.test(name)) return null
  const ascii = domainToASCII(name).replace(/\.$/, '')
  if (ascii === '' || ascii.length > MAX_HOST_LENGTH) return null
  if (ascii.split('.').some((label) => label === '' || label.length > MAX_LABEL_LENGTH)) return null
  if (!/^[a-z0-9._-]+$/.test(ascii)) return null
  const port = Number(match?.[2] ?? 443)
  if (port < 1 || port > 65_535) return null
  return options.keepPort && port !== 443 ? `${ascii}:${port}` : ascii
}

/**
 * Returns the display form of a canonical domain: Unicode, but punycode if a label could be mistaken for another one
 * because it mixes scripts, has only letters that look Latin, or has several marks on a letter.
 */
export function displayDomain(domain: string): string {
  if (!domain.includes('xn--')) return domain
  const [hostName = '', port] = domain.split(':')
  const unicode = domainToUnicode(hostName)
  if (unicode === '' || unicode.split('.').some(isDeceptive)) return domain
  return port === undefined ? unicode : `${unicode}:${port}`
}

/** Returns a handle, with or without a domain, with the display form of its domain. */
export function displayHandle(handle: string): string {
  return handle.replace(/(?<=@).+$/, displayDomain)
}

/** Returns the form in which usernames are compared: lower case, with similar digits and letters made equal. */
export function foldConfusables(username: string): string {
  return username.toLowerCase().replace(/[0-57-9l]/g, (char) => CONFUSABLE_CHARACTERS[char] ?? char)
}

// A label must be in one script, or in scripts that a language combines. Rarer scripts remain in punycode.
const SINGLE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Armenian', 'Georgian', 'Ethiopic', 'Thai']
const INDIAN_SCRIPTS = ['Devanagari', 'Bengali', 'Gujarati', 'Gurmukhi', 'Kannada', 'Malayalam', 'Tamil', 'Telugu']
const EAST_ASIAN_SCRIPTS = [['Hiragana', 'Katakana'], ['Hangul'], ['Bopomofo']]
const NEUTRAL = '\\p{Script=Common}\\p{Script=Inherited}'
const PLAIN_LABELS = [
  ...[...SINGLE_SCRIPTS, ...INDIAN_SCRIPTS].map((script) => `\\p{Script=${script}}`),
  ...EAST_ASIAN_SCRIPTS.map((scripts) => `a-z\\p{Script=Han}${scripts.map((name) => `\\p{Script=${name}}`).join('')}`),
].map((letters) => new RegExp(`^[${letters}${NEUTRAL}]*$`, 'u'))
// No language has so many marks on one letter.
const STACKED_MARKS = /\p{M}{3}/u
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵαικνορτυχ0-9-]+$/u

function isDeceptive(label: string): boolean {
  if (/^[a-z0-9_-]*$/.test(label)) return false
  return STACKED_MARKS.test(label) || LOOKS_LATIN.test(label) || !PLAIN_LABELS.some((plain) => plain.test(label))
}
