import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { isOver } from './over.ts'

const find = statement(`select from announcements a where a.id = $1 and not ${isOver('$2')} for key share`)
const dismiss = statement(
  `insert into announcement_dismissals (account_id, announcement_id) values ($1, $2) on conflict do nothing`,
)

/** Notes that somebody has read an announcement. Twice is once. @throws NotFound also for one that is over */
export async function dismissAnnouncement(
  tx: Tx,
  { accountId, announcementId }: { accountId: string; announcementId: string },
): Promise<void> {
  if ((await find(tx.db, [announcementId, tx.now])).length === 0) throw new NotFound()
  await dismiss(tx.db, [accountId, announcementId])
}
