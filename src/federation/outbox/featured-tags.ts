import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri, featuredUri } from '../objects/uris.ts'
import { writeAdd, writeRemove } from '../objects/write-activities.ts'
import type { Membership } from '../objects/write-activities.ts'
import { presentFeaturedTag } from '../objects/write-hashtag.ts'
import { sendActivity } from './send.ts'

interface FeaturedTagNews {
  featuredTagId: string
  accountId: string
  name: string
}

const findOwner = statement<{ params: { accountId: string }; row: { username: string } }>(
  `select username from accounts where id = $accountId and domain is null and suspended_at is null`,
)
const hold = statement<{ params: { featuredTagId: string } }>(
  `select from featured_tags where id = $featuredTagId for key share`,
)

/** Effect: tells the followers elsewhere of a hashtag that somebody put on their profile. */
export async function deliverFeaturedTag(ctx: Ctx, news: FeaturedTagNews): Promise<void> {
  const membership = await describe(ctx, news)
  if (!membership) return
  await ctx.write(async (tx) => {
    // What was taken down by now is not sent after the news of that.
    if ((await hold(tx.db, { featuredTagId: news.featuredTagId })).length === 0) return
    await sendActivity(tx, { ...toFollowers(news), activity: writeAdd(membership) })
  })
}

/** Effect: tells them that it stands there no more. */
export async function deliverUnfeaturedTag(ctx: Ctx, news: FeaturedTagNews): Promise<void> {
  const membership = await describe(ctx, news)
  if (!membership) return
  await ctx.write((tx) => sendActivity(tx, { ...toFollowers(news), activity: writeRemove(membership) }))
}

async function describe(ctx: Ctx, { featuredTagId, accountId, name }: FeaturedTagNews): Promise<Membership | null> {
  const [owner] = await findOwner(ctx.db, { accountId })
  if (!owner) return null
  return {
    actor: actorUri(ctx.config, accountId),
    // Others look for hashtags where the statuses are, too.
    target: featuredUri(ctx.config, accountId),
    object: presentFeaturedTag(ctx.config, { username: owner.username, name }),
    id: `tags/${featuredTagId}`,
  }
}

function toFollowers({ accountId }: FeaturedTagNews) {
  return { accountId, to: { followersOf: [accountId] } }
}
