import assert from 'node:assert/strict'
import type { mastodon } from 'masto'
import type { Resident } from './pair.ts'
import { until } from './until.ts'

type Status = mastodon.v1.Status

/** Finds a person of the other server by their handle. */
export async function find(who: Resident, handle: string): Promise<mastodon.v1.Account> {
  const { accounts } = await who.api.v2.search.list({ q: handle, resolve: true, type: 'accounts' })
  assert.equal(accounts.length, 1, `${who.name} does not find ${handle}`)
  return accounts[0]!
}

export async function home(who: Resident): Promise<Status[]> {
  return who.api.v1.timelines.home.list({ limit: 40 })
}

/** The status of this text in somebody's home timeline. */
export async function arrives(who: Resident, text: string): Promise<Status> {
  return until(`"${text}" in the home timeline of ${who.name}`, async () =>
    (await home(who)).find((status) => (status.content ?? '').includes(text)),
  )
}

export async function hears(who: Resident, text: string): Promise<void> {
  await until(`"${text}" on the stream of ${who.name}`, async () =>
    who.heard.some((event) => event.event === 'update' && (event.payload.content ?? '').includes(text)),
  )
}

export async function notices(who: Resident, type: string, from: Resident): Promise<mastodon.v1.Notification> {
  return until(`${type} from ${from.name} for ${who.name}`, async () =>
    (await who.api.v1.notifications.list({ limit: 40 })).find(
      (one) => one.type === type && one.account.username === from.name,
    ),
  )
}
