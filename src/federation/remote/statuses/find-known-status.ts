import type { Read } from '../../../domain/context.ts'
import { visibleTo } from '../../../domain/access/visibility.ts'
import { statement } from '../../../platform/db/statement.ts'

const findLocal = statement<{ params: { uri: string }; row: { id: string } }>(
  `select id from statuses where uri = $uri and local and not local_only and deleted_at is null`,
)
const findPollOption = statement<{ params: { statusUri: string; option: string } }>(
  `select from polls p join statuses s on s.id = p.status_id
   where s.uri = $statusUri and s.local and not s.local_only and s.deleted_at is null and $option = any(p.options)`,
)
const findAny = statement<{ params: { uri: string }; row: { id: string } }>(
  `select id from statuses where uri = $uri and not local_only and deleted_at is null`,
)

const findVisible = statement<{ params: { uri: string; actorUri: string }; row: { id: string } }>(
  `select s.id from statuses s left join accounts actor on actor.uri = $actorUri
   where s.uri = $uri and not s.local_only and ${visibleTo('actor.id')}`,
)

/**
 * Returns the id of a stored status that is visible to an actor, or null. An unknown actor counts as anonymous.
 */
export async function findVisibleByActor(
  read: Pick<Read, 'db'>,
  { uri, actorUri }: { uri: string | null; actorUri: string },
): Promise<string | null> {
  const [row] = uri === null ? [] : await findVisible(read.db, { uri, actorUri })
  return row?.id ?? null
}

/** Returns the id of a stored status by its URI; null if there is none or it is local-only. */
export async function findKnownStatus(read: Pick<Read, 'db'>, uri: string | null): Promise<string | null> {
  const [row] = uri === null ? [] : await findAny(read.db, { uri })
  return row?.id ?? null
}

/** Returns the id of a local status by its URI; null if there is none or it is local-only. */
export async function findLocalStatus(read: Pick<Read, 'db'>, uri: string | null): Promise<string | null> {
  const [row] = uri === null ? [] : await findLocal(read.db, { uri })
  return row?.id ?? null
}

/** Returns whether a local status, named by its URI, has a poll with this option. */
export async function hasLocalPollOption(
  read: Pick<Read, 'db'>,
  input: { statusUri: string; option: string },
): Promise<boolean> {
  return (await findPollOption(read.db, input)).length > 0
}
