import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { readMarkers } from '../markers.ts'
import { CHOICE, choiceParameters, isChosen, isShown } from './shown.ts'
import type { ChoiceParameters, NotificationChoice } from './shown.ts'

const count = statement<{
  params: { accountId: string; sinceId: string; limit: number } & ChoiceParameters
  row: { count: number }
}>(
  `select count(*)::int as count from (
     select from notifications n where ${isShown('n')} and n.id > $sinceId and ${isChosen('n', CHOICE)}
     order by n.id desc limit $limit) n`,
)

/** How many notifications, up to a limit, came after the point to which somebody has read. */
export async function countUnread(
  read: Read,
  { accountId, limit, ...choice }: { accountId: string; limit: number } & NotificationChoice,
): Promise<number> {
  const sinceId = await findLastRead(read, { accountId })
  const [row] = await count(read.db, { accountId, sinceId, limit, ...choiceParameters(choice) })
  return row!.count
}

/** The notification to which somebody has read; 0 = none. */
export async function findLastRead(read: Read, { accountId }: { accountId: string }): Promise<string> {
  const [marker] = await readMarkers(read, { accountId, timelines: ['notifications'] })
  return marker?.last_read_id ?? '0'
}
