import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { parseFragment, serialize } from 'parse5'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { multipart } from '../../../../../test/http/client.ts'
import { ELEMENTS, MXSS } from '../../../../../test/text/hostile-html.ts'
import { openLibreTranslate } from '../../../../../test/services/fake-translators.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { htmlToPlainText } from '../../../../lib/html/html-to-plain-text.ts'
import { sanitizeHtml } from '../../../../lib/html/sanitize.ts'

let aheadMs = 0
const libre = await openLibreTranslate({ apiKey: 'secret' })
const testServer = await openTestServer({
  effects: false,
  now: () => new Date(Date.now() + aheadMs),
  env: { LIBRE_TRANSLATE_ENDPOINT: libre.endpoint, LIBRE_TRANSLATE_API_KEY: 'secret' },
})
after(async () => {
  await testServer.close()
  await libre.close()
})
beforeEach(() => {
  libre.fail = null
  libre.requests.length = 0
})
const defaultTranslate = libre.translate

const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]

async function post(body: object, user: TestUser = alice): Promise<string> {
  const { status, body: posted } = await user.client.post('/api/v1/statuses', { language: 'en', ...body })
  assert.equal(status, 200, JSON.stringify(posted))
  return posted.id
}

const translate = async (id: string, lang?: string, user = bob) =>
  user.client.post(`/api/v1/statuses/${id}/translate`, lang === undefined ? {} : { lang })

async function translated(id: string, lang = 'de', user = bob) {
  const { status, body } = await translate(id, lang, user)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('Translation', body)
  return body
}

