import type { Ctx } from '../../domain/context.ts'
import { timeOfStatusId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { writeAnnounce, writeUndoAnnounce } from '../objects/write-activities.ts'
import { writeStatusActivities } from '../objects/write-status-activities.ts'
import { sendActivity } from './send.ts'

interface BoostNews {
  accountId: string
  /** Of what was boosted. */
  statusId: string
  boostId: string
}

interface Original {
  id: string
  uri: string
  author_id: string
  author_uri: string
  visibility: 'public' | 'unlisted' | 'private'
}

const original = `o.id, o.uri, o.visibility, author.id as author_id, author.uri as author_uri`

const selectBoost = (lock: string) =>
  statement<{ params: { boostId: string }; row: Original }>(
    `select ${original} from statuses boost
       join statuses o on o.id = boost.reblog_of_id join accounts author on author.id = o.account_id
     where boost.id = $boostId and boost.local and boost.deleted_at is null and o.deleted_at is null
       and not o.local_only
     ${lock}`,
  )
const findBoost = selectBoost('')
// In the order of the original's deletion, which takes the boost along.
const holdBoost = selectBoost('for key share of o, boost')

/** Effect: tells the followers of somebody here, and the author, of a boost. */
export async function deliverAnnounce(ctx: Ctx, { accountId, boostId }: BoostNews): Promise<void> {
  if ((await findBoost(ctx.db, { boostId })).length === 0) return
  await ctx.write(async (tx) => {
    const [boosted] = await holdBoost(tx.db, { boostId })
    const activity = boosted && (await writeStatusActivities(tx, { ids: [boostId], now: tx.now })).get(boostId)
    if (!activity) return
    const to = { followersOf: [accountId], accountIds: [boosted.author_id] }
    await sendActivity(tx, { activity, accountId, statusId: boosted.id, to })
  })
}

const findOriginal = statement<{ params: { statusId: string; accountId: string }; row: Original }>(
  `select ${original} from statuses o join accounts author on author.id = o.account_id
   where o.id = $statusId and o.deleted_at is null and not o.local_only
     and exists (select from accounts who where who.id = $accountId and who.domain is null)`,
)

/** Effect: tells the same people that a boost was taken back. */
export async function deliverUndoAnnounce(
  ctx: Ctx,
  { accountId, statusId, boostId, uri }: BoostNews & { uri: string },
): Promise<void> {
  const [boosted] = await findOriginal(ctx.db, { statusId, accountId })
  if (!boosted) return
  await ctx.write(async (tx) => {
    const announce = writeAnnounce(tx.config, {
      boost: {
        id: boostId,
        uri,
        account_id: accountId,
        visibility: boosted.visibility,
        created_at: timeOfStatusId(boostId),
        original_id: statusId,
        original_uri: boosted.uri,
        original_author_uri: boosted.author_uri,
        embeds: false,
      },
    })
    await sendActivity(tx, {
      activity: writeUndoAnnounce({ boostId, announce }),
      accountId,
      statusId,
      to: { followersOf: [accountId], accountIds: [boosted.author_id] },
    })
  })
}
