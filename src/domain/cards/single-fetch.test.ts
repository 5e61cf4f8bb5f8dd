// Slow: sends many requests to hostile sites.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openCardServer } from '../../../test/features/cards.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import type { Status } from '../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['site.test', 'remote.test'] })
after(fediverse.close)
const { testServer, peer } = fediverse
const { serveAt, requestsFor } = openCardServer({ testServer, peer, host: 'site.test' })

const PATH = '/everywhere'
const LINKED_URL = `https://site.test${PATH}`
const LOCAL_POSTS = 510
const REMOTE_POSTS = 490
/** The number of local and of remote posts while the page is requested and does not respond. */
const POSTS_DURING_FETCH = 30
/** The number of parallel requests, and of posts per user, which is below the limit for five minutes. */
const CONCURRENCY = 15
const POSTS_PER_USER = 170

async function inParallel<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  for (let at = 0; at < tasks.length; at += CONCURRENCY) {
    results.push(...(await Promise.all(tasks.slice(at, at + CONCURRENCY).map((work) => work()))))
  }
  return results
}

/** Returns the URL of the same page, with or without a fragment. */
const linkOf = (n: number) => (n % 3 === 0 ? `${LINKED_URL}#${n}` : LINKED_URL)

test('F19 FE13 a thousand local and remote posts of one link cause one request of the page, and no post waits for it', async () => {
  const users = await Promise.all(Array.from({ length: LOCAL_POSTS / POSTS_PER_USER }, () => testServer.createUser()))
  const carol = await peer.host('remote.test').createActor('carol')
  await fediverse.followEachOther(users[0]!, carol)
  const requested = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  serveAt(LINKED_URL, async () => {
    requested.resolve()
    await released.promise
    const body = '<!doctype html><title>Everywhere</title>'
    return { status: 200, headers: { 'content-type': 'text/html' }, body }
  })

  const postLocal = (n: number) => async () => {
    const { client } = users[n % users.length]!
    const { status, body } = await client.post<Status>('/api/v1/statuses', { status: `${n} ${linkOf(n)}` })
    assert.equal(status, 200, JSON.stringify(body))
    return body.id
  }
  const sendRemote = (n: number) => async () => {
    const note = carol.note({ content: `<p>${n} <a href="${linkOf(n)}">it</a></p>` })
    await fediverse.waitForAnswer(carol.send(carol.activity('Create', note, { to: note['to'], cc: note['cc'] })))
  }
  const first = await postLocal(0)()
  await requested.promise
  const early = await inParallel(Array.from({ length: POSTS_DURING_FETCH }, (_none, n) => postLocal(n + 1)))
  await inParallel(Array.from({ length: POSTS_DURING_FETCH }, (_none, n) => sendRemote(n)))
  for (const id of [first, ...early]) {
    const { status, body } = await testServer.anonymous.get<Status>(`/api/v1/statuses/${id}`)
    assert.deepEqual([status, body.card], [200, null])
  }
  assert.equal(requestsFor(LINKED_URL), 1)
  released.resolve()

  const later = Array.from({ length: LOCAL_POSTS - 1 - POSTS_DURING_FETCH }, (_none, n) =>
    postLocal(n + 1 + POSTS_DURING_FETCH),
  )
  const sent = Array.from({ length: REMOTE_POSTS - POSTS_DURING_FETCH }, (_none, n) =>
    sendRemote(n + POSTS_DURING_FETCH),
  )
  await inParallel<unknown>([...later, ...sent])
  await testServer.waitForJobs()
  // Runs the fetches that were delayed for remote posts.
  await makeJobsDue(testServer.ctx, 'fetchCard')
  await testServer.waitForJobs()
  assert.equal(requestsFor(LINKED_URL), 1)

  const { rows } = await sql<{ local: boolean; n: number }>`
    select s.uri like 'https://linnet.test/%' as local, count(*)::int as n
    from statuses s join status_preview_links sl on sl.status_id = s.id join preview_cards c on c.id = sl.card_id
    where c.title = 'Everywhere' group by 1 order by 1`.execute(testServer.ctx.db)
  assert.deepEqual(rows, [
    { local: false, n: REMOTE_POSTS },
    { local: true, n: LOCAL_POSTS },
  ])
  const { rows: cardCount } = await sql<{ n: number }>`select count(*)::int as n from preview_cards`.execute(
    testServer.ctx.db,
  )
  assert.equal(cardCount[0]!.n, 1)
  for (const id of [first, ...early]) {
    assert.equal((await testServer.anonymous.get<Status>(`/api/v1/statuses/${id}`)).body.card?.title, 'Everywhere')
  }
})
