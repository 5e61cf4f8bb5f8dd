import type { Ctx } from '../../domain/context.ts'
import type { Events } from '../../domain/events.ts'
import { statement } from '../../platform/db/statement.ts'
import { instanceActorUri } from '../objects/uris.ts'
import { sendActivity } from './send-activity.ts'
import { toJson } from '../../lib/json/json.ts'
import { BASE_CONTEXT } from '../wire/context.ts'
import type { Activity } from '../objects/write/write-activities.ts'

interface ForwardedReport {
  uri: string
  comment: string
  target: string
  statuses: string[]
  collections: string[]
}

const find = statement<{ params: { reportId: string }; row: ForwardedReport; notNull: 'uri' }>(
  `select r.uri, r.comment, t.uri as target,
     array(select s.uri from statuses s where s.id = any(r.status_ids) and s.deleted_at is null order by s.id)
       as statuses,
     array(select c.uri from collections c where c.id = any(r.collection_ids) and c.uri is not null order by c.id)
       as collections
   from reports r join accounts t on t.id = r.target_account_id
   where r.id = $reportId and r.uri is not null and t.domain is not null`,
)

// The reported account and the accounts that the reported statuses reply to; one account per shared inbox.
const findRecipients = statement<{ params: { reportId: string; forwardTo: readonly string[] }; row: { id: string } }>(
  `select distinct on (coalesce(a.shared_inbox_url, a.inbox_url)) a.id
   from reports r join accounts a on a.id = r.target_account_id or a.id = any(array(
     select s.in_reply_to_account_id from statuses s where s.id = any(r.status_ids)))
   where r.id = $reportId and a.domain = any($forwardTo::text[])
   order by coalesce(a.shared_inbox_url, a.inbox_url), a.id <> r.target_account_id, a.id`,
)

/** Effect: forwards a local report to remote servers, signed by the instance actor. */
export async function deliverFlag(ctx: Ctx, { reportId, forwardTo }: Events['report.created']): Promise<void> {
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
      toPersonalInboxes: true,
    })
  })
}

/**
 * Returns a report. `actor` is the instance actor, so that remote servers do not learn the reporter. `objects`: the
 * reported account, then its reported statuses and collections. `content`: the comment as plain text.
 */
function writeFlag({ uri, actor, objects, content }: Flag): Activity {
  const flag = { id: uri, type: 'Flag', actor, content, object: objects }
  return { uri, context: BASE_CONTEXT, json: toJson(flag) }
}

interface Flag {
  uri: string
  actor: string
  objects: readonly string[]
  content: string
}
