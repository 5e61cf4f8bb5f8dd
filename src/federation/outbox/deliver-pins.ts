import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri, featuredUri } from '../objects/uris.ts'
import { writeAdd, writeRemove } from '../objects/write/write-activities.ts'
import type { CollectionEntry } from '../objects/write/write-activities.ts'
import { cancelUndone } from './cancel-superseded.ts'
import { sendActivity } from './send-activity.ts'

interface PinEvent {
  pinId: string
  accountId: string
  statusId: string
}

const findStatus = statement<{ params: { statusId: string }; row: { uri: string } }>(
  `select uri from statuses where id = $statusId and local and not local_only and deleted_at is null`,
)
const lockPin = statement<{ params: { pinId: string } }>(`select from status_pins where id = $pinId for key share`)

/** Effect: sends the Add of a pinned status to the remote followers. */
export async function deliverPin(ctx: Ctx, event: PinEvent): Promise<void> {
  const entry = await describePin(ctx, event)
  if (!entry) return
  await ctx.write(async (tx) => {
    // If the status was unpinned in the meantime, the Add must not follow the Remove.
    if ((await lockPin(tx.db, { pinId: event.pinId })).length === 0) return
    await sendActivity(tx, { ...toFollowers(event), activity: writeAdd(entry) })
  })
}

/** Effect: sends the Remove of a pinned status to the remote followers. */
export async function deliverUnpin(ctx: Ctx, event: PinEvent): Promise<void> {
  const entry = await describePin(ctx, event)
  if (!entry) return
  await ctx.write(async (tx) => {
    await cancelUndone(tx, { uri: writeAdd(entry).uri })
    await sendActivity(tx, { ...toFollowers(event), activity: writeRemove(entry) })
  })
}

async function describePin(ctx: Ctx, { pinId, accountId, statusId }: PinEvent): Promise<CollectionEntry | null> {
  const [status] = await findStatus(ctx.db, { statusId })
  if (!status) return null
  const [actor, target] = [actorUri(ctx.config, accountId), featuredUri(ctx.config, accountId)]
  return { actor, target, object: status.uri, id: `pins/${pinId}` }
}

function toFollowers({ accountId, statusId }: PinEvent) {
  return { accountId, statusId, to: { followersOf: [accountId] } }
}
