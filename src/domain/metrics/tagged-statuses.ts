import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** SQL condition: a status `s` counts as a use of its hashtags. */
export const IS_COUNTED_USE = `s.visibility = 'public' and not s.local_only and s.deleted_at is null`

/**
 * Public statuses `s` with the hashtag $tagId, from the id `first` to $endId; `withAuthors`: with their authors `a`.
 * Both tables have the bounds, because the planner does not infer those of the other one.
 */
export function taggedStatuses({
  first,
  withAuthors = false,
}: {
  first: '$fromId' | '$startId' | `greatest(${string})`
  withAuthors?: boolean
}): string {
  return `status_tags st join statuses s on s.id = st.status_id ${withAuthors ? 'join accounts a on a.id = s.account_id' : ''}
    where st.tag_id = $tagId and st.status_id >= ${first} and st.status_id < $endId and s.id >= ${first} and s.id < $endId
      and ${IS_COUNTED_USE}`
}

const findTag = statement<{ params: { id: string }; row: { id: string } }>(`select id from tags where id = $id`)

/** @throws NotFoundError for a hashtag that does not exist */
export async function requireTag(read: Read, { id }: { id: string }): Promise<void> {
  if (!isId(id) || (await findTag(read.db, { id })).length === 0) throw new NotFoundError()
}
