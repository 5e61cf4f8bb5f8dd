import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { openSearchServer } from '../../../../../test/features/search.ts'
import { indexStatuses } from '../../../../domain/search/index-statuses.ts'
import { firstStatusIdAt } from '../../../../lib/ids.ts'

const port = await findPort()
const { testServer, alice, bob, post, find, upload } = await openSearchServer({
  PORT: port,
  LOCAL_DOMAIN: `localhost:${port}`,
})
after(testServer.close)
const { ctx } = testServer
const { db } = ctx

suite('the words of a post', () => {
  test('are found in any case and form, with or without accents', async () => {
    const id = await post(alice, 'Les cafés crèmes RUNNING in Straßburg, Øresund, ＷＩＤＥ')
    for (const q of ['cafe', 'CAFÉS', 'café crème', 'cre\u0300me', 'runs', 'strassburg', 'oresund', 'wide', 'in']) {
      assert.deepEqual(await find(q), [id], q)
    }
    for (const q of ['caf', 'burg', 'cafe tea', '!?', '""', '"']) assert.deepEqual(await find(q), [], q)
  })

  test('are found within text of scripts without spaces', async () => {
    const japanese = await post(alice, '吾輩は猫である。名前はまだ無い。ｶﾞｯｺｳ')
    const thai = await post(alice, 'แมวของฉันน่ารักมาก')
    const korean = await post(alice, '고양이가 왔어요')
    for (const q of ['猫', '名前', '猫である', 'ガッコウ', '吾輩は猫である。'])
      assert.deepEqual(await find(q), [japanese], q)
    for (const q of ['猫は', '名無', '犬', 'かっこう']) assert.deepEqual(await find(q), [], q)
    for (const q of ['แมว', 'น่ารัก']) assert.deepEqual(await find(q), [thai], q)
    for (const q of ['고양이', '왔어']) assert.deepEqual(await find(q), [korean], q)
  })

  test('are found with and without the vowel signs of Arabic and Hebrew', async () => {
    const ids = [await post(alice, 'قال مُحَمَّدٌ'), await post(alice, 'قال محمد')].toReversed()
    for (const q of ['محمد', 'مُحَمَّد', 'محمـــد', '"قَالَ محمد"']) assert.deepEqual(await find(q), ids, q)
    const hebrew = await post(alice, 'שָׁלוֹם')
    assert.deepEqual(await find('שלום'), [hebrew])
  })

  test('are found by the flags beside them', async () => {
    const id = await post(alice, 'parade 🇺🇦🇩🇪')
    for (const q of ['🇺🇦', '🇩🇪', 'parade 🇺🇦', '🇺🇦🇩🇪']) assert.deepEqual(await find(q), [id], q)
    for (const q of ['🇦🇩', 'parade -🇩🇪']) assert.deepEqual(await find(q), [], q)
  })

  test('can form a phrase or be excluded', async () => {
    const first = await post(alice, 'a quick brown fox jumps')
    const second = await post(alice, 'a brown and quick fox jumps')
    assert.deepEqual(await find('quick brown jumps'), [second, first])
    assert.deepEqual(await find('"quick brown" jumps'), [first])
    assert.deepEqual(await find('+quick +"brown fox"'), [first])
    assert.deepEqual(await find('jumps -"quick brown"'), [second])
    assert.deepEqual(await find('jumps -and'), [first])
    assert.deepEqual(await find('fox-jumps'), [second, first])
    assert.deepEqual(await find('jumps -fox'), [])
  })

  test('are found by a query that also has signs, which are not indexed', async () => {
    const id = await post(alice, 'rock & roll costs 100 €')
    for (const q of ['rock & roll', 'rock - roll', '"rock & roll"', '100 €', '€ "" rock …']) {
      assert.deepEqual(await find(q), [id], q)
    }
    for (const q of ['rock & pop', '&', '-', '"…" -!', '""']) assert.deepEqual(await find(q), [], q)
  })

  test('include content warning, poll and media descriptions; phrases do not span them', async () => {
    const mediaId = await upload(alice, 'an albatross asleep')
    const withMedia = await post(alice, { status: 'bird', spoiler_text: 'feathers', media_ids: [mediaId] })
    for (const q of ['albatross', 'feathers', '"albatross asleep"', 'bird has:image', 'bird has:media is:sensitive']) {
      assert.deepEqual(await find(q), [withMedia], q)
    }
    for (const q of ['"feathers bird"', '"bird an"', 'bird has:video', 'bird -has:media']) {
      assert.deepEqual(await find(q), [], q)
    }
    const poll = await post(alice, {
      status: 'which',
      poll: { options: ['cormorant', 'penguin'], expires_in: 3_600 },
    })
    assert.deepEqual(await find('penguin'), [poll])
    assert.deepEqual(await find('which has:poll -has:media'), [poll])
  })

  test('follow edits and are deleted with the post', async () => {
    const id = await post(alice, 'zebra')
    await alice.client.put(`/api/v1/statuses/${id}`, { status: 'okapi' })
    await testServer.waitForJobs()
    assert.deepEqual([await find('zebra'), await find('okapi')], [[], [id]])
    await alice.client.delete(`/api/v1/statuses/${id}`)
    assert.deepEqual(await find('okapi'), [])
    await testServer.waitForJobs()
    const { rows } = await sql`select from status_search_entries where status_id = ${id}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('of an older version do not replace those of a newer one', async () => {
    const id = await post(alice, 'lemur')
    await alice.client.put(`/api/v1/statuses/${id}`, { status: 'gibbon' })
    await testServer.waitForJobs()
    await sql`update statuses set content = '<p>lemur</p>', version = 1 where id = ${id}`.execute(db)
    await indexStatuses(ctx, { ids: [id] })
    assert.deepEqual(await find('gibbon'), [id])
  })
})

suite('search operators', () => {
  test('do not take the link of a quote for one of the post, in a paragraph or in a span', async () => {
    const quoted = await post(alice, 'samovar')
    const quote = await post(alice, { status: 'samovar', quoted_status_id: quoted })
    const link = '<a href="https://a.test/1">https://a.test/1</a>'
    for (const [content, hasLink] of [
      [`<p class="quote-inline">RE: ${link}</p><p>samovar</p>`, false],
      [`<p>samovar<span class="quote-inline"><br><br><span>RE:</span> ${link}</span></p>`, false],
      [`<p class="quote-inline">RE: a.test</p><p>samovar ${link}</p>`, true],
    ] as const) {
      await ctx.db.updateTable('statuses').set({ content }).where('id', '=', quote).execute()
      await indexStatuses(ctx, { ids: [quote] })
      assert.deepEqual(await find('samovar has:link'), hasLink ? [quote] : [], content)
    }
  })

  test('filter links, quotes, replies, hashtags, languages and authors', async () => {
    const linked = await post(alice, 'teapot https://example.com/long/path?with=query @bob #Kettle')
    const plainPost = await post(alice, { status: '#kettles teapot @bob', language: 'de', visibility: 'unlisted' })
    const reply = await post(alice, { status: 'teapot', in_reply_to_id: linked, language: 'pt-BR' })
    const quote = await post(alice, { status: 'teapot', quoted_status_id: linked, visibility: 'unlisted' })
    const all = [quote, reply, plainPost, linked]
    const expected: Record<string, string[]> = {
      '': all,
      'has:link': [linked],
      '-has:link': [quote, reply, plainPost],
      'is:quote': [quote],
      'has:quote': [quote],
      'is:reply': [reply],
      '-is:reply': [quote, plainPost, linked],
      '#kettle': [linked],
      '-#KETTLE': [quote, reply, plainPost],
      'language:de': [plainPost],
      'language:DE': [plainPost],
      'language:pt': [reply],
      'language:pt-br': [reply],
      'language:tlh': [],
      'has:nonsense': [],
      'example.com/long': [linked],
      '"https://example.com/long/path?with=query"': [linked],
      'in:nowhere': all,
      'from:me': all,
      'from:alice': all,
      [`from:@ALICE@localhost:${port}`]: all,
      'from:@bob': [],
      '-from:me': [],
      'from:@nobody@example.com': [],
      '-from:@nobody@example.com': all,
      'from:': [],
    }
    for (const [operator, ids] of Object.entries(expected)) {
      assert.deepEqual(await find(`teapot ${operator}`), ids, operator)
    }
    assert.deepEqual(await find('#kettle', { type: 'hashtags' }), [])
    assert.deepEqual((await find('in:library')).slice(0, 4), all)
  })

  test('FP11 filter days, months and years in the user’s time zone, also across clock changes', async () => {
    const postAt = async (time: string) => {
      const id = firstStatusIdAt(new Date(time))
      await sql`insert into statuses (id, account_id, uri, url, content, visibility, created_at)
        values (${id}, ${alice.accountId}, ${`urn:${id}`}, '', '<p>clockwork</p>', 'public', ${time})`.execute(db)
      await indexStatuses(ctx, { ids: [id] })
      return id
    }
    // In Berlin, 29 March 2020 has 23 hours, from 23:00 to 22:00 UTC.
    const before = await postAt('2020-03-28T22:59:59.999Z')
    const first = await postAt('2020-03-28T23:00:00Z')
    const last = await postAt('2020-03-29T21:59:59.999Z')
    const afterLast = await postAt('2020-03-29T22:00:00Z')
    const search = (q: string) => find(`clockwork ${q}`)
    await sql`update users set time_zone = 'Europe/Berlin' where id = ${alice.userId}`.execute(db)
    assert.deepEqual(await search('during:2020-03-29'), [last, first])
    assert.deepEqual(await search('before:2020-03-29'), [before])
    assert.deepEqual(await search('after:2020-03-29'), [afterLast])
    assert.deepEqual(await search('-during:2020-03-29'), [afterLast, before])
    assert.deepEqual(await search('after:2020-03-28 before:2020-03-30'), [last, first])
    assert.deepEqual(await search('-before:2020-03-29 -after:2020-03-29'), [last, first])
    assert.deepEqual(await search('after:2020-03-29 before:2020-03-29'), [])
    assert.deepEqual(await search('during:2020-03'), [afterLast, last, first, before])
    assert.deepEqual(await search('during:2020 -during:2020-03'), [])
    assert.deepEqual(await search('during:0001 '), [])
    assert.deepEqual(await search('before:9999-12-31'), [afterLast, last, first, before])
    await sql`update users set time_zone = null where id = ${alice.userId}`.execute(db)
    assert.deepEqual(await search('during:2020-03-29'), [afterLast, last])
  })

  test('BI9 reject invalid dates', async () => {
    for (const day of ['2020-02-30', '2020-13-01', 'NaN', 'tomorrow', '99999-01-01', '-1', '2020-1-1', '""']) {
      const { status, body } = await alice.client.get('/api/v2/search', { q: `x before:${day}`, type: 'statuses' })
      assert.equal(status, 422, day)
      assert.match(body.error, /is not a day/)
    }
  })

  test('are combined with account_id, max_id, min_id, limit and offset', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.unshift(await post(alice, 'marble'))
    const [newest, second, middle] = ids
    assert.deepEqual(await find('marble', { account_id: alice.accountId }), ids)
    assert.deepEqual(await find('marble', { account_id: bob.accountId }), [])
    for (const account_id of ['', ' ']) assert.deepEqual(await find('marble', { account_id }), ids)
    for (const account_id of ['x', '0', '-1', "1' | '2"]) assert.deepEqual(await find('marble', { account_id }), [])
    assert.deepEqual(await find('marble', { max_id: second }), ids.slice(2))
    assert.deepEqual(await find('marble', { min_id: middle }), [newest, second])
    assert.deepEqual(await find('marble', { max_id: newest, min_id: middle }), [second])
    assert.deepEqual(await find('marble', { max_id: '1' }), [])
    assert.deepEqual(await find('marble', { min_id: '9223372036854775807' }), [])
    assert.deepEqual(await find('marble', { limit: 2, offset: 1 }), [second, middle])
    assert.deepEqual(await find('marble', { limit: 2, offset: 1e9 }), [])
    const { body } = await alice.client.get('/api/v2/search', { q: 'marble', offset: 3 })
    assert.equal(body.statuses.length, 5)
    const one = await countQueries(() => find('marble', { limit: 1 }))
    assert.equal(await countQueries(() => find('marble', { limit: 40 })), one)
  })
})