suite('a status is translated', () => {
  test('with its content warning, poll options and media descriptions, in one request', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const upload = async (description: string) => {
      const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: png }, description })
      return (await alice.client.post('/api/v2/media', form.payload, form.headers)).body.id as string
    }
    const [described, undescribed] = [await upload('a <b>\ncat & dog'), await upload('')]
    const withMedia = await post({
      status: 'hello\nworld',
      spoiler_text: 'beware',
      media_ids: [described, undescribed],
    })
    assert.deepEqual(await translated(withMedia), {
      content: '<p>HELLO<br>WORLD</p>',
      spoiler_text: 'BEWARE',
      language: 'de',
      detected_source_language: 'en',
      provider: 'LibreTranslate',
      media_attachments: [{ id: described, description: 'A <B>\nCAT & DOG' }],
      poll: null,
    })
    assert.deepEqual(libre.requests, [
      {
        q: ['<p>hello<br />world</p>', 'beware', 'a &lt;b&gt;<br>cat &amp; dog'],
        source: 'en',
        target: 'de',
        format: 'html',
        api_key: 'secret',
      },
    ])
    const withPoll = await post({ status: 'which?', poll: { options: ['this <i>', 'that'], expires_in: 3600 } })
    const { poll, spoiler_text, media_attachments } = await translated(withPoll)
    assert.deepEqual(poll.options, [{ title: 'THIS <I>' }, { title: 'THAT' }])
    assert.deepEqual([spoiler_text, media_attachments, typeof poll.id], ['', [], 'string'])
  })

  test('into the user’s language by default, and for a regional variant into its base language', async () => {
    const id = await post({ status: 'mine' })
    const german = await testServer.createUser()
    await testServer.ctx.db
      .updateTable('users')
      .set({ locale: 'de' })
      .where('account_id', '=', german.accountId)
      .execute()
    assert.equal((await translate(id, undefined, german)).body.language, 'de')
    assert.equal((await translate(id, '', german)).body.language, 'de')
    assert.equal((await translated(id, 'de-AT')).language, 'de')
    assert.equal((await translated(id, 'pt-br')).language, 'pt-BR')
    assert.equal(libre.requests.at(-1)?.['target'], 'pt-BR', 'the request uses the spelling of the service')
  })

  test('from and into a language that the service has under another code', async () => {
    for (const [language, lang, source, target] of [
      ['zh-CN', 'en', 'zh-Hans', 'en'],
      ['zh', 'en', 'zh-Hans', 'en'],
      ['zh-TW', 'en', 'zh-Hant', 'en'],
      ['no', 'en', 'nb', 'en'],
      ['en', 'zh', 'en', 'zh-Hans'],
      ['en', 'zh-HK', 'en', 'zh-Hant'],
      ['en', 'no', 'en', 'nb'],
    ] as const) {
      const id = await post({ status: `${language} ${lang}`, language })
      assert.equal((await translated(id, lang)).language, target, `${language} into ${lang}`)
      assert.deepEqual([libre.requests.at(-1)?.['source'], libre.requests.at(-1)?.['target']], [source, target])
    }
    const norwegian = await post({ status: 'ord', language: 'nb' })
    assert.equal((await translate(norwegian, 'no')).status, 403)
  })

  test('from a language that the service detects if the status has none', async () => {
    const id = await post({ status: 'irgendwas' })
    await testServer.ctx.db.updateTable('statuses').set({ language: null }).where('id', '=', id).execute()
    const { detected_source_language } = await translated(id, 'en')
    assert.deepEqual([detected_source_language, libre.requests[0]?.['source']], ['de', 'auto'])
  })

  test('with unchanged emojis, links, mentions and hashtags', async () => {
    const status = `see :blobcat: @${bob.username} #cats https://example.org/:path:x ok`
    const id = await post({ status })
    const { content } = await translated(id)
    assert.match(libre.requests[0]!.q![0]!, /<span translate="no">:blobcat:<\/span>/)
    assert.match(content, /:blobcat:/)
    assert.doesNotMatch(content, /<span translate="no">:/)
    assert.match(content, /href="https:\/\/example\.org\/:path:x"/)
    assert.match(content, /class="u-url mention"/)
    assert.match(content, />#<span>cats<\/span></)
    const remote = [
      '<a class="mention" href="https://far.test/@rose">rose</a>',
      '<a href="https://far.test/@rose">@rose</a>',
      '<a href="https://far.test/tags/roses" rel="tag">#roses</a>',
      '<a href="https://far.test/roses"><span>https://</span>far.test/roses</a>',
    ]
    await testServer.ctx.db
      .updateTable('statuses')
      .set({ content: `<p>${remote.join(' ')} <a href="https://far.test/">about roses</a></p>`, version: 9 })
      .where('id', '=', id)
      .execute()
    const texts = (await translated(id)).content.match(/<a [^]*?<\/a>/g).map((link: string) => htmlToPlainText(link))
    assert.deepEqual(texts, ['rose', '@rose', '#roses', 'https://far.test/roses', 'ABOUT ROSES'])
  })

  test('through a boost of it; a status without a text needs no request', async () => {
    const original = await post({ status: 'pass it on' })
    const { body: reblog } = await bob.client.post(`/api/v1/statuses/${original}/reblog`)
    assert.equal((await translated(reblog.id)).content, '<p>PASS IT ON</p>')
    const blank = await post({ status: 'x' })
    await testServer.ctx.db.updateTable('statuses').set({ content: '' }).where('id', '=', blank).execute()
    libre.requests.length = 0
    assert.equal((await translated(blank)).content, '')
    assert.deepEqual(libre.requests, [])
  })

  test('once a day for all users, also for concurrent requests, and again after an edit', async () => {
    const id = await post({ status: 'popular' })
    let release = () => {}
    libre.pause = new Promise<void>((resolve) => (release = resolve))
    const pending = Promise.all(Array.from({ length: 20 }, async () => translated(id)))
    release()
    const responses = await pending
    assert.deepEqual(new Set(responses.map(({ content }) => content)), new Set(['<p>POPULAR</p>']))
    assert.equal(libre.requests.length, 1)
    await translated(id, 'zh-Hans')
    assert.equal(libre.requests.length, 2)
    await alice.client.put(`/api/v1/statuses/${id}`, { status: 'improved' })
    assert.equal((await translated(id)).content, '<p>IMPROVED</p>')
    aheadMs += 25 * 3_600_000
    await translated(id)
    assert.equal(libre.requests.length, 4)
  })
})

