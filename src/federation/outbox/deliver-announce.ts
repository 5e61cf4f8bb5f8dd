import type { Ctx } from '../../domain/context.ts'
import { timeOfStatusId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { writeAnnounce, writeUndoAnnounce } from '../objects/write/write-activities.ts'
import { writeStatusActivities } from '../objects/write/write-status-activities.ts'
import { cancelUndone } from './cancel-superseded.ts'
import { sendActivity } from './send-activity.ts'

interface ReblogEvent {
  accountId: string
  /** The id of the reblogged status. */
  statusId: string
  reblogId: string
}

interface Original {
  id: string
  uri: string
  author_id: string
  author_uri: string
  visibility: 'public' | 'unlisted' | 'private'
}

const ORIGINAL_COLUMNS = `o.id, o.uri, o.visibility, author.id as author_id, author.uri as author_uri`

const selectReblog = (lock: string) =>
  statement<{ params: { reblogId: string }; row: Original }>(
    `select ${ORIGINAL_COLUMNS} from statuses reblog
       join statuses o on o.id = reblog.reblog_of_id join accounts author on author.id = o.account_id
     where reblog.id = $reblogId and reblog.local and reblog.deleted_at is null and o.deleted_at is null
       and not o.local_only
     ${lock}`,
  )
const findReblog = selectReblog('')
// In the lock order of the original's deletion, which deletes the reblog, too.
const lockReblog = selectReblog('for key share of o, reblog')

/** Effect: sends the Announce of a reblog to the account's followers and to the author of the original. */
export async function deliverAnnounce(ctx: Ctx, { accountId, reblogId }: ReblogEvent): Promise<void> {
  if ((await findReblog(ctx.db, { reblogId })).length === 0) return
  await ctx.write(async (tx) => {
    const [original] = await lockReblog(tx.db, { reblogId })
    const activity = original && (await writeStatusActivities(tx, { ids: [reblogId], now: tx.now })).get(reblogId)
    if (!activity) return
    const to = { followersOf: [accountId], accountIds: [original.author_id] }
    await sendActivity(tx, { activity, accountId, statusId: original.id, to })
  })
}

const findOriginal = statement<{ params: { statusId: string; accountId: string }; row: Original }>(
  `select ${ORIGINAL_COLUMNS} from statuses o join accounts author on author.id = o.account_id
   where o.id = $statusId and o.deleted_at is null and not o.local_only
     and exists (select from accounts a where a.id = $accountId and a.domain is null)`,
)

/** Effect: sends the Undo of an Announce to the same recipients. */
export async function deliverUndoAnnounce(
  ctx: Ctx,
  { accountId, statusId, reblogId, uri }: ReblogEvent & { uri: string },
): Promise<void> {
  const [original] = await findOriginal(ctx.db, { statusId, accountId })
  if (!original) return
  await ctx.write(async (tx) => {
    const announce = writeAnnounce(tx.config, {
      reblog: {
        id: reblogId,
        uri,
        account_id: accountId,
        visibility: original.visibility,
        created_at: timeOfStatusId(reblogId),
        original_id: statusId,
        original_uri: original.uri,
        original_author_uri: original.author_uri,
        embedsOriginal: false,
      },
    })
    await cancelUndone(tx, { uri })
    await sendActivity(tx, {
      activity: writeUndoAnnounce({ reblogId, announce }),
      accountId,
      statusId,
      to: { followersOf: [accountId], accountIds: [original.author_id] },
    })
  })
}
