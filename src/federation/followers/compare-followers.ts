import type { Ctx } from '../../domain/context.ts'
import { RequestError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Throttle } from '../../platform/rate-limit/rate-limiter.ts'
import { countUses } from '../throttles.ts'
import { headerValue } from '../signatures/signature.ts'
import type { RequestHeaders } from '../signatures/signature.ts'
import { isSameHost } from '../wire/read-values.ts'
import { combinedHashes, FOLLOWER_DIGEST_HEADER, parseFollowerDigest, readDigest } from './follower-digest.ts'

const findSender = statement<{
  params: { actor: string; collectionId: string }
  row: { id: string; bits: string | null }
}>(
  `select sender.id, ${combinedHashes('a.uri')} as bits
   from accounts sender
     left join (follows f join accounts a on a.id = f.account_id and a.domain is null)
       on f.target_account_id = sender.id
   where sender.uri = $actor and sender.followers_url = $collectionId and sender.domain is not null
     and sender.suspended_at is null
   group by sender.id`,
)

/** Reconciliations of the followers of an account: each may need ten requests to its server. */
const RECONCILIATIONS: Throttle = { name: 'follower-reconciliations', limit: 3, windowSeconds: 300 }

/**
 * Compares the local followers of the sender of a delivery with the digest in its headers, if there is one (FEP-8fcf). A
 * job reconciles them if they differ.
 */
export async function compareFollowers(
  ctx: Ctx,
  { actor, headers }: { actor: string; headers: RequestHeaders },
): Promise<void> {
  const value = headerValue(headers, FOLLOWER_DIGEST_HEADER)
  const named = value === null ? null : parseFollowerDigest(value)
  if (!named || !isSameHost(named.collectionId, actor) || !isSameHost(named.url, actor)) return
  const { collectionId, url, digest } = named
  const [sender] = await findSender(ctx.db, { actor, collectionId })
  if (!sender || readDigest(sender.bits) === digest) return
  if (!(await mayReconcile(ctx, sender))) return
  await ctx.write(async (tx) => tx.emit('followers.differ', { accountId: sender.id, url, digest }))
}

/** Counts a comparison. Returns false if there were too many, or if the counters are unreachable. */
async function mayReconcile(ctx: Ctx, { id }: { id: string }): Promise<boolean> {
  try {
    await countUses(ctx, [{ throttle: RECONCILIATIONS, key: id }])
    return true
  } catch (err) {
    if (err instanceof RequestError) return false
    throw err
  }
}
