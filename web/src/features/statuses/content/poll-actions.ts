import { api } from '../../../lib/session.ts'
import type { Poll } from '../../../lib/api/entities.ts'
import { statusStore, withVote } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'

/** Votes in the poll of a status. `choices`: zero-based indexes of its options. */
export async function vote({
  statusId,
  pollId,
  choices,
}: {
  statusId: string
  pollId: string
  choices: readonly number[]
}): Promise<void> {
  let result: Parameters<typeof withVote>[1] | undefined
  const change = (status: StoredStatus) => (result ? withVote(status, result) : status)
  await statusStore.act(statusId, change, async () => {
    const poll = (await api().v1.polls.$select(pollId).votes.create({ choices })) as unknown as Poll
    result = { poll, editedAt: statusStore.get(statusId)?.editedAt }
  })
}

/** Loads the current results of the poll of a status. */
export async function refreshPoll({ statusId, pollId }: { statusId: string; pollId: string }): Promise<void> {
  const poll = (await api().v1.polls.$select(pollId).fetch()) as unknown as Poll
  statusStore.update(statusId, (status) => ({ ...status, poll }))
}
