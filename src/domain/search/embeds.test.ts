import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openCardServer } from '../../../test/features/cards.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { startIndexRebuild, indexBacklog } from './index-backlog.ts'
import { indexEmbeds } from './index-embeds.ts'
import { indexStatuses } from './index-statuses.ts'

let clock: (() => Date) | null = null
const fediverse = await openFediverse({
  hosts: ['site.test', 'remote.test'],
  now: () => (clock ? clock() : new Date()),
})
after(fediverse.close)
const { testServer, peer, deliver } = fediverse
const { serve, serveAt, post, cardOf } = openCardServer({ testServer, peer, host: 'site.test' })
const alice = await testServer.createUser({ username: 'alice' })

let count = 0
const film = { type: 'video', html: '<iframe src="https://site.test/player"></iframe>', width: 480, height: 270 }
const photo = { type: 'photo', url: 'https://site.test/photo.png', width: 400, height: 300 }

/** Serves a page with this oEmbed resource, or with a title only. Returns its URL. */
function serveEmbed(oEmbed: object | null): string {
  count += 1
  const path = `/embeds/${count}`
  servePage(path, oEmbed)
  return `https://site.test${path}`
}

function servePage(path: string, oEmbed: object | null): void {
  const link = `<link rel="alternate" type="application/json+oembed" href="${path}.json">`
  serve(`<!doctype html><title>Page</title>${oEmbed ? link : ''}`, { path })
  const headers = { 'content-type': 'application/json' }
  serveAt(`https://site.test${path}.json`, {
    status: 200,
    headers,
    body: JSON.stringify({ version: '1.0', ...oEmbed }),
  })
}

async function find(q: string): Promise<string[]> {
  const { status, body } = await alice.client.get('/api/v2/search', { q, type: 'statuses' })
  assert.equal(status, 200, JSON.stringify(body))
  return body.statuses.map(({ id }: { id: string }) => id)
}

suite('a search for posts with an embed', () => {
  test('finds only posts whose card is a video or a photo', async () => {
    const video = await post(alice, `walnut ${serveEmbed(film)}`)
    const photoPost = await post(alice, `walnut ${serveEmbed(photo)}`)
    const page = await post(alice, `walnut ${serveEmbed(null)}`)
    const rich = await post(alice, `walnut ${serveEmbed({ ...film, type: 'rich' })}`)
    const plain = await post(alice, 'walnut')
    const types = await Promise.all([video, photoPost, page, rich].map(async (id) => (await cardOf(id, alice))?.type))
    assert.deepEqual(types, ['video', 'photo', 'link', 'link'])
    for (const q of ['walnut has:embed', 'walnut is:embed']) assert.deepEqual(await find(q), [photoPost, video], q)
    assert.deepEqual(await find('walnut -has:embed'), [plain, rich, page])
    assert.deepEqual(await find('walnut has:link'), [rich, page, photoPost, video])
  })

  test('finds a post immediately if the page is known, and not any more after an edit removed the link', async () => {
    const url = serveEmbed(film)
    const first = await post(alice, `hazelnut ${url}`)
    const second = await post(alice, `hazelnut too ${url}`)
    assert.deepEqual(await find('hazelnut has:embed'), [second, first])
    await alice.client.put(`/api/v1/statuses/${first}`, { status: 'hazelnut' })
    await testServer.waitForJobs()
    assert.deepEqual(await find('hazelnut has:embed'), [second])
    await alice.client.put(`/api/v1/statuses/${first}`, { status: `hazelnut ${serveEmbed(photo)}` })
    await testServer.waitForJobs()
    assert.deepEqual(await find('hazelnut has:embed'), [second, first])
  })

  test('uses the current metadata of the page, also for older posts', async () => {
    const url = serveEmbed(film)
    const { pathname } = new URL(url)
    const id = await post(alice, `cashew ${url}`)
    try {
      for (const [days, oEmbed, found] of [
        [15, null, []],
        [30, photo, [id]],
      ] as const) {
        servePage(pathname, oEmbed)
        clock = () => new Date(Date.now() + days * 86_400_000)
        await post(alice, url)
        assert.equal((await cardOf(id, alice))?.type, oEmbed?.type ?? 'link')
        assert.deepEqual(await find('cashew has:embed'), found, `after ${days} days`)
      }
    } finally {
      clock = null
    }
  })

  test('finds remote posts, and still finds them after a rebuild of the index', async () => {
    const carol = await peer.host('remote.test').createActor('carol')
    await fediverse.followEachOther(alice, carol)
    const note = carol.note({ content: `<p>pecan <a href="${serveEmbed(film)}">it</a></p>` })
    await deliver(carol, carol.activity('Create', note, { to: note['to'], cc: note['cc'] }))
    const { id } = await fediverse.getStatus(note['id'])
    await alice.client.post<Status>(`/api/v1/statuses/${id}/bookmark`)
    assert.deepEqual(await find('pecan has:embed'), [])
    await makeJobsDue(testServer.ctx, 'fetchCard')
    await testServer.waitForJobs()
    assert.deepEqual(await find('pecan has:embed'), [id])
    const before = await find('has:embed')
    await testServer.ctx.write(startIndexRebuild)
    await indexBacklog(testServer.ctx)
    assert.deepEqual(await find('has:embed'), before)
  })

  test('finds a post whose card is set while the post is being indexed', async () => {
    const id = await post(alice, `almond ${serveEmbed(film)}`)
    const { ctx } = testServer
    await sql`delete from status_search_entries where status_id = ${id}`.execute(ctx.db)
    await sql`update status_preview_links set card_id = null where status_id = ${id}`.execute(ctx.db)
    let indexing: Promise<void> = Promise.resolve()
    await ctx.db.transaction().execute(async (db) => {
      await sql`select from statuses where id = ${id} for no key update`.execute(db)
      await sql`update status_preview_links sl set card_id = l.card_id from preview_links l
        where l.id = sl.link_id and sl.status_id = ${id}`.execute(db)
      await indexEmbeds({ db }, { ids: [id] })
      indexing = indexStatuses(ctx, { ids: [id] })
      const waiting = eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(ctx.db)
        assert.equal(rows.length, 1)
      })
      await Promise.race([indexing, waiting])
    })
    await indexing
    assert.deepEqual(await find('almond has:embed'), [id])
  })
})
