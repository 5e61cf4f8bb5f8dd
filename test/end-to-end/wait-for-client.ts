import assert from 'node:assert/strict'
import type { mastodon } from 'masto'
import type { ClientUser } from './server-pair.ts'
import { until } from './until.ts'

type Status = mastodon.v1.Status

/** Finds an account of the other server by its handle. */
export async function findAccount(user: ClientUser, handle: string): Promise<mastodon.v1.Account> {
  const { accounts } = await user.api.v2.search.list({ q: handle, resolve: true, type: 'accounts' })
  assert.equal(accounts.length, 1, `${user.name} does not find ${handle}`)
  return accounts[0]!
}

export async function readHome(user: ClientUser): Promise<Status[]> {
  return user.api.v1.timelines.home.list({ limit: 40 })
}

/** Waits for a status with this text in the user's home timeline, and returns it. */
export async function waitForStatus(user: ClientUser, text: string): Promise<Status> {
  return until(`"${text}" in the home timeline of ${user.name}`, async () =>
    (await readHome(user)).find((status) => (status.content ?? '').includes(text)),
  )
}

export async function waitForEvent(user: ClientUser, text: string): Promise<void> {
  await until(`"${text}" on the stream of ${user.name}`, async () =>
    user.receivedEvents.some((event) => event.event === 'update' && (event.payload.content ?? '').includes(text)),
  )
}

export async function waitForNotification(
  user: ClientUser,
  type: string,
  from: ClientUser,
): Promise<mastodon.v1.Notification> {
  return until(`${type} from ${from.name} for ${user.name}`, async () =>
    (await user.api.v1.notifications.list({ limit: 40 })).find(
      (one) => one.type === type && one.account.username === from.name,
    ),
  )
}
