import assert from 'node:assert/strict'
import { byIds, everyPage } from './correspondent.ts'
import type { Actor, Status } from './correspondent.ts'

/** What was acknowledged of a post, and so must be true of it on both servers in the end. */
export interface Post {
  author: Actor
  id: string
  uri: string
  text: string
  visibility: string
  deleted: boolean
  favourited: boolean
  boosted: boolean
}

/** @throws AssertionError that says where the servers differ from what they acknowledged */
export async function agree(posts: Post[], { alice, bob }: { alice: Actor; bob: Actor }): Promise<void> {
  for (const [author, reader] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const mine = posts.filter((one) => one.author === author)
    const alive = mine.filter(({ deleted }) => !deleted)
    const copies = (await everyPage(reader, `/api/v1/accounts/${reader.otherId}/statuses`)).filter(
      ({ reblog }) => !reblog,
    )
    assert.deepEqual(
      copies.map(({ uri }) => uri).toSorted(),
      alive.map(({ uri }) => uri).toSorted(),
      `copies of ${author.name}'s posts`,
    )
    const home = await everyPage(reader, '/api/v1/timelines/home')
    assert.equal(new Set(home.map(({ id }) => id)).size, home.length, 'the home timeline has something twice')
    const originals = await byIds(
      author,
      alive.map(({ id }) => id),
    )
    for (const one of alive) {
      const [original, copy] = [originals, copies].map((list) => list.find(({ uri }) => uri === one.uri))
      const expected = { text: true, favourites: one.favourited ? 1 : 0, boosts: one.boosted ? 1 : 0 }
      const tell = (status: Status | undefined) => ({
        text: status?.content.includes(one.text),
        favourites: status?.favourites_count,
        boosts: status?.reblogs_count,
      })
      assert.deepEqual(tell(original), expected, `${one.uri} on its own server`)
      assert.deepEqual(tell(copy), expected, `${one.uri} on the other server`)
      assert.deepEqual([copy?.favourited, copy?.reblogged], [one.favourited, one.boosted])
      assert.ok(
        home.some(({ uri }) => uri === one.uri),
        `${one.uri} is missing in the home timeline of ${reader.name}`,
      )
    }
    await agreeOnNotifications(author, alive)
  }
}

async function agreeOnNotifications(author: Actor, alive: Post[]): Promise<void> {
  for (const [type, done] of [
    ['favourite', (one: Post) => one.favourited],
    ['reblog', (one: Post) => one.boosted],
  ] as const) {
    const told = (await everyPage(author, `/api/v1/notifications?types[]=${type}`)) as unknown as { status: Status }[]
    const expected = alive.filter(done).map(({ id }) => id)
    assert.deepEqual(
      told.map(({ status }) => status.id).toSorted(),
      expected.toSorted(),
      `${type} notifications of ${author.name}`,
    )
  }
}
