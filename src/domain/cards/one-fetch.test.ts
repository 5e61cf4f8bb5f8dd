// Slow: sends many requests to hostile sites.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openCards } from '../../../test/cards.ts'
import { openFediverse } from '../../../test/fediverse.ts'
import { hasten } from '../../../test/hasten.ts'
import type { Status } from '../../entities/status.ts'

const fediverse = await openFediverse({ hosts: ['site.test', 'remote.test'] })
after(fediverse.close)
const { world, peer } = fediverse
const { serveAt, asked } = openCards({ world, peer, host: 'site.test' })

const PATH = '/everywhere'
const URL_OF_ALL = `https://site.test${PATH}`
const HERE = 510
const ELSEWHERE = 490
/** So many are posted while the page has been asked for and does not answer. */
const WHILE_SILENT = 30
/** Requests at once, and what one person may ask for in five minutes, with some left. */
const AT_ONCE = 15
const EACH = 170

async function inParallel<T>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  for (let at = 0; at < works.length; at += AT_ONCE) {
    results.push(...(await Promise.all(works.slice(at, at + AT_ONCE).map((work) => work()))))
  }
  return results
}

/** The same page, with or without a place on it. */
const linkOf = (n: number) => (n % 3 === 0 ? `${URL_OF_ALL}#${n}` : URL_OF_ALL)

test('F19 FE13 of a thousand posts of one link, from here and from elsewhere, one asks for the page, and no post waits for it', async () => {
  const people = await Promise.all(Array.from({ length: HERE / EACH }, () => world.createPerson()))
  const carol = await peer.host('remote.test').createActor('carol')
  await fediverse.befriend(people[0]!, carol)
  const asking = Promise.withResolvers<void>()
  const silence = Promise.withResolvers<void>()
  serveAt(URL_OF_ALL, async () => {
    asking.resolve()
    await silence.promise
    const body = '<!doctype html><title>Everywhere</title>'
    return { status: 200, headers: { 'content-type': 'text/html' }, body }
  })

  const postOne = (n: number) => async () => {
    const { client } = people[n % people.length]!
    const { status, body } = await client.post<Status>('/api/v1/statuses', { status: `${n} ${linkOf(n)}` })
    assert.equal(status, 200, JSON.stringify(body))
    return body.id
  }
  const sendOne = (n: number) => async () => {
    const note = carol.note({ content: `<p>${n} <a href="${linkOf(n)}">it</a></p>` })
    await fediverse.answerTo(carol.send(carol.activity('Create', note, { to: note['to'], cc: note['cc'] })))
  }
  const first = await postOne(0)()
  await asking.promise
  const early = await inParallel(Array.from({ length: WHILE_SILENT }, (_none, n) => postOne(n + 1)))
  await inParallel(Array.from({ length: WHILE_SILENT }, (_none, n) => sendOne(n)))
  for (const id of [first, ...early]) {
    const { status, body } = await world.anonymous.get<Status>(`/api/v1/statuses/${id}`)
    assert.deepEqual([status, body.card], [200, null])
  }
  assert.equal(asked(URL_OF_ALL), 1)
  silence.resolve()

  const later = Array.from({ length: HERE - 1 - WHILE_SILENT }, (_none, n) => postOne(n + 1 + WHILE_SILENT))
  const sent = Array.from({ length: ELSEWHERE - WHILE_SILENT }, (_none, n) => sendOne(n + WHILE_SILENT))
  await inParallel<unknown>([...later, ...sent])
  await world.settle()
  // Whatever was put off to spread the questions of many servers.
  await hasten(world.ctx, 'fetchCard')
  await world.settle()
  assert.equal(asked(URL_OF_ALL), 1)

  const { rows } = await sql<{ here: boolean; n: number }>`
    select s.uri like 'https://linnet.test/%' as here, count(*)::int as n
    from statuses s join status_links sl on sl.status_id = s.id join preview_cards c on c.id = sl.card_id
    where c.title = 'Everywhere' group by here order by here`.execute(world.ctx.db)
  assert.deepEqual(rows, [
    { here: false, n: ELSEWHERE },
    { here: true, n: HERE },
  ])
  const { rows: one } = await sql<{ n: number }>`select count(*)::int as n from preview_cards`.execute(world.ctx.db)
  assert.equal(one[0]!.n, 1)
  for (const id of [first, ...early]) {
    assert.equal((await world.anonymous.get<Status>(`/api/v1/statuses/${id}`)).body.card?.title, 'Everywhere')
  }
})
