import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { visibleTo } from '../access/visibility.ts'

interface PollRow {
  id: string
  /** Whether its status is local. */
  local: boolean
}

const find = statement<{ params: { id: string; viewerId: string | null }; row: PollRow }>(
  `select p.id, s.local from polls p join statuses s on s.id = p.status_id where p.id = $id
    and ${visibleTo('$viewerId')}`,
)

/**
 * Returns the poll if the viewer may see its status.
 * @throws NotFoundError, identical for a hidden poll and for an unknown id
 */
export async function findVisiblePoll(
  read: Pick<Read, 'db'>,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<PollRow> {
  const [poll] = await find(read.db, { id, viewerId })
  if (!poll) throw new NotFoundError()
  return poll
}
