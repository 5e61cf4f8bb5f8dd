import { domainToASCII, domainToUnicode } from 'node:url'

export const MAX_USERNAME_LENGTH = 30

/** Names nobody may register, until an administrator changes the lists. */
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
/** Words that no registered name may contain, until an administrator changes the list. */
const RESERVED_WORDS: readonly string[] = ['mastodon', 'mastadon']

const MAX_HOST_LENGTH = 253
const MAX_LABEL_LENGTH = 63
const MAX_HANDLE_LENGTH = 512

const LOOK_ALIKES: Record<string, string> = {
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

/** Whether a local account may be called so: ASCII letters, digits and `_`, 1 to 30. Being taken is asked elsewhere. */
export function isValidUsername(username: string): boolean {
  return username.length <= MAX_USERNAME_LENGTH && /^[A-Za-z0-9_]+$/.test(username)
}

/**
 * Whether a name is kept back: equal to one of `names` or containing one of `words`, in any case, with digits and
 * letters that look alike taken for the same (`Adm1n`, `he1p`, `mast0don`).
 */
export function isReservedUsername(
  username: string,
  lists: { names?: readonly string[]; words?: readonly string[] } = {},
): boolean {
  const { names = RESERVED_USERNAMES, words = RESERVED_WORDS } = lists
  const folded = foldLookAlikes(username)
  return (
    names.some((name) => foldLookAlikes(name) === folded) ||
    words.some((word) => word !== '' && folded.includes(foldLookAlikes(word)))
  )
}

/** A handle taken apart. `username` as typed; `domain` as `canonicalDomain` gives it, with its port; null for none. */
export type Handle = { username: string; domain: string | null }

/**
 * Reads `name`, `@name`, `name@domain` or `@name@domain`, blanks around it allowed.
 *
 * @returns null for everything else, whatever it is; never throws.
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
 * The one spelling of a host name under which it is stored, compared and blocked: lower case, ASCII (punycode),
 * full-width forms unified, no dot at the end. With `keepPort` a port other than 443 stays (`localhost:3000`),
 * otherwise it goes.
 *
 * @returns null for what is no host name; never throws.
 */
export function canonicalDomain(host: string, options: { keepPort?: boolean } = {}): string | null {
  const match = /^([^:]+)(?::(\d{1,5}))?$/.exec(host.trim())
  const name = match?.[1]
  // The converter cuts at a slash, drops tabs and decodes percent signs; none of these may make a name valid.
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
 * A canonical domain as people read it: in Unicode, except where a label could pass for another name, mixing scripts,
 * being made of letters that look Latin, or piling marks on them; such a domain stays in punycode.
 */
export function displayDomain(domain: string): string {
  if (!domain.includes('xn--')) return domain
  const [name = '', port] = domain.split(':')
  const unicode = domainToUnicode(name)
  if (unicode === '' || unicode.split('.').some(isDeceptive)) return domain
  return port === undefined ? unicode : `${unicode}:${port}`
}

function foldLookAlikes(username: string): string {
  return username.toLowerCase().replace(/[0-57-9l]/g, (char) => LOOK_ALIKES[char] ?? char)
}

// A label is in one script, or in those that one language writes side by side. Rarer scripts stay in punycode.
const SINGLE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Armenian', 'Georgian', 'Ethiopic', 'Thai']
const INDIAN_SCRIPTS = ['Devanagari', 'Bengali', 'Gujarati', 'Gurmukhi', 'Kannada', 'Malayalam', 'Tamil', 'Telugu']
const EAST_ASIAN_SCRIPTS = [['Hiragana', 'Katakana'], ['Hangul'], ['Bopomofo']]
const NEUTRAL = '\\p{Script=Common}\\p{Script=Inherited}'
const PLAIN_LABELS = [
  ...[...SINGLE_SCRIPTS, ...INDIAN_SCRIPTS].map((script) => `\\p{Script=${script}}`),
  ...EAST_ASIAN_SCRIPTS.map((scripts) => `a-z\\p{Script=Han}${scripts.map((name) => `\\p{Script=${name}}`).join('')}`),
].map((letters) => new RegExp(`^[${letters}${NEUTRAL}]*$`, 'u'))
// No language puts so many on one letter.
const PILED_MARKS = /\p{M}{3}/u
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵαικνορτυχ0-9-]+$/u

function isDeceptive(label: string): boolean {
  if (/^[a-z0-9_-]*$/.test(label)) return false
  return PILED_MARKS.test(label) || LOOKS_LATIN.test(label) || !PLAIN_LABELS.some((plain) => plain.test(label))
}
