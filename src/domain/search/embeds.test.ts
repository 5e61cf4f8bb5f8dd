import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openCards } from '../../../test/cards.ts'
import { openFediverse } from '../../../test/fediverse.ts'
import { hasten } from '../../../test/hasten.ts'
import type { Status } from '../../entities/status.ts'
import { eventually } from '../../../test/linnet.ts'
import { beginRebuild, indexBacklog } from './backlog.ts'
import { indexEmbeds } from './index-embeds.ts'
import { indexStatuses } from './index-statuses.ts'

let clock: (() => Date) | null = null
const fediverse = await openFediverse({
  hosts: ['site.test', 'remote.test'],
  now: () => (clock ? clock() : new Date()),
})
after(fediverse.close)
const { world, peer, deliver } = fediverse
const { serve, serveAt, post, cardOf } = openCards({ world, peer, host: 'site.test' })
const alice = await world.createPerson({ username: 'alice' })

let count = 0
const film = { type: 'video', html: '<iframe src="https://site.test/player"></iframe>', width: 480, height: 270 }
const photo = { type: 'photo', url: 'https://site.test/photo.png', width: 400, height: 300 }

/** A page that is described like this by oEmbed, or says nothing but its title. Returns its address. */
function serveEmbed(told: object | null): string {
  count += 1
  const path = `/embeds/${count}`
  describe(path, told)
  return `https://site.test${path}`
}

function describe(path: string, told: object | null): void {
  const link = `<link rel="alternate" type="application/json+oembed" href="${path}.json">`
  serve(`<!doctype html><title>Page</title>${told ? link : ''}`, { path })
  const headers = { 'content-type': 'application/json' }
  serveAt(`https://site.test${path}.json`, { status: 200, headers, body: JSON.stringify({ version: '1.0', ...told }) })
}

async function find(q: string): Promise<string[]> {
  const { status, body } = await alice.client.get('/api/v2/search', { q, type: 'statuses' })
  assert.equal(status, 200, JSON.stringify(body))
  return body.statuses.map(({ id }: { id: string }) => id)
}

suite('a search for posts with an embed', () => {
  test('finds those whose card is a video or a photo, and no others', async () => {
    const video = await post(alice, `walnut ${serveEmbed(film)}`)
    const picture = await post(alice, `walnut ${serveEmbed(photo)}`)
    const page = await post(alice, `walnut ${serveEmbed(null)}`)
    const rich = await post(alice, `walnut ${serveEmbed({ ...film, type: 'rich' })}`)
    const plain = await post(alice, 'walnut')
    const types = await Promise.all([video, picture, page, rich].map(async (id) => (await cardOf(id, alice))?.type))
    assert.deepEqual(types, ['video', 'photo', 'link', 'link'])
    for (const q of ['walnut has:embed', 'walnut is:embed']) assert.deepEqual(await find(q), [picture, video], q)
    assert.deepEqual(await find('walnut -has:embed'), [plain, rich, page])
    assert.deepEqual(await find('walnut has:link'), [rich, page, picture, video])
  })

  test('finds them at once where the page is known, and no more once they were edited', async () => {
    const url = serveEmbed(film)
    const first = await post(alice, `hazelnut ${url}`)
    const second = await post(alice, `hazelnut too ${url}`)
    assert.deepEqual(await find('hazelnut has:embed'), [second, first])
    await alice.client.put(`/api/v1/statuses/${first}`, { status: 'hazelnut' })
    await world.settle()
    assert.deepEqual(await find('hazelnut has:embed'), [second])
    await alice.client.put(`/api/v1/statuses/${first}`, { status: `hazelnut ${serveEmbed(photo)}` })
    await world.settle()
    assert.deepEqual(await find('hazelnut has:embed'), [second, first])
  })

  test('goes by what the page is now, also for posts of before', async () => {
    const url = serveEmbed(film)
    const { pathname } = new URL(url)
    const id = await post(alice, `cashew ${url}`)
    try {
      for (const [days, told, found] of [
        [15, null, []],
        [30, photo, [id]],
      ] as const) {
        describe(pathname, told)
        clock = () => new Date(Date.now() + days * 86_400_000)
        await post(alice, url)
        assert.equal((await cardOf(id, alice))?.type, told?.type ?? 'link')
        assert.deepEqual(await find('cashew has:embed'), found, `after ${days} days`)
      }
    } finally {
      clock = null
    }
  })

  test('finds what came from elsewhere, and what is entered anew', async () => {
    const carol = await peer.host('remote.test').createActor('carol')
    await fediverse.befriend(alice, carol)
    const note = carol.note({ content: `<p>pecan <a href="${serveEmbed(film)}">it</a></p>` })
    await deliver(carol, carol.activity('Create', note, { to: note['to'], cc: note['cc'] }))
    const { id } = await fediverse.getStatus(note['id'])
    await alice.client.post<Status>(`/api/v1/statuses/${id}/bookmark`)
    assert.deepEqual(await find('pecan has:embed'), [])
    await hasten(world.ctx, 'fetchCard')
    await world.settle()
    assert.deepEqual(await find('pecan has:embed'), [id])
    const before = await find('has:embed')
    await beginRebuild(world.ctx)
    await indexBacklog(world.ctx)
    assert.deepEqual(await find('has:embed'), before)
  })

  test('knows a card that comes in the moment in which the post is entered', async () => {
    const id = await post(alice, `almond ${serveEmbed(film)}`)
    const { ctx } = world
    await sql`delete from status_words where status_id = ${id}`.execute(ctx.db)
    await sql`update status_links set card_id = null where status_id = ${id}`.execute(ctx.db)
    let entered: Promise<void> = Promise.resolve()
    await ctx.db.transaction().execute(async (db) => {
      await sql`select from statuses where id = ${id} for no key update`.execute(db)
      await sql`update status_links sl set card_id = l.card_id from links l
        where l.id = sl.link_id and sl.status_id = ${id}`.execute(db)
      await indexEmbeds({ db }, { ids: [id] })
      entered = indexStatuses(ctx, { ids: [id] })
      const waits = eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(ctx.db)
        assert.equal(rows.length, 1)
      })
      await Promise.race([entered, waits])
    })
    await entered
    assert.deepEqual(await find('almond has:embed'), [id])
  })
})