suite('a translation is refused', () => {
  test('for a status that is not public, without a request to the service', async () => {
    for (const fields of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const id = await post({ status: `@${bob.username} hush`, ...fields })
      const { status, body } = await translate(id, 'de')
      assert.deepEqual([status, body], [403, { error: 'This action is not allowed' }])
    }
    assert.deepEqual(libre.requests, [])
  })

  test('VI1 for a hidden status, with the response of an unknown status', async () => {
    const hidden = await post({ status: 'hush', visibility: 'private' })
    const [hiddenResponse, unknownResponse] = [await translate(hidden, 'de'), await translate('4711', 'de')]
    assert.deepEqual([hiddenResponse.status, hiddenResponse.body], [404, unknownResponse.body])
    assert.equal((await testServer.anonymous.post(`/api/v1/statuses/${hidden}/translate`)).status, 401)
  })

  test('for a language that the service does not support, and into the language of the status', async () => {
    const id = await post({ status: 'words' })
    const french = await post({ status: 'mots', language: 'fr' })
    for (const [statusId, lang] of [
      [id, 'fr'],
      [id, 'en'],
      [id, 'x'.repeat(10_000)],
      [id, '__proto__'],
      [french, 'de'],
    ] as const) {
      assert.equal((await translate(statusId, lang)).status, 403, lang.slice(0, 10))
    }
    assert.deepEqual(libre.requests, [])
  })

  test('with 503 when the quota is used up or the service fails; the next request is tried again', async () => {
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
    assert.equal(texts.size, 3, 'quota, rate limit and failures have different errors')
    libre.fail = null
    assert.equal((await translated(id)).content, '<p>LATER</p>')
  })

  test('on a server without a translation service', async (t) => {
    const ownServer = await openTestServer({ effects: false })
    t.after(ownServer.close)
    const user = await ownServer.createUser()
    const { body: posted } = await user.client.post('/api/v1/statuses', { status: 'x' })
    const { status, body } = await user.client.post(`/api/v1/statuses/${posted.id}/translate`, { lang: 'de' })
    assert.deepEqual([status, body], [404, { error: 'Record not found' }])
    assert.deepEqual((await ownServer.anonymous.get('/api/v1/instance/translation_languages')).body, {})
    assert.equal((await ownServer.anonymous.get('/api/v2/instance')).body.configuration.translation.enabled, false)
  })
})

test('HT6 the response of the service is sanitised', async () => {
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
    libre.translate = defaultTranslate
  }
})

test('the supported languages are cached for a day; 503 while they are unknown', async () => {
  aheadMs += 25 * 3_600_000
  libre.fail = { status: 500 }
  assert.equal((await testServer.anonymous.get('/api/v1/instance/translation_languages')).status, 503)
  libre.fail = null
  const requestsBefore = libre.languageRequests
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await testServer.anonymous.get('/api/v1/instance/translation_languages')
    assert.equal(status, 200)
    const codes = 'de en en-GB nb no und zh zh-CN zh-HK zh-Hans zh-Hant zh-TW zh-YUE'
    assert.equal(Object.keys(body).toSorted().join(' '), codes)
    for (const code of ['en', 'en-GB']) assert.deepEqual(body[code], ['de', 'nb', 'pt-BR', 'zh-Hans', 'zh-Hant'])
    for (const code of ['zh', 'zh-CN', 'zh-Hans']) assert.deepEqual(body[code], ['en', 'zh-Hant'])
    for (const code of ['zh-HK', 'zh-TW']) assert.deepEqual(body[code], ['en', 'zh-Hans'])
    assert.deepEqual(body.und, ['de', 'en', 'nb', 'pt-BR', 'zh-Hans', 'zh-Hant'])
  }
  assert.equal(libre.languageRequests, requestsBefore + 1)
  assert.equal((await testServer.anonymous.get('/api/v2/instance')).body.configuration.translation.enabled, true)
})

test('masto.js translates a status', async () => {
  const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: bob.token })
  const id = await post({ status: 'for clients' })
  const translation = await masto.v1.statuses.$select(id).translate({ lang: 'de' })
  assert.deepEqual([translation.content, translation.provider], ['<p>FOR CLIENTS</p>', 'LibreTranslate'])
})
