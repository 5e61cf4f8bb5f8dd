import { EntityStore } from '../../lib/store/entity-store.ts'
import type { Status } from '../../lib/api/entities.ts'

/** A status whose reblogged and quoted statuses are entries of their own. */
export type StoredStatus = Omit<Status, 'reblog' | 'quote'> & {
  reblogId: string | null
  quote: { state: NonNullable<Status['quote']>['state']; quotedStatusId: string | null } | null
}

export const statusStore = new EntityStore<StoredStatus>()

/** Saves statuses with those that they reblog and quote. Returns their ids. */
export function saveStatuses(statuses: readonly Status[]): string[] {
  return statuses.map(saveStatus)
}

/** Saves a status with the one that it reblogs or quotes. Returns its id. */
export function saveStatus(status: Status): string {
  const { reblog, quote, ...rest } = status
  if (reblog) saveStatus(reblog)
  const quoted = quote && 'quotedStatus' in quote ? quote.quotedStatus : null
  if (quoted) saveStatus(quoted)
  const quotedStatusId = quoted?.id ?? (quote && 'quotedStatusId' in quote ? quote.quotedStatusId : null)
  const before = statusStore.get(status.id)
  statusStore.save({
    ...rest,
    // A response that was requested before the own vote may arrive after it. Only an edit of the post ends a vote.
    poll:
      before?.poll?.voted && !rest.poll?.voted && before.editedAt === rest.editedAt ? before.poll : (rest.poll ?? null),
    reblogId: reblog?.id ?? null,
    quote: quote && { state: quote.state, quotedStatusId },
  })
  return status.id
}
