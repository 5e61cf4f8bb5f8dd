import assert from 'node:assert/strict'
import { byIds, readAllPages } from './retrying-user.ts'
import type { RetryingUser, Status } from './retrying-user.ts'

/** The acknowledged state of a post, which both servers must have at the end. */
export interface AcknowledgedPost {
  author: RetryingUser
  id: string
  uri: string
  text: string
  visibility: string
  deleted: boolean
  favourited: boolean
  reblogged: boolean
}

/** @throws AssertionError that names the difference between a server and what it acknowledged */
export async function checkAgreement(
  posts: AcknowledgedPost[],
  { alice, bob }: { alice: RetryingUser; bob: RetryingUser },
): Promise<void> {
  for (const [author, reader] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const ownPosts = posts.filter((one) => one.author === author)
    const alive = ownPosts.filter(({ deleted }) => !deleted)
    const copies = (await readAllPages(reader, `/api/v1/accounts/${reader.otherId}/statuses`)).filter(
      ({ reblog }) => !reblog,
    )
    assert.deepEqual(
      copies.map(({ uri }) => uri).toSorted(),
      alive.map(({ uri }) => uri).toSorted(),
      `copies of ${author.name}'s posts`,
    )
    const home = await readAllPages(reader, '/api/v1/timelines/home')
    assert.equal(new Set(home.map(({ id }) => id)).size, home.length, 'the home timeline contains duplicates')
    const originals = await byIds(
      author,
      alive.map(({ id }) => id),
    )
    for (const one of alive) {
      const [original, copy] = [originals, copies].map((list) => list.find(({ uri }) => uri === one.uri))
      const expected = { text: true, favourites: one.favourited ? 1 : 0, reblogs: one.reblogged ? 1 : 0 }
      const describeStatus = (status: Status | undefined) => ({
        text: status?.content.includes(one.text),
        favourites: status?.favourites_count,
        reblogs: status?.reblogs_count,
      })
      assert.deepEqual(describeStatus(original), expected, `${one.uri} on its own server`)
      assert.deepEqual(describeStatus(copy), expected, `${one.uri} on the other server`)
      assert.deepEqual([copy?.favourited, copy?.reblogged], [one.favourited, one.reblogged])
      assert.ok(
        home.some(({ uri }) => uri === one.uri),
        `${one.uri} is missing in the home timeline of ${reader.name}`,
      )
    }
    await checkNotifications(author, alive)
  }
}

async function checkNotifications(author: RetryingUser, alive: AcknowledgedPost[]): Promise<void> {
  for (const [type, done] of [
    ['favourite', (one: AcknowledgedPost) => one.favourited],
    ['reblog', (one: AcknowledgedPost) => one.reblogged],
  ] as const) {
    const notified = (await readAllPages(author, `/api/v1/notifications?types[]=${type}`)) as unknown as {
      status: Status
    }[]
    const expected = alive.filter(done).map(({ id }) => id)
    assert.deepEqual(
      notified.map(({ status }) => status.id).toSorted(),
      expected.toSorted(),
      `${type} notifications of ${author.name}`,
    )
  }
}
