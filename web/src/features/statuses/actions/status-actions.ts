import { inOrder } from '../../../lib/api/in-order.ts'
import { retryOnUnauthorized } from '../../../lib/api/renew-on-unauthorized.ts'
import { api } from '../../../lib/session.ts'
import { enqueue, findQueued, isOffline, useQueued } from '../../../lib/store/action-queue.ts'
import type { Status } from '../../../lib/api/entities.ts'
import { saveStatus, statusStore } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'

/** An action that a button of a status toggles. */
export type ToggledAction = 'favourite' | 'reblog' | 'bookmark'

const CHANGES: Record<ToggledAction, (status: StoredStatus, on: boolean) => StoredStatus> = {
  favourite: (status, on) => ({
    ...status,
    favourited: on,
    favouritesCount: Math.max(0, status.favouritesCount + (on ? 1 : -1)),
  }),
  reblog: (status, on) => ({
    ...status,
    reblogged: on,
    reblogsCount: Math.max(0, status.reblogsCount + (on ? 1 : -1)),
  }),
  bookmark: (status, on) => ({ ...status, bookmarked: on }),
}

/** Returns whether an action is on for a status. */
function isOn(action: ToggledAction, status: StoredStatus): boolean {
  return { favourite: status.favourited, reblog: status.reblogged, bookmark: status.bookmarked }[action] ?? false
}

/** Returns a status as it is after an action was turned on or off. */
function withToggled(action: ToggledAction, status: StoredStatus, on: boolean): StoredStatus {
  return isOn(action, status) === on ? status : CHANGES[action](status, on)
}

/** Returns whether an action is on for a status, and whether it waits for a network, with the status as it shows then. */
export function useToggled(action: ToggledAction, status: StoredStatus) {
  const queued = useQueued(action, status.id)
  const shown = queued ? withToggled(action, status, queued.on) : status
  return { shown, on: isOn(action, shown), isQueued: queued !== undefined }
}

/**
 * Turns an action on or off. All copies of the status change at once, and change back if the server refuses. Without a
 * network, the action is stored and waits for one.
 * @throws the error of the request
 */
export async function toggle(action: ToggledAction, { id, on }: { id: string; on: boolean }): Promise<void> {
  const store = () => enqueue({ type: action, id, on })
  // An action that waits would undo this one.
  if (isOffline() || findQueued(action, id)) return store()
  try {
    await sendToggle(action, { id, on })
  } catch (error) {
    if (!isOffline()) throw error
    await store()
  }
}

/** Turns an action on or off at the server, and saves the status of the response. @throws the error of the request */
export async function sendToggle(action: ToggledAction, { id, on }: { id: string; on: boolean }): Promise<void> {
  const change = (status: StoredStatus) => withToggled(action, status, on)
  await statusStore.act(id, change, async () => {
    const result = (await inOrder(`${action} ${id}`, () =>
      retryOnUnauthorized(() => send(action, { id, on })),
    )) as unknown as Status
    // The response to a reblog is the new status that reblogs this one.
    saveStatus(result.reblog ?? result)
  })
}

function send(action: ToggledAction, { id, on }: { id: string; on: boolean }) {
  const status = api().v1.statuses.$select(id)
  switch (action) {
    case 'favourite':
      return on ? status.favourite() : status.unfavourite()
    case 'reblog':
      return on ? status.reblog({}) : status.unreblog()
    case 'bookmark':
      return on ? status.bookmark() : status.unbookmark()
  }
}
