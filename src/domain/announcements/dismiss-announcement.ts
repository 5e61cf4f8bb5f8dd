import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { isActiveAnnouncement } from './is-active-announcement.ts'

const find = statement<{ params: { announcementId: string; now: Date } }>(
  `select from announcements a where a.id = $announcementId and ${isActiveAnnouncement('$now')} for key share`,
)
const dismiss = statement<{ params: { accountId: string; announcementId: string } }>(
  `insert into announcement_dismissals (account_id, announcement_id) values ($accountId, $announcementId)
    on conflict do nothing`,
)

/**
 * Records that a user has read an announcement; idempotent (Mastodon: POST /api/v1/announcements/:id/dismiss).
 * @throws NotFoundError, also if it has ended
 */
export async function dismissAnnouncement(
  tx: Tx,
  { accountId, announcementId }: { accountId: string; announcementId: string },
): Promise<void> {
  if ((await find(tx.db, { announcementId, now: tx.now })).length === 0) throw new NotFoundError()
  await dismiss(tx.db, { accountId, announcementId })
}
