import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { test } from 'node:test'
import { openPeer } from '../../../test/federation/peer/open-peer.ts'
import { openLibreTranslate, serveDeepL } from '../../../test/services/fake-translators.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { FetchRefusedError } from '../fetch/fetch-errors.ts'

test('DeepL translates statuses, and its errors are distinguished', async (t) => {
  const peer = await openPeer({ hosts: ['api-free.deepl.com', 'api.deepl.com'] })
  const deepl = serveDeepL(peer.host('api.deepl.com'), { apiKey: 'key' })
  const pro = await openTestServer({
    effects: false,
    env: { ...peer.env, DEEPL_API_KEY: 'key', DEEPL_PLAN: 'pro' },
    extraCa: peer.ca,
  })
  t.after(async () => {
    await pro.close()
    await peer.close()
  })
  const user = await pro.createUser()
  const translate = async (language: string | null, lang: string) => {
    const { body } = await user.client.post('/api/v1/statuses', { status: 'hello :cat:', spoiler_text: 'mind' })
    await pro.ctx.db.updateTable('statuses').set({ language }).where('id', '=', body.id).execute()
    return user.client.post(`/api/v1/statuses/${body.id}/translate`, { lang })
  }
  const { status, body } = await translate('en', 'de')
  assert.deepEqual([status, body.content, body.spoiler_text], [200, '<p>HELLO :cat:</p>', 'MIND'])
  assert.deepEqual([body.provider, body.language, body.detected_source_language], ['DeepL.com', 'de', 'en'])
  assert.deepEqual(deepl.requests, [
    {
      text: ['<p>hello <span translate="no">:cat:</span></p>', 'mind'],
      target_lang: 'DE',
      tag_handling: 'html',
      source_lang: 'EN',
    },
  ])
  const unknown = await translate(null, 'en-GB')
  assert.deepEqual([unknown.body.detected_source_language, unknown.body.language], ['fr', 'en-GB'])
  assert.deepEqual([deepl.requests[1]?.['source_lang'], deepl.requests[1]?.['target_lang']], [undefined, 'EN-GB'])
  const { body: languages } = await pro.anonymous.get('/api/v1/instance/translation_languages')
  const codes = 'de en en-GB fr fr-CA nb no und zh zh-CN zh-HK zh-TW zh-YUE'
  assert.equal(Object.keys(languages).toSorted().join(' '), codes)
  const targets = ['en', 'pt', 'de', 'en-GB', 'en-US', 'nb', 'pt-BR', 'pt-PT', 'zh', 'zh-Hans', 'zh-Hant']
  assert.deepEqual(languages.fr, targets)
  const traditional = await translate('zh-CN', 'zh-TW')
  assert.equal(traditional.body.language, 'zh-Hant')
  assert.deepEqual([deepl.requests[2]?.['source_lang'], deepl.requests[2]?.['target_lang']], ['ZH', 'ZH-HANT'])
  const { body: poll } = await user.client.post('/api/v1/statuses', {
    status: 'many',
    poll: { options: ['a', 'b'], expires_in: 3600 },
    language: 'en',
  })
  const options = Array.from({ length: 120 }, (_, n) => `option ${n}`)
  await pro.ctx.db.updateTable('polls').set({ options }).where('status_id', '=', poll.id).execute()
  const withPoll = await user.client.post(`/api/v1/statuses/${poll.id}/translate`, { lang: 'de' })
  assert.deepEqual(
    withPoll.body.poll?.options,
    options.map((title) => ({ title: title.toUpperCase() })),
  )
  const texts = new Set<string>()
  for (const failure of [456, 429, 403]) {
    deepl.fail = { status: failure }
    const response = await translate('en', 'de')
    assert.equal(response.status, 503)
    texts.add(response.body.error)
  }
  assert.equal(texts.size, 3)
  assert.equal(peer.host('api-free.deepl.com').requests.length, 0)
})

test('FE4 translation requests reach only the configured address: no link-local address and no redirect', async (t) => {
  const target = await openLibreTranslate()
  t.after(target.close)
  let opened = 0
  const count = () => void (opened += 1)
  for (const endpoint of [
    'http://169.254.169.254',
    'http://[fe80::1]:5000',
    'http://0.0.0.0:5000',
    'http://100.64.0.1',
  ]) {
    const localServer = await openTestServer({ effects: false, env: { LIBRE_TRANSLATE_ENDPOINT: endpoint } })
    // Opens the connections to the database, which are not counted.
    await localServer.anonymous.get('/api/v1/instance')
    diagnostics.subscribe('net.client.socket', count)
    assert.equal((await localServer.anonymous.get('/api/v1/instance/translation_languages')).status, 503, endpoint)
    diagnostics.unsubscribe('net.client.socket', count)
    await localServer.close()
  }
  assert.equal(opened, 0)
  const libre = await openLibreTranslate()
  const testServer = await openTestServer({ effects: false, env: { LIBRE_TRANSLATE_ENDPOINT: libre.endpoint } })
  t.after(async () => {
    await testServer.close()
    await libre.close()
  })
  libre.fail = { status: 302, headers: { location: `${target.endpoint}languages` } }
  assert.equal((await testServer.anonymous.get('/api/v1/instance/translation_languages')).status, 503)
  assert.equal(target.languageRequests, 0)
  // No other request can reach the address of the service.
  await assert.rejects(
    testServer.ctx.fetcher.request({ url: libre.endpoint, allowHttp: true, maxBytes: 1_000 }),
    FetchRefusedError,
  )
  const { hostname } = new URL(libre.endpoint)
  await assert.rejects(
    testServer.ctx.fetcher.request({ url: `https://${hostname}/`, maxBytes: 1_000 }),
    FetchRefusedError,
  )
})
