import type { Ctx, Tx } from '../../domain/context.ts'
import { boostStatus } from '../../domain/statuses/boost.ts'
import { statement } from '../../platform/db/statement.ts'
import { visibilityOf } from '../objects/audience.ts'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { findKnownActor, resolveActor } from '../remote/actor.ts'
import { findLocalStatus } from '../remote/known-status.ts'
import { resolveStatus } from '../remote/status.ts'
import { idOf, isOfType } from '../wire/read.ts'
import { embedded } from './incoming.ts'
import type { Incoming } from './incoming.ts'
import { applyInteraction } from './order-interactions.ts'

const WRAPPERS = new Set(['Create', 'Update'])

const findFollowers = statement<{
  params: { knownId: string }
  row: { followers_url: string | null; followed: boolean }
}>(
  `select a.followers_url, exists (select from follows f join accounts l on l.id = f.account_id
     where f.target_account_id = a.id and l.domain is null) as followed
   from accounts a where a.id = $knownId`,
)

/**
 * Somebody elsewhere passes something on. Whatever of it is sent along is ignored: what is passed on is what its own
 * server shows.
 */
export async function handleAnnounce(ctx: Ctx, { activity, budget, interaction }: Incoming): Promise<void> {
  const { id: uri, actor } = activity
  const original = originalOf(activity)
  if (uri === null || original === null) return
  const isAboutUs = (await findLocalStatus(ctx, original)) !== null
  const known = await findKnownActor(ctx, { uri: actor })
  const [booster] = known ? await findFollowers(ctx.db, { knownId: known.id }) : []
  if (!isAboutUs && !booster?.followed) return
  const accountId = await resolveActor(ctx, { uri: actor, budget })
  const statusId = await resolveStatus(ctx, { uri: original, budget })
  const shownTo = visibilityOf(activity, { followersUrl: booster?.followers_url ?? null })
  const visibility = shownTo === 'direct' ? 'private' : shownTo
  const remote = { uri, publishedAt: activity.publishedAt }
  const work = (tx: Tx) => boostStatus(tx, { accountId, statusId, visibility, remote })
  await applyInteraction(ctx, { interaction, uri, actor, work })
}

/** The id of what is passed on; of a group that passes a whole activity on, of what that one made. */
export function originalOf({ object }: ActivityFacts): string | null {
  const inner = embedded(object)
  if (inner && isOfType(inner, WRAPPERS)) return idOf(inner['object'])
  // A group's announcement of a deletion or a like of others proves nothing.
  if (inner && inner['actor'] !== undefined) return null
  return object === null ? null : idOf(object)
}
