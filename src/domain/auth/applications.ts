import { ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { areKnownScopes, parseScopes } from '../../lib/http/scopes.ts'
import { isBlank } from '../../lib/text/is-blank.ts'
import { hashSecret, generateSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** The redirect URI of applications without one: the user copies the code by hand. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

const MAX_NAME_CHARACTERS = 60
const MAX_URI_CHARACTERS = 2_000
const DEFAULT_SCOPES = 'read'

/** URI schemes that run code in the page that opens them. */
const SCRIPT_SCHEMES = new Set(['javascript', 'data', 'vbscript'])

/** A registered application. Only a hash of its secret is stored. */
export interface Application {
  id: string
  name: string
  website: string | null
  redirectUris: string[]
  scopes: string[]
  clientId: string
}

export interface ApplicationRegistration {
  name?: string | undefined
  /** A list, or a text with one URI per line or separated by white space. */
  redirectUris?: string | readonly string[] | undefined
  /** Separated by blanks; `read` by default. */
  scopes?: string | undefined
  website?: string | undefined
}

const insert = statement<{
  params: {
    name: string
    website: string | null
    redirectUris: readonly string[]
    scopes: readonly string[]
    clientId: string
    clientSecretHash: Buffer
    now: Date
  }
  row: { id: string }
}>(
  `insert into applications (name, website, redirect_uris, scopes, client_id, client_secret_hash, created_at)
   values ($name, $website, $redirectUris, $scopes, $clientId, $clientSecretHash, $now) returning id`,
)
const SELECT = `select id, name, website, redirect_uris as "redirectUris", scopes, client_id as "clientId" from applications`
const findByClientId = statement<{ params: { clientId: string }; row: Application }>(
  `${SELECT} where client_id = $clientId`,
)
const findById = statement<{ params: { id: string }; row: Application }>(`${SELECT} where id = $id`)
// Compares hashes, so the time that the comparison takes reveals nothing about the secret.
const findBySecret = statement<{ params: { clientId: string; clientSecretHash: Buffer }; row: Application }>(
  `${SELECT} where client_id = $clientId and client_secret_hash = $clientSecretHash`,
)

const lock = statement<{ params: { id: string }; row: { scopes: string[] } }>(
  `select scopes from applications where id = $id for key share`,
)

/** The largest input of redirect URIs in UTF-16 units. It may contain duplicates and white space. */
const MAX_REDIRECT_INPUT_LENGTH = 10 * MAX_URI_CHARACTERS

/**
 * Registers an application (Mastodon: POST /api/v1/apps). Its secret is returned only here.
 * @throws ValidationError
 */
export async function registerApplication(
  tx: Tx,
  registration: ApplicationRegistration,
): Promise<Application & { clientSecret: string }> {
  const app = { ...checkRegistration(registration), clientId: generateSecret() }
  const clientSecret = generateSecret()
  const [row] = await insert(tx.db, { ...app, clientSecretHash: hashSecret(clientSecret), now: tx.now })
  return { id: row!.id, ...app, clientSecret }
}

/** Returns the attributes of an application, cleaned. @throws ValidationError */
export function checkRegistration(
  registration: ApplicationRegistration,
): Pick<Application, 'name' | 'website' | 'redirectUris' | 'scopes'> {
  const name = replaceControlCharacters(registration.name ?? '').trim()
  const website = registration.website?.trim() || null
  const redirectInputs = [registration.redirectUris ?? ''].flat()
  if (redirectInputs.join('\n').length > MAX_REDIRECT_INPUT_LENGTH)
    throw new ValidationError([tooLong('redirect_uri', MAX_URI_CHARACTERS)])
  const redirectUris = [...new Set(redirectInputs.flatMap((text) => text.split(/\s+/)))].filter(Boolean)
  const scopes = parseScopes(registration.scopes?.trim() || DEFAULT_SCOPES)

  const problems = [...nameProblems(name), ...redirectProblems(redirectUris), ...websiteProblems(website)]
  if (!areKnownScopes(scopes)) {
    problems.push({ attribute: 'scopes', code: 'ERR_INVALID', text: "doesn't match configured on the server." })
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return { name, website, redirectUris, scopes }
}

/** Returns an application by its public client id, or null. */
export async function findApplication(read: Read, { clientId }: { clientId: string }): Promise<Application | null> {
  const [row] = await findByClientId(read.db, { clientId })
  return row ?? null
}

/** Returns an application by its row id, or null. */
export async function findApplicationById(read: Read, { id }: { id: string }): Promise<Application | null> {
  const [row] = await findById(read.db, { id })
  return row ?? null
}

/** Returns the application with this client id and secret, or null. */
export async function authenticateApplication(
  read: Read,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<Application | null> {
  const [row] = await findBySecret(read.db, { clientId, clientSecretHash: hashSecret(clientSecret) })
  return row ?? null
}

/**
 * Waits for a concurrent change or deletion of an application, and prevents further ones until the transaction ends, so
 * that a deletion finds the tokens that the transaction issues. Returns its scopes; a deleted application has none.
 */
export async function lockApplication(tx: Tx, { id }: { id: string }): Promise<string[]> {
  const [row] = await lock(tx.db, { id })
  return row?.scopes ?? []
}

function tooLong(attribute: string, max: number): FieldError {
  return { attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} characters)` }
}

function nameProblems(name: string): FieldError[] {
  const attribute = 'name'
  if (isBlank(name)) return [{ attribute, code: 'ERR_BLANK', text: "can't be blank" }]
  return name.length > 2 * MAX_NAME_CHARACTERS || Array.from(name).length > MAX_NAME_CHARACTERS
    ? [tooLong(attribute, MAX_NAME_CHARACTERS)]
    : []
}

function redirectProblems(uris: readonly string[]): FieldError[] {
  const attribute = 'redirect_uri'
  if (uris.length === 0) return [{ attribute, code: 'ERR_BLANK', text: "can't be blank" }]
  if (uris.join('\n').length > MAX_URI_CHARACTERS) return [tooLong(attribute, MAX_URI_CHARACTERS)]
  const texts = new Set(uris.map(redirectProblem).filter((text) => text !== null))
  return [...texts].map((text) => ({ attribute, code: 'ERR_INVALID', text }))
}

function redirectProblem(uri: string): string | null {
  if (uri === OUT_OF_BAND) return null
  const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined || /\p{Cc}/u.test(uri)) return 'must be an absolute URI.'
  if (SCRIPT_SCHEMES.has(scheme)) return 'is forbidden by the server.'
  if (uri.includes('#')) return 'cannot contain a fragment.'
  if (scheme !== 'http' && scheme !== 'https') return null
  const url = /^https?:\/\/[^/\\?]/i.test(uri) ? URL.parse(uri) : null
  return url === null || url.username !== '' || url.password !== '' ? 'must be an absolute URI.' : null
}

function websiteProblems(website: string | null): FieldError[] {
  const attribute = 'website'
  if (website === null) return []
  if (website.length > MAX_URI_CHARACTERS) return [tooLong(attribute, MAX_URI_CHARACTERS)]
  const scheme = URL.parse(website)?.protocol
  return scheme === 'https:' || scheme === 'http:'
    ? []
    : [{ attribute, code: 'ERR_INVALID', text: 'is not a valid URL' }]
}

function replaceControlCharacters(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
