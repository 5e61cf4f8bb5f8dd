import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { isOver } from './over.ts'

const find = statement<{ params: { announcementId: string; now: Date } }>(
  `select from announcements a where a.id = $announcementId and not ${isOver('$now')} for key share`,
)
const dismiss = statement<{ params: { accountId: string; announcementId: string } }>(
  `insert into announcement_dismissals (account_id, announcement_id) values ($accountId, $announcementId)
    on conflict do nothing`,
)

/** Notes that somebody has read an announcement. Twice is once. @throws NotFound also for one that is over */
export async function dismissAnnouncement(
  tx: Tx,
  { accountId, announcementId }: { accountId: string; announcementId: string },
): Promise<void> {
  if ((await find(tx.db, { announcementId, now: tx.now })).length === 0) throw new NotFound()
  await dismiss(tx.db, { accountId, announcementId })
}
