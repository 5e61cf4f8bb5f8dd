import { requestNumberOf } from '../../lib/api/request-numbers.ts'
import { EntityStore } from '../../lib/store/entity-store.ts'
import type { Poll, Status } from '../../lib/api/entities.ts'

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
  const received: StoredStatus = {
    ...rest,
    poll: rest.poll ?? null,
    reblogId: reblog?.id ?? null,
    quote: quote && { state: quote.state, quotedStatusId },
  }
  if (isForAll(status) && statusStore.get(status.id)) statusStore.update(status.id, (before) => merge(before, received))
  else statusStore.save(received, requestNumberOf(status))
  return status.id
}

/** Returns a status with the own vote, `poll`, unless it has one already, or the post was edited since `editedAt`. */
export function withVote(
  status: StoredStatus,
  { poll, editedAt }: { poll: Poll; editedAt: string | null | undefined },
): StoredStatus {
  return status.poll?.voted || status.editedAt !== editedAt ? status : { ...status, poll }
}

/** Returns whether a status lacks what differs between users, as in the public streams. */
function isForAll({ favourited }: Status): boolean {
  return favourited === undefined
}

/** Returns a status for all users with what `before` contains for the user. */
function merge(before: StoredStatus, status: StoredStatus): StoredStatus {
  const merged = { ...before, ...status }
  return before.poll?.voted ? withVote(merged, { poll: before.poll, editedAt: before.editedAt }) : merged
}
