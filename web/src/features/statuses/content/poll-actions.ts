import { api } from '../../../lib/session.ts'
import type { Poll } from '../../../lib/api/entities.ts'
import { statusStore } from '../status-store.ts'

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
  savePoll(statusId, (await api().v1.polls.$select(pollId).votes.create({ choices })) as unknown as Poll)
}

/** Loads the current results of the poll of a status. */
export async function refreshPoll({ statusId, pollId }: { statusId: string; pollId: string }): Promise<void> {
  savePoll(statusId, (await api().v1.polls.$select(pollId).fetch()) as unknown as Poll)
}

function savePoll(statusId: string, poll: Poll): void {
  statusStore.patch(statusId, (status) => ({ ...status, poll }))
}
