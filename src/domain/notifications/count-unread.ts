import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { readMarkers } from '../markers.ts'
import { choiceAt, choiceValues, isChosen, isShown } from './shown.ts'
import type { NotificationChoice } from './shown.ts'

const count = statement<{ count: number }>(
  `select count(*)::int as count from (
     select from notifications n where ${isShown('n')} and n.id > $2 and ${isChosen('n', choiceAt(4))} order by n.id desc limit $3) n`,
)

/** How many notifications, up to a limit, came after the point to which somebody has read. */
export async function countUnread(
  read: Read,
  { accountId, limit, ...choice }: { accountId: string; limit: number } & NotificationChoice,
): Promise<number> {
  const sinceId = await findLastRead(read, { accountId })
  const [row] = await count(read.db, [accountId, sinceId, limit, ...choiceValues(choice)])
  return row!.count
}

/** The notification to which somebody has read; 0 = none. */
export async function findLastRead(read: Read, { accountId }: { accountId: string }): Promise<string> {
  const [marker] = await readMarkers(read, { accountId, timelines: ['notifications'] })
  return marker?.last_read_id ?? '0'
}
