import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { generateSecret, hashSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { issueToken, revokeTokens } from './access-tokens.ts'
import { checkRegistration, registerApplication } from './applications.ts'
import type { Application, ApplicationRegistration } from './applications.ts'
import { checkRecentAuthentication } from './two-factor/recent-authentication.ts'
import type { OwnSession } from './two-factor/recent-authentication.ts'

/** Bounds the page, which lists all of them. */
const MAX_APPLICATIONS = 100

const SELECT = `select id, name, website, redirect_uris as "redirectUris", scopes, client_id as "clientId" from applications`
const list = statement<{ params: { userId: string }; row: Application }>(
  `${SELECT} where owner_user_id = $userId order by id desc`,
)
const find = statement<{ params: { userId: string; id: string }; row: Application }>(
  `${SELECT} where owner_user_id = $userId and id = $id`,
)
const lock = statement<{ params: { userId: string; id: string }; row: { scopes: string[] } }>(
  `select scopes from applications where owner_user_id = $userId and id = $id for update`,
)
const countOwn = statement<{ params: { userId: string }; row: { count: number }; notNull: 'count' }>(
  `select count(*)::int as count from applications where owner_user_id = $userId`,
)
const setOwner = statement<{ params: { id: string; userId: string } }>(
  `update applications set owner_user_id = $userId where id = $id`,
)
const update = statement<{
  params: {
    id: string
    name: string
    website: string | null
    redirectUris: readonly string[]
    scopes: readonly string[]
  }
}>(
  `update applications set name = $name, website = $website, redirect_uris = $redirectUris, scopes = $scopes
   where id = $id`,
)
const setSecret = statement<{ params: { id: string; clientSecretHash: Buffer } }>(
  `update applications set client_secret_hash = $clientSecretHash where id = $id`,
)
// Posts keep the name of the app with which they were written, so the row stays. The new secret is discarded.
const disable = statement<{ params: { id: string; clientSecretHash: Buffer } }>(
  `update applications set owner_user_id = null, redirect_uris = '{}', scopes = '{}', client_secret_hash = $clientSecretHash
   where id = $id`,
)
const removeCodes = statement<{ params: { id: string } }>(`delete from authorization_codes where application_id = $id`)
const findTokens = statement<{ params: { id: string; userId: string | null }; row: { id: string } }>(
  `select id from access_tokens
   where application_id = $id and revoked_at is null and ($userId::bigint is null or user_id = $userId)`,
)

/** The secrets of an application. Only hashes are stored, so they are available only once. */
export interface ApplicationSecrets {
  clientSecret: string
  /** An access token of the owner with all scopes of the application. */
  accessToken: string
}

/** Returns the applications of a user, newest first. */
export async function listOwnApplications(
  { db }: Pick<Read, 'db'>,
  { userId }: { userId: string },
): Promise<Application[]> {
  return list(db, { userId })
}

/** @throws NotFoundError also for applications of others */
export async function getOwnApplication(
  { db }: Pick<Read, 'db'>,
  { userId, id }: { userId: string; id: string },
): Promise<Application> {
  const [application] = isId(id) ? await find(db, { userId, id }) : []
  if (!application) throw new NotFoundError()
  return application
}

/**
 * Registers an application of a user, with an access token for its owner (Mastodon: /settings/applications).
 * @throws ValidationError; UnprocessableError if the user has too many applications; ForbiddenError if the session has
 *   ended meanwhile
 */
export async function createOwnApplication(
  tx: Tx,
  { userId, sessionId, registration }: OwnSession & { registration: ApplicationRegistration },
): Promise<ApplicationSecrets & { id: string }> {
  await checkRecentAuthentication(tx, { userId, sessionId })
  const [own] = await countOwn(tx.db, { userId })
  if (own!.count >= MAX_APPLICATIONS) {
    throw new UnprocessableError(`You cannot have more than ${MAX_APPLICATIONS} applications`)
  }
  const { id, scopes, clientSecret } = await registerApplication(tx, registration)
  await setOwner(tx.db, { id, userId })
  const { token: accessToken } = await issueToken(tx, { applicationId: id, userId, scopes })
  return { id, clientSecret, accessToken }
}

/** Changes an application. Its tokens keep their scopes. @throws NotFoundError; ValidationError */
export async function updateOwnApplication(
  tx: Tx,
  { userId, id, registration }: { userId: string; id: string; registration: ApplicationRegistration },
): Promise<void> {
  const checked = checkRegistration(registration)
  await lockOwn(tx, { userId, id })
  await update(tx.db, { id, ...checked })
}

/**
 * Replaces the secret of an application and the owner's access tokens. Tokens of other users stay valid.
 * @throws NotFoundError; ForbiddenError if the session has ended meanwhile
 */
export async function renewSecrets(
  tx: Tx,
  { userId, sessionId, id }: OwnSession & { id: string },
): Promise<ApplicationSecrets> {
  await checkRecentAuthentication(tx, { userId, sessionId })
  const { scopes } = await lockOwn(tx, { userId, id })
  const clientSecret = generateSecret()
  await setSecret(tx.db, { id, clientSecretHash: hashSecret(clientSecret) })
  await revokeTokensOf(tx, { id, userId })
  const { token: accessToken } = await issueToken(tx, { applicationId: id, userId, scopes })
  return { clientSecret, accessToken }
}

/** Deletes an application: its secret and the tokens of all users become invalid. @throws NotFoundError */
export async function deleteOwnApplication(tx: Tx, { userId, id }: { userId: string; id: string }): Promise<void> {
  await lockOwn(tx, { userId, id })
  await disable(tx.db, { id, clientSecretHash: hashSecret(generateSecret()) })
  await removeCodes(tx.db, { id })
  await revokeTokensOf(tx, { id, userId: null })
}

async function lockOwn(tx: Tx, { userId, id }: { userId: string; id: string }): Promise<{ scopes: string[] }> {
  const [application] = isId(id) ? await lock(tx.db, { userId, id }) : []
  if (!application) throw new NotFoundError()
  return application
}

/** `userId: null`: the tokens of all users. */
async function revokeTokensOf(tx: Tx, { id, userId }: { id: string; userId: string | null }): Promise<void> {
  const tokens = await findTokens(tx.db, { id, userId })
  await revokeTokens(tx, { ids: tokens.map((token) => token.id) })
}
