import { ValidationFailed } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { areKnownScopes, parseScopes } from '../../lib/scopes.ts'
import { isBlank } from '../../lib/text/isBlank.ts'
import { hashSecret, makeSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

/** The redirect address of apps that have none: the person copies the code by hand. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

const MAX_NAME_CHARACTERS = 60
const MAX_ADDRESS_CHARACTERS = 2_000
const DEFAULT_SCOPES = 'read'

/** Schemes that run code in the page that follows them. */
const RUNNING_SCHEMES = new Set(['javascript', 'data', 'vbscript'])

/** A registered application. The secret is known only to the application itself. */
export interface Application {
  id: string
  name: string
  website: string | null
  redirectUris: string[]
  scopes: string[]
  clientId: string
}

export interface AppRegistration {
  name?: string | undefined
  /** One per line, or separated by blanks, or as a list. */
  redirectUris?: string | readonly string[] | undefined
  /** Separated by blanks; `read` when none is named. */
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
// Both sides are hashes, so the time of a comparison tells nothing that would help to guess the secret.
const findBySecret = statement<{ params: { clientId: string; clientSecretHash: Buffer }; row: Application }>(
  `${SELECT} where client_id = $clientId and client_secret_hash = $clientSecretHash`,
)

/** UTF-16 units of addresses as they are sent, some of them twice and with blanks between them. */
const MAX_TYPED_ADDRESSES = 10 * MAX_ADDRESS_CHARACTERS

/**
 * Registers an application. Its secret is returned here and never again.
 * @throws ValidationFailed
 */
export async function registerApp(
  tx: Tx,
  registration: AppRegistration,
): Promise<Application & { clientSecret: string }> {
  const name = withoutControls(registration.name ?? '').trim()
  const website = registration.website?.trim() || null
  const addresses = [registration.redirectUris ?? ''].flat()
  if (addresses.join('\n').length > MAX_TYPED_ADDRESSES)
    throw new ValidationFailed([tooLong('redirect_uri', MAX_ADDRESS_CHARACTERS)])
  const redirectUris = [...new Set(addresses.flatMap((text) => text.split(/\s+/)))].filter(Boolean)
  const scopes = parseScopes(registration.scopes?.trim() || DEFAULT_SCOPES)

  const problems = [...nameProblems(name), ...redirectProblems(redirectUris), ...websiteProblems(website)]
  if (!areKnownScopes(scopes)) {
    problems.push({ attribute: 'scopes', code: 'ERR_INVALID', text: "doesn't match configured on the server." })
  }
  if (problems.length > 0) throw new ValidationFailed(problems)

  const clientId = makeSecret()
  const clientSecret = makeSecret()
  const app = { name, website, redirectUris, scopes, clientId }
  const [row] = await insert(tx.db, { ...app, clientSecretHash: hashSecret(clientSecret), now: tx.now })
  return { id: row!.id, ...app, clientSecret }
}

/** An application by its public client id, or null. */
export async function findApp(read: Read, { clientId }: { clientId: string }): Promise<Application | null> {
  const [row] = await findByClientId(read.db, { clientId })
  return row ?? null
}

/** An application by our id, or null. */
export async function findAppById(read: Read, { id }: { id: string }): Promise<Application | null> {
  const [row] = await findById(read.db, { id })
  return row ?? null
}

/** The application that proves itself by its secret, or null. */
export async function authenticateApp(
  read: Read,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<Application | null> {
  const [row] = await findBySecret(read.db, { clientId, clientSecretHash: hashSecret(clientSecret) })
  return row ?? null
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

function redirectProblems(addresses: readonly string[]): FieldError[] {
  const attribute = 'redirect_uri'
  if (addresses.length === 0) return [{ attribute, code: 'ERR_BLANK', text: "can't be blank" }]
  if (addresses.join('\n').length > MAX_ADDRESS_CHARACTERS) return [tooLong(attribute, MAX_ADDRESS_CHARACTERS)]
  const texts = new Set(addresses.map(redirectProblem).filter((text) => text !== null))
  return [...texts].map((text) => ({ attribute, code: 'ERR_INVALID', text }))
}

function redirectProblem(address: string): string | null {
  if (address === OUT_OF_BAND) return null
  const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined || /\p{Cc}/u.test(address)) return 'must be an absolute URI.'
  if (RUNNING_SCHEMES.has(scheme)) return 'is forbidden by the server.'
  if (address.includes('#')) return 'cannot contain a fragment.'
  if (scheme !== 'http' && scheme !== 'https') return null
  const url = /^https?:\/\/[^/\\?]/i.test(address) ? URL.parse(address) : null
  return url === null || url.username !== '' || url.password !== '' ? 'must be an absolute URI.' : null
}

function websiteProblems(website: string | null): FieldError[] {
  const attribute = 'website'
  if (website === null) return []
  if (website.length > MAX_ADDRESS_CHARACTERS) return [tooLong(attribute, MAX_ADDRESS_CHARACTERS)]
  const scheme = URL.parse(website)?.protocol
  return scheme === 'https:' || scheme === 'http:'
    ? []
    : [{ attribute, code: 'ERR_INVALID', text: 'is not a valid URL' }]
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
