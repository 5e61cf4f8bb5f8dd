import type { Ctx, Read } from '../../domain/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { statement } from '../../platform/db/statement.ts'
import { followersSynchronizationUri, followersUri } from '../objects/uris.ts'
import { combinedHashes, digestOfIds, readDigest, writeFollowerDigest } from './follower-digest.ts'

/** SQL: the scheme and host with which an id begins. */
const originOf = (uri: string) => `substring(${uri} from '^https?://[^/?#]+')`

const selectDigests = statement<{
  params: { accountId: string }
  row: { origin: string; bits: string }
  notNull: 'origin' | 'bits'
}>(
  `select ${originOf('a.uri')} as origin, ${combinedHashes('a.uri')} as bits
   from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = $accountId and a.domain is not null group by 1`,
)

const selectIds = statement<{ params: { accountId: string; origin: string }; row: { uri: string } }>(
  `select a.uri from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = $accountId and a.domain is not null and starts_with(a.uri, $origin || '/')
   order by f.id`,
)

/** Digests of the followers of an account, by the origin of their ids. */
type Digests = ReadonlyMap<string, string>

/**
 * How long digests are cached, in milliseconds: a private post goes to many hosts at once, and the followers of its
 * author are read only once. A server for which they are outdated removes nothing, because its list of followers differs.
 */
const CACHE_MS = 10_000

const cache = new WeakMap<Db, Map<string, { at: number; digests: Promise<Digests> }>>()

async function findDigests(ctx: Ctx, { accountId }: { accountId: string }): Promise<Digests> {
  let byAccount = cache.get(ctx.db)
  if (!byAccount) cache.set(ctx.db, (byAccount = new Map()))
  const now = ctx.now().getTime()
  for (const [id, { at }] of byAccount) if (now - at > CACHE_MS) byAccount.delete(id)
  const known = byAccount.get(accountId)
  if (known) return known.digests
  const digests = selectDigests(ctx.db, { accountId }).then(
    (rows) => new Map(rows.map(({ origin, bits }) => [origin, readDigest(bits)])),
  )
  byAccount.set(accountId, { at: now, digests })
  return digests.catch((err: unknown) => {
    byAccount.delete(accountId)
    throw err
  })
}

/** Returns the value of the `Collection-Synchronization` header of a delivery by a local account to an inbox. */
export async function describeFollowers(
  ctx: Ctx,
  { accountId, inbox }: { accountId: string; inbox: string },
): Promise<string> {
  const digests = await findDigests(ctx, { accountId })
  return writeFollowerDigest({
    collectionId: followersUri(ctx.config, accountId),
    url: followersSynchronizationUri(ctx.config, accountId),
    digest: digests.get(new URL(inbox).origin) ?? digestOfIds([]),
  })
}

/** Returns the ids of the followers of a local account whose ids have an origin. */
export async function listFollowersAt(
  read: Read,
  { accountId, origin }: { accountId: string; origin: string },
): Promise<string[]> {
  return (await selectIds(read.db, { accountId, origin })).map(({ uri }) => uri)
}
