import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri, featuredUri } from '../objects/uris.ts'
import { writeAdd, writeRemove } from '../objects/write/write-activities.ts'
import type { CollectionEntry } from '../objects/write/write-activities.ts'
import { renderFeaturedTag } from '../objects/write/write-featured-tag.ts'
import { cancelUndone } from './cancel-superseded.ts'
import { sendActivity } from './send-activity.ts'

interface FeaturedTagEvent {
  featuredTagId: string
  accountId: string
  name: string
}

const findOwner = statement<{ params: { accountId: string }; row: { username: string } }>(
  `select username from accounts where id = $accountId and domain is null and suspended_at is null`,
)
const lockFeaturedTag = statement<{ params: { featuredTagId: string } }>(
  `select from featured_tags where id = $featuredTagId for key share`,
)

/** Effect: sends the Add of a featured hashtag to the remote followers. */
export async function deliverFeaturedTag(ctx: Ctx, event: FeaturedTagEvent): Promise<void> {
  const entry = await describeFeaturedTag(ctx, event)
  if (!entry) return
  await ctx.write(async (tx) => {
    // If the hashtag was removed in the meantime, the Add must not follow the Remove.
    if ((await lockFeaturedTag(tx.db, { featuredTagId: event.featuredTagId })).length === 0) return
    await sendActivity(tx, { ...toFollowers(event), activity: writeAdd(entry) })
  })
}

/** Effect: sends the Remove of a featured hashtag to the remote followers. */
export async function deliverUnfeaturedTag(ctx: Ctx, event: FeaturedTagEvent): Promise<void> {
  const entry = await describeFeaturedTag(ctx, event)
  if (!entry) return
  await ctx.write(async (tx) => {
    await cancelUndone(tx, { uri: writeAdd(entry).uri })
    await sendActivity(tx, { ...toFollowers(event), activity: writeRemove(entry) })
  })
}

async function describeFeaturedTag(
  ctx: Ctx,
  { featuredTagId, accountId, name }: FeaturedTagEvent,
): Promise<CollectionEntry | null> {
  const [owner] = await findOwner(ctx.db, { accountId })
  if (!owner) return null
  return {
    actor: actorUri(ctx.config, accountId),
    // Other servers expect featured hashtags in the same collection as pinned statuses.
    target: featuredUri(ctx.config, accountId),
    object: renderFeaturedTag(ctx.config, { username: owner.username, name }),
    id: `tags/${featuredTagId}`,
  }
}

function toFollowers({ accountId }: FeaturedTagEvent) {
  return { accountId, to: { followersOf: [accountId] } }
}
