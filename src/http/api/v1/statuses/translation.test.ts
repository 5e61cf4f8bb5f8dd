import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { parseFragment, serialize } from 'parse5'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { multipart } from '../../../../../test/client.ts'
import { ELEMENTS, MXSS } from '../../../../../test/hostile-html.ts'
import { openLibreTranslate } from '../../../../../test/translators.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import { sanitizeHtml } from '../../../../lib/text/sanitize.ts'

let later = 0
const libre = await openLibreTranslate({ apiKey: 'secret' })
const world = await openWorld({
  effects: false,
  now: () => new Date(Date.now() + later),
  env: { LIBRE_TRANSLATE_ENDPOINT: libre.endpoint, LIBRE_TRANSLATE_API_KEY: 'secret' },
})
after(async () => {
  await world.close()
  await libre.close()
})
beforeEach(() => {
  libre.fail = null
  libre.asked.length = 0
})
const shout = libre.translate

const [alice, bob] = [await world.createPerson(), await world.createPerson()]

async function post(body: object, person: Person = alice): Promise<string> {
  const { status, body: posted } = await person.client.post('/api/v1/statuses', { language: 'en', ...body })
  assert.equal(status, 200, JSON.stringify(posted))
  return posted.id
}

const translate = async (id: string, lang?: string, person = bob) =>
  person.client.post(`/api/v1/statuses/${id}/translate`, lang === undefined ? {} : { lang })

async function translated(id: string, lang = 'de', person = bob) {
  const { status, body } = await translate(id, lang, person)
  assert.equal(status, 200, JSON.stringify(body))
  assertOnWire('Translation', body)
  return body
}

suite('a status comes in another language', () => {
  test('with its warning, the options of its poll and what describes its pictures, as one request', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const upload = async (description: string) => {
      const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: png }, description })
      return (await alice.client.post('/api/v2/media', form.payload, form.headers)).body.id as string
    }
    const [described, undescribed] = [await upload('a <b>\ncat & dog'), await upload('')]
    const pictured = await post({ status: 'hello\nworld', spoiler_text: 'beware', media_ids: [described, undescribed] })
    assert.deepEqual(await translated(pictured), {
      content: '<p>HELLO<br>WORLD</p>',
      spoiler_text: 'BEWARE',
      language: 'de',
      detected_source_language: 'en',
      provider: 'LibreTranslate',
      media_attachments: [{ id: described, description: 'A <B>\nCAT & DOG' }],
      poll: null,
    })
    assert.deepEqual(libre.asked, [
      {
        q: ['<p>hello<br />world</p>', 'beware', 'a &lt;b&gt;<br>cat &amp; dog'],
        source: 'en',
        target: 'de',
        format: 'html',
        api_key: 'secret',
      },
    ])
    const asking = await post({ status: 'which?', poll: { options: ['this <i>', 'that'], expires_in: 3600 } })
    const { poll, spoiler_text, media_attachments } = await translated(asking)
    assert.deepEqual(poll.options, [{ title: 'THIS <I>' }, { title: 'THAT' }])
    assert.deepEqual([spoiler_text, media_attachments, typeof poll.id], ['', [], 'string'])
  })

  test('in one’s own, unless another one is named; in the one that a variant belongs to', async () => {
    const id = await post({ status: 'mine' })
    const german = await world.createPerson()
    await world.ctx.db.updateTable('users').set({ locale: 'de' }).where('account_id', '=', german.accountId).execute()
    assert.equal((await translate(id, undefined, german)).body.language, 'de')
    assert.equal((await translate(id, '', german)).body.language, 'de')
    assert.equal((await translated(id, 'de-AT')).language, 'de')
    assert.equal((await translated(id, 'pt-br')).language, 'pt-br')
    assert.equal(libre.asked.at(-1)?.['target'], 'pt-BR', 'the service is asked in its own spelling')
  })

  test('from one that the service finds out, where nobody said it', async () => {
    const id = await post({ status: 'irgendwas' })
    await world.ctx.db.updateTable('statuses').set({ language: null }).where('id', '=', id).execute()
    const { detected_source_language } = await translated(id, 'en')
    assert.deepEqual([detected_source_language, libre.asked[0]?.['source']], ['de', 'auto'])
  })

  test('with emojis, links, mentions and hashtags as they were', async () => {
    const status = `see :blobcat: @${bob.username} #cats https://example.org/:path:x ok`
    const id = await post({ status })
    const { content } = await translated(id)
    assert.match(libre.asked[0]!.q![0]!, /<span translate="no">:blobcat:<\/span>/)
    assert.match(content, /:blobcat:/)
    assert.doesNotMatch(content, /<span translate="no">:/)
    assert.match(content, /href="https:\/\/example\.org\/:path:x"/)
    assert.match(content, /class="u-url mention"/)
  })

  test('also of what somebody boosts, and of nothing without asking anybody', async () => {
    const original = await post({ status: 'pass it on' })
    const { body: boost } = await bob.client.post(`/api/v1/statuses/${original}/reblog`)
    assert.equal((await translated(boost.id)).content, '<p>PASS IT ON</p>')
    const blank = await post({ status: 'x' })
    await world.ctx.db.updateTable('statuses').set({ content: '' }).where('id', '=', blank).execute()
    libre.asked.length = 0
    assert.equal((await translated(blank)).content, '')
    assert.deepEqual(libre.asked, [])
  })

  test('once for a day and for all, however many ask, and anew when it was edited', async () => {
    const id = await post({ status: 'popular' })
    let release = () => {}
    libre.hold = new Promise<void>((resolve) => (release = resolve))
    const asking = Promise.all(Array.from({ length: 20 }, async () => translated(id)))
    release()
    const answers = await asking
    assert.deepEqual(new Set(answers.map(({ content }) => content)), new Set(['<p>POPULAR</p>']))
    assert.equal(libre.asked.length, 1)
    await translated(id, 'zh-hans')
    assert.equal(libre.asked.length, 2)
    await alice.client.put(`/api/v1/statuses/${id}`, { status: 'improved' })
    assert.equal((await translated(id)).content, '<p>IMPROVED</p>')
    later += 25 * 3_600_000
    await translated(id)
    assert.equal(libre.asked.length, 4)
  })
})

