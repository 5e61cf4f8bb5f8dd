import type { Ctx } from '../../domain/context.ts'
import type { Events } from '../../domain/events.ts'
import { statement } from '../../platform/db/statement.ts'
import { instanceActorUri } from '../objects/uris.ts'
import { writeFlag } from '../objects/write-flag.ts'
import { sendActivity } from './send.ts'

interface Forwarded {
  uri: string
  comment: string
  target: string
  statuses: string[]
  collections: string[]
}

const find = statement<{ params: { reportId: string }; row: Forwarded; notNull: 'uri' }>(
  `select r.uri, r.comment, t.uri as target,
     array(select s.uri from statuses s where s.id = any(r.status_ids) and s.deleted_at is null order by s.id) as statuses,
     array(select c.uri from collections c where c.id = any(r.collection_ids) and c.uri is not null order by c.id)
       as collections
   from reports r join accounts t on t.id = r.target_account_id
   where r.id = $reportId and r.uri is not null and t.domain is not null`,
)

// The reported account and the accounts that the reported posts reply to; one of those that share an inbox.
const findRecipients = statement<{ params: { reportId: string; forwardTo: readonly string[] }; row: { id: string } }>(
  `select distinct on (coalesce(a.shared_inbox_url, a.inbox_url)) a.id
   from reports r join accounts a on a.id = r.target_account_id or a.id = any(array(
     select s.in_reply_to_account_id from statuses s where s.id = any(r.status_ids)))
   where r.id = $reportId and a.domain = any($forwardTo::text[])
   order by coalesce(a.shared_inbox_url, a.inbox_url), a.id <> r.target_account_id, a.id`,
)

/** Effect: tells other servers of a report that was made here, in the name of this server. */
export async function deliverFlag(ctx: Ctx, { reportId, forwardTo }: Events['report.made']): Promise<void> {
  if (forwardTo.length === 0) return
  await ctx.write(async (tx) => {
    const [report] = await find(tx.db, { reportId })
    if (!report) return
    const recipients = await findRecipients(tx.db, { reportId, forwardTo })
    const { uri, comment: content, target, statuses, collections } = report
    const actor = instanceActorUri(tx.config)
    await sendActivity(tx, {
      activity: writeFlag({ uri, actor, content, objects: [target, ...statuses, ...collections] }),
      accountId: null,
      to: { accountIds: recipients.map(({ id }) => id) },
      personally: true,
    })
  })
}
