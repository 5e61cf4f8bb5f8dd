import { api } from '../../../lib/session.ts'
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
export function isOn(action: ToggledAction, status: StoredStatus): boolean {
  return { favourite: status.favourited, reblog: status.reblogged, bookmark: status.bookmarked }[action] ?? false
}

/**
 * Turns an action on or off. All copies of the status change at once, and change back if the server refuses.
 * @throws the error of the request
 */
export async function toggle(action: ToggledAction, { id, on }: { id: string; on: boolean }): Promise<void> {
  const undo = statusStore.patch(id, (status) => CHANGES[action](status, on))
  try {
    const result = (await send(action, { id, on })) as unknown as Status
    // The response to a reblog is the new status that reblogs this one.
    saveStatus(result.reblog ?? result)
  } catch (error) {
    undo()
    throw error
  }
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
