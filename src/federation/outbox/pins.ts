import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri, featuredUri } from '../objects/uris.ts'
import { writeAdd, writeRemove } from '../objects/write-activities.ts'
import type { Membership } from '../objects/write-activities.ts'
import { sendActivity } from './send.ts'

interface PinNews {
  pinId: string
  accountId: string
  statusId: string
}

const findStatus = statement<{ params: { statusId: string }; row: { uri: string } }>(
  `select uri from statuses where id = $statusId and local and not local_only and deleted_at is null`,
)
const holdPin = statement<{ params: { pinId: string } }>(`select from pins where id = $pinId for key share`)

/** Effect: tells the followers elsewhere of a status that somebody put on top of their profile. */
export async function deliverPin(ctx: Ctx, news: PinNews): Promise<void> {
  const membership = await describePin(ctx, news)
  if (!membership) return
  await ctx.write(async (tx) => {
    // What was taken down by now is not sent after the news of that.
    if ((await holdPin(tx.db, { pinId: news.pinId })).length === 0) return
    await sendActivity(tx, { ...toFollowers(news), activity: writeAdd(membership) })
  })
}

/** Effect: tells them that it stands there no more. */
export async function deliverUnpin(ctx: Ctx, news: PinNews): Promise<void> {
  const membership = await describePin(ctx, news)
  if (!membership) return
  await ctx.write((tx) => sendActivity(tx, { ...toFollowers(news), activity: writeRemove(membership) }))
}

async function describePin(ctx: Ctx, { pinId, accountId, statusId }: PinNews): Promise<Membership | null> {
  const [status] = await findStatus(ctx.db, { statusId })
  if (!status) return null
  const [actor, target] = [actorUri(ctx.config, accountId), featuredUri(ctx.config, accountId)]
  return { actor, target, object: status.uri, id: `pins/${pinId}` }
}

function toFollowers({ accountId, statusId }: PinNews) {
  return { accountId, statusId, to: { followersOf: [accountId] } }
}
