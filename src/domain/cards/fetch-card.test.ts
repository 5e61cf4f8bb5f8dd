import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openCardServer, imageResponse } from '../../../test/features/cards.ts'
import { multipart } from '../../../test/http/client.ts'
import { blockDomainAsStaff } from '../../../test/features/moderation.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { Status } from '../../entities/statuses/status.ts'

let clock: (() => Date) | null = null
const fediverse = await openFediverse({
  hosts: ['site.test', 'cdn.test', 'blocked.test', 'linnet.test', 'remote.test'],
  now: () => clock?.() ?? new Date(),
})
after(fediverse.close)
const { testServer, peer, deliver } = fediverse
const cardServer = openCardServer({ testServer, peer, host: 'site.test' })
const { serve, serveAt, requestsFor, post, show, cardOf, cardFor } = cardServer
const { db } = testServer.ctx
const alice = await testServer.createUser({ username: 'alice' })
const bob = await testServer.createUser({ username: 'bob' })

const page = (title: string, head = '') => `<!doctype html><html lang="en"><title>${title}</title>${head}`
const og = (record: Record<string, string>) =>
  Object.entries(record)
    .map(([name, content]) => `<meta property="og:${name}" content="${content}">`)
    .join('')

suite('a preview card', () => {
  test('shows the metadata of the page: title, description, site, image, language', async () => {
    serveAt('https://cdn.test/wide.png', await imageResponse({ width: 1600, height: 900 }))
    const url = serve(
      page(
        'plain',
        og({
          title: 'An &amp; other &lt;b&gt;',
          description: 'What it\n is   about',
          site_name: 'The Site',
          image: 'https://cdn.test/wide.png',
          'image:alt': 'a blue field',
          url: '/canonical',
        }) + '<meta property="article:published_time" content="2026-01-03T10:00:00+01:00">',
      ),
    )
    const id = await post(alice, `Look at ${url}#here, and https://cdn.test/never`)
    const card = (await cardOf(id))!
    const { image, blurhash, ...rest } = card
    assert.deepEqual(rest, {
      url: `${url}#here`,
      title: 'An & other <b>',
      description: 'What it is about',
      language: 'en',
      type: 'link',
      authors: [],
      author_name: '',
      author_url: '',
      provider_name: 'The Site',
      provider_url: '',
      html: '',
      width: 640,
      height: 360,
      image_description: 'a blue field',
      embed_url: '',
      published_at: '2026-01-03T09:00:00.000Z',
    })
    assert.match(image!, /^https:\/\/linnet\.test\/system\/cards\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/)
    assert.ok(blurhash)
    assertEntity('Status', await show(id, bob))
    const file = await testServer.server.inject({ url: new URL(image!).pathname })
    assert.deepEqual([file.statusCode, file.headers['content-type']], [200, 'image/png'])
    assert.equal(requestsFor('https://cdn.test/never'), 0)
    for (const user of [undefined, alice]) {
      const [shown] = (await (user?.client ?? testServer.anonymous).get(`/api/v1/accounts/${alice.accountId}/statuses`))
        .body
      assert.equal(shown.card.title, 'An & other <b>')
      assert.equal(shown.card.missing_attribution, user && false)
    }
  })

  test('uses the JSON-LD data of the page where its tags are missing', async () => {
    serveAt('https://cdn.test/data.png', await imageResponse({ width: 900, height: 300 }))
    const data = {
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: 'By its data',
      description: 'What happened',
      inLanguage: 'de',
      author: { '@type': 'Person', name: 'Ann', url: 'https://site.test/ann' },
      publisher: { '@type': 'Organization', name: 'The Paper' },
      datePublished: '2026-02-03T04:05:06Z',
      image: ['https://cdn.test/data.png'],
    }
    const json = JSON.stringify({ '@graph': [{ '@type': 'WebSite', name: 'no' }, data] })
    const url = serve(page('Tag', `<script type="application/ld+json">${json}</script>`))
    const card = (await cardFor(alice, url))!
    const { title, description, provider_name, published_at, width, height, authors } = card
    assert.deepEqual(
      [title, description, provider_name, published_at, width, height],
      ['By its data', 'What happened', 'The Paper', '2026-02-03T04:05:06.000Z', 831, 277],
    )
    assert.deepEqual(authors, [{ name: 'Ann', url: 'https://site.test/ann', account: null }])
  })

  test('is shown with every visibility and with a content warning; of a reblog, only in the original', async () => {
    const url = serve(page('For some'))
    for (const visibility of ['unlisted', 'private', 'direct']) {
      assert.equal((await cardOf(await post(alice, url, { visibility }), alice))?.title, 'For some')
    }
    const id = await post(alice, url, { spoiler_text: 'careful' })
    const { body: reblog } = await bob.client.post<Status>(`/api/v1/statuses/${id}/reblog`)
    assert.deepEqual([reblog.card, reblog.reblog?.card?.title], [null, 'For some'])
    assert.equal(requestsFor(url), 1)
  })

  test('is not shown for mentions, hashtags and links to this server, and not with media or a quote', async () => {
    const url = serve(page('Not shown'))
    const own = serve(page('Ours'), { host: 'linnet.test', path: '/ours' })
    const quoted = await post(alice, 'words')
    const { body: bytes } = await imageResponse({ width: 8, height: 8 })
    const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: bytes as Buffer } })
    const { body: media } = await alice.client.post('/api/v2/media', form.payload, form.headers)
    const ids = [
      await post(alice, `@bob #tag ${own} https://linnet.test/@bob xmpp:a@site.test`),
      await post(alice, `https://user:secret@site.test/x`),
      await post(alice, url, { quoted_status_id: quoted }),
      await post(alice, url, { media_ids: [media.id] }),
    ]
    for (const id of ids) assert.equal(await cardOf(id), null)
    assert.deepEqual([requestsFor(url), requestsFor(own)], [0, 0])
    assert.equal((await cardOf(await post(alice, `${own} ${url}`)))?.title, 'Not shown')
  })

  test('FE13 is fetched once for a thousand statuses with one link, and all show it', async () => {
    const url = serve(page('Everywhere'))
    await sql`insert into statuses (account_id, uri, url, visibility, text)
      select ${alice.accountId}, 'https://linnet.test/many/' || n, 'https://linnet.test/many/' || n, 'public', 'x'
      from generate_series(1, 990) n`.execute(db)
    await sql`insert into preview_links (url, due_at) values (${url}, now())`.execute(db)
    await sql`insert into status_preview_links (status_id, link_id, url) select s.id, l.id, l.url
      from statuses s, preview_links l where s.uri like 'https://linnet.test/many/%' and l.url = ${url}`.execute(db)
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_none, n) =>
        (n % 2 ? alice : bob).client.post<Status>('/api/v1/statuses', { status: `${n} ${url}` }),
      ),
    )
    await testServer.waitForJobs()
    assert.equal(requestsFor(url), 1)
    for (const { body } of responses) assert.equal((await cardOf(body.id))?.title, 'Everywhere')
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from status_preview_links sl join statuses s
      on s.id = sl.status_id join preview_cards c on c.id = sl.card_id
      where c.title = 'Everywhere'`.execute(db)
    assert.equal(rows[0]!.n, 1000)
  })

  test('changes with an edit, immediately if the new link is known, or disappears', async () => {
    const [first, second] = [serve(page('First')), serve(page('Second'))]
    const id = await post(alice, first)
    await post(bob, second)
    const edit = async (status: string) => {
      const { body } = await alice.client.put<Status>(`/api/v1/statuses/${id}`, { status })
      return body.card?.title ?? null
    }
    assert.equal(await edit(`now ${second}`), 'Second')
    assert.equal(await edit('nothing'), null)
    const third = serve(page('Third'))
    assert.equal(await edit(third), null)
    await testServer.waitForJobs()
    assert.equal((await cardOf(id))?.title, 'Third')
    assert.equal(await edit(`${third} and words`), 'Third')
    assert.deepEqual([requestsFor(first), requestsFor(second), requestsFor(third)], [1, 1, 1])
  })

  test('is fetched within a minute for a remote status and its edits, ignoring links to accounts', async () => {
    const carol = await peer.host('remote.test').createActor('carol')
    const dan = await peer.host('remote.test').createActor('dan')
    await fediverse.followEachOther(alice, carol)
    const [url, other] = [serve(page('From afar')), serve(page('Another'))]
    const content = `<p><a href="https://site.test/@dan" class="u-url mention">@dan</a>
      <a href="https://site.test/tags/x" rel="tag">#x</a> <a href="${dan.id}">dan</a>
      <a href="https://linnet.test/@alice">alice</a> <a href="${url}">it</a></p>`
    const cc = [`${carol.id}/followers`, dan.id]
    const note = carol.note({ content, cc, tag: [{ type: 'Mention', href: dan.id, name: '@dan' }] })
    await deliver(carol, carol.activity('Create', note, { to: note['to'], cc: note['cc'] }))
    const { id } = await fediverse.getStatus(note['id'])
    assert.equal(await cardOf(id), null)
    const { rows } = await sql<{ s: number }>`select extract(epoch from run_at - created_at)::float as s
      from jobs j where key like 'card:% delayed'`.execute(db)
    assert.ok(rows.length === 1 && rows[0]!.s > 0 && rows[0]!.s < 61, JSON.stringify(rows))
    await makeJobsDue(testServer.ctx, 'fetchCard')
    await testServer.waitForJobs()
    assert.equal((await cardOf(id))?.title, 'From afar')
    const edited = { ...note, content: `<p><a href="${other}">other</a></p>`, updated: new Date().toISOString() }
    await deliver(carol, carol.activity('Update', edited, { to: note['to'], cc: note['cc'] }))
    await makeJobsDue(testServer.ctx, 'fetchCard')
    await testServer.waitForJobs()
    assert.equal((await cardOf(id))?.title, 'Another')
  })

  test('is shared by all URLs that lead to the same page', async () => {
    const head = '<link rel="canonical" href="https://site.test/one">'
    const [a, b] = [serve(page('One', head)), serve(page('One', head))]
    serveAt('https://site.test/short', { status: 302, headers: { location: a }, body: '' })
    const ids = [await post(alice, a), await post(alice, b), await post(bob, 'https://site.test/short')]
    const { rows } = await sql`select distinct card_id from status_preview_links where status_id = any(${ids})`.execute(
      db,
    )
    assert.equal(rows.length, 1)
    assert.deepEqual(
      (await Promise.all(ids.map((id) => cardOf(id)))).map((card) => card?.url),
      [a, b, 'https://site.test/short'],
    )
  })

  test('is fetched again after two weeks if another status has the link; old statuses show the new card', async () => {
    const url = serve(page('Old'))
    const id = await post(alice, url)
    serve(page('New'), { path: new URL(url).pathname })
    try {
      for (const [days, title, times] of [
        [13, 'Old', 1],
        [15, 'New', 2],
      ] as const) {
        clock = () => new Date(Date.now() + days * 86_400_000)
        await post(bob, url)
        assert.deepEqual([(await cardOf(id))?.title, requestsFor(url)], [title, times])
      }
      peer.host('site.test').withdraw(url)
      clock = () => new Date(Date.now() + 40 * 86_400_000)
      const later = await post(bob, url)
      assert.deepEqual([requestsFor(url), (await cardOf(later))?.title], [3, 'New'], 'the former card remains')
    } finally {
      clock = null
    }
  })

  test('has no image if the image cannot be fetched, and is then fetched again sooner', async () => {
    const imageUrl = 'https://cdn.test/late.png'
    const url = serve(page('Late', og({ image: imageUrl })))
    assert.equal((await cardFor(alice, url))?.image, null)
    serveAt(imageUrl, await imageResponse({ width: 100, height: 100 }))
    try {
      clock = () => new Date(Date.now() + 2 * 3_600_000)
      const card = (await cardFor(bob, url))!
      assert.deepEqual([card.image !== null, card.width, card.height], [true, 100, 100])
      await cardFor(bob, url)
      assert.deepEqual([requestsFor(url), requestsFor(imageUrl)], [2, 2])
    } finally {
      clock = null
    }
  })

  test('is deleted with its link and image after the last status with the link is deleted', async () => {
    serveAt('https://cdn.test/gone.png', await imageResponse({ width: 50, height: 50 }))
    const url = serve(page('Going', og({ image: 'https://cdn.test/gone.png' })))
    const eve = await testServer.createUser()
    const id = await post(eve, url)
    const { image } = (await cardOf(id))!
    await eve.client.delete(`/api/v1/statuses/${id}`)
    await testServer.waitForJobs()
    const runHourlyEffects = async () => {
      await testServer.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
      await testServer.waitForJobs()
    }
    const countRows = async () => {
      const { rows } = await sql<{ n: number }>`select
        (select count(*) from preview_links where url = ${url})::int
        + (select count(*) from preview_cards where url = ${url})::int as n`.execute(db)
      return rows[0]!.n
    }
    await runHourlyEffects()
    assert.equal(await countRows(), 2, 'not before the next fetch would be due')
    try {
      clock = () => new Date(Date.now() + 15 * 86_400_000)
      await runHourlyEffects()
    } finally {
      clock = null
    }
    assert.equal(await countRows(), 0)
    assert.equal((await testServer.server.inject({ url: new URL(image!).pathname })).statusCode, 404)
  })

  test('is never fetched from blocked hosts and this server, also not through redirects', async () => {
    await blockDomainAsStaff(testServer.ctx, 'blocked.test', { severity: 'suspend' })
    const blocked = serve(page('Blocked'), { host: 'blocked.test' })
    const own = serve(page('Ours'), { host: 'linnet.test' })
    for (const location of [blocked, own]) {
      const url = serveAt(`https://site.test/to${new URL(location).hostname}`, {
        status: 302,
        headers: { location },
        body: '',
      })
      assert.equal(await cardFor(alice, url), null)
    }
    assert.equal(await cardFor(alice, blocked), null)
    assert.deepEqual([requestsFor(blocked), requestsFor(own)], [0, 0])
  })
})