suite('nothing is translated', () => {
  test('that is not for everybody: it is not even shown to the service', async () => {
    for (const fields of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const id = await post({ status: `@${bob.username} hush`, ...fields })
      const { status, body } = await translate(id, 'de')
      assert.deepEqual([status, body], [403, { error: 'This action is not allowed' }])
    }
    assert.deepEqual(libre.asked, [])
  })

  test('VI1 that the person may not see: it is as absent as none', async () => {
    const hidden = await post({ status: 'hush', visibility: 'private' })
    const [no, none] = [await translate(hidden, 'de'), await translate('4711', 'de')]
    assert.deepEqual([no.status, no.body], [404, none.body])
    assert.equal((await world.anonymous.post(`/api/v1/statuses/${hidden}/translate`)).status, 401)
  })

  test('into or from a language that the service does not know, nor into its own', async () => {
    const id = await post({ status: 'words' })
    const french = await post({ status: 'mots', language: 'fr' })
    for (const [one, lang] of [
      [id, 'fr'],
      [id, 'en'],
      [id, 'x'.repeat(10_000)],
      [id, '__proto__'],
      [french, 'de'],
    ] as const) {
      assert.equal((await translate(one, lang)).status, 403, lang.slice(0, 10))
    }
    assert.deepEqual(libre.asked, [])
  })

  test('when all is used up, too much was asked, or no good answer comes: 503, and the next try counts', async () => {
    const id = await post({ status: 'later' })
    const texts = new Set<string>()
    for (const fail of [
      { status: 403 },
      { status: 429 },
      { status: 500 },
      { status: 200, body: 'no json' },
      { status: 200, body: '{"translatedText":[]}' },
      { status: 200, body: '{"translatedText":"one for all"}' },
      { status: 200, body: 'null' },
      { status: 200, body: `{"translatedText":["${'x'.repeat(2_000_000)}"]}` },
      { status: 302, headers: { location: 'http://127.0.0.1:1/translate' } },
    ]) {
      libre.fail = fail
      const { status, body } = await translate(id, 'de')
      assert.equal(status, 503, JSON.stringify(fail).slice(0, 100))
      assert.deepEqual(Object.keys(body), ['error'])
      texts.add(body.error)
    }
    assert.equal(texts.size, 3, 'a used-up quota and haste are told apart from failures')
    libre.fail = null
    assert.equal((await translated(id)).content, '<p>LATER</p>')
  })

  test('on a server without a service', async (t) => {
    const bare = await openWorld({ effects: false })
    t.after(bare.close)
    const person = await bare.createPerson()
    const { body: posted } = await person.client.post('/api/v1/statuses', { status: 'x' })
    const { status, body } = await person.client.post(`/api/v1/statuses/${posted.id}/translate`, { lang: 'de' })
    assert.deepEqual([status, body], [404, { error: 'Record not found' }])
    assert.deepEqual((await bare.anonymous.get('/api/v1/instance/translation_languages')).body, {})
    assert.equal((await bare.anonymous.get('/api/v2/instance')).body.configuration.translation.enabled, false)
  })
})

test('HT6 whatever the service answers, nothing of it but clean words is shown', async () => {
  try {
    for (const hostile of [
      ...MXSS,
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<a href="javascript:alert(1)">x</a>',
    ]) {
      libre.translate = () => hostile
      const id = await post({ status: 'x', spoiler_text: 'y' })
      const { content, spoiler_text } = await translated(id)
      assert.equal(sanitizeHtml(content), content)
      for (const [, name] of serialize(parseFragment(content)).matchAll(/<\/?([a-z0-9]+)/g))
        assert.ok(ELEMENTS.has(name!), name!)
      assert.equal(typeof spoiler_text, 'string')
    }
  } finally {
    libre.translate = shout
  }
})

test('what can be translated into what is told, kept for a day, and 503 while nobody knows', async () => {
  later += 25 * 3_600_000
  libre.fail = { status: 500 }
  assert.equal((await world.anonymous.get('/api/v1/instance/translation_languages')).status, 503)
  libre.fail = null
  const looks = libre.looks
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await world.anonymous.get('/api/v1/instance/translation_languages')
    assert.equal(status, 200)
    assert.deepEqual(body, { en: ['de', 'pt-br', 'zh-hans'], de: ['en'], und: ['de', 'en', 'pt-br', 'zh-hans'] })
  }
  assert.equal(libre.looks, looks + 1)
  assert.equal((await world.anonymous.get('/api/v2/instance')).body.configuration.translation.enabled, true)
})

test('a client of Mastodon’s translates', async () => {
  const masto = createRestAPIClient({ url: await world.listen(), accessToken: bob.token })
  const id = await post({ status: 'for clients' })
  const translation = await masto.v1.statuses.$select(id).translate({ lang: 'de' })
  assert.deepEqual([translation.content, translation.provider], ['<p>FOR CLIENTS</p>', 'LibreTranslate'])
})
