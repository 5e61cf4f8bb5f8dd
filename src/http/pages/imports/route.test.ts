// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { importFile, uploadImport } from '../../../../test/features/imports.ts'
import { multipart } from '../../../../test/http/client.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { measureEventLoopBlock } from '../../../../test/performance/measure-event-loop-block.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { pruneImports } from '../../../domain/transfers/imports/confirm-import.ts'

let clock = () => new Date()
const testServer = await openTestServer({ now: () => clock() })
after(testServer.close)
const { ctx, server } = testServer

const ada = await testServer.createUser({ username: 'ada' })
const bob = await testServer.createUser({ username: 'bob' })
const [browser, bobsBrowser] = [await openBrowserSession(testServer, ada), await openBrowserSession(testServer, bob)]

const lines = (count: number) => Array.from({ length: count }, (_, i) => `user${i}@far.test`).join('\n')
const many = (count: number, line: string) => `${line}\n`.repeat(count)

test('an import is confirmed on a page with its number of entries, and its page then shows the result', async () => {
  const uploaded = await uploadImport(browser, { type: 'blocking', content: 'bob\nnobody\n', name: 'my blocks.csv' })
  assert.equal(uploaded.status, 303)
  const path = uploaded.location!
  const page = await browser.get(path)
  assert.match(
    page.text,
    /Blocked accounts.*my blocks\.csv.*2 entries of the file will be added to: Blocked accounts\./,
  )
  assert.match((await browser.get('/settings/imports')).text, /Recent imports ?Blocked accounts.*Not confirmed yet/)
  assert.deepEqual((await ada.client.get('/api/v1/blocks')).body, [])
  await browser.submit(page, `${path}/confirm`)
  await testServer.waitForJobs()
  const done = await browser.get(path)
  assert.match(done.text, /Finished.*Imported: 1 of 2.*1 entry could not be imported/)
  const failures = await browser.get(`${path}/failures.csv`)
  assert.equal(failures.headers['content-disposition'], 'attachment; filename="blocked_accounts_failures.csv"')
  assert.equal(failures.html, 'Account address\nnobody\n')
  assert.equal((await ada.client.get('/api/v1/blocks')).body[0].id, bob.accountId)
  assert.equal((await browser.submit(page, `${path}/confirm`)).status, 404, 'only once')
})

const REFUSED: readonly [name: string, file: Parameters<typeof uploadImport>[1], text: RegExp][] = [
  ['no content', { type: 'muting', content: '' }, /This field is required/],
  ['only a header', { type: 'muting', content: 'Account address,Hide notifications\n' }, /The file is empty/],
  ['a broken quote', { type: 'muting', content: '"ada@far.test\nbob' }, /The file cannot be read/],
  ['another encoding', { type: 'muting', content: Buffer.from([0x61, 0xff, 0xfe]) }, /The file cannot be read/],
  [
    'the header of another type',
    { type: 'muting', content: '#domain\nbad.test\n' },
    /does not contain what you selected/,
  ],
  ['other content', { type: 'muting', content: 'https://far.test/1\n' }, /does not contain what you selected/],
  ['no JSON', { type: 'filters', content: 'ada\n' }, /The file cannot be read/],
  ['other JSON', { type: 'filters', content: '[]' }, /does not contain what you selected/],
  ['too many rows', { type: 'blocking', content: lines(20_001) }, /The file has too many rows/],
  ['too many bytes', { type: 'blocking', content: many(21, 'x'.repeat(1_048_576)) }, /The file is too large/],
  ['too many follows', { type: 'following', content: lines(7_501) }, /you would follow more accounts than allowed/],
]

for (const [name, file, text] of REFUSED) {
  test(`a file with ${name} is refused with a reason beside the field`, async () => {
    const page = await uploadImport(browser, file)
    assert.equal(page.status, 422)
    assert.match(page.text, text)
    assert.match(page.html, /aria-invalid="true"/)
    assert.match(page.html, new RegExp(`<option +value="${file.type}" selected`), 'the selected type stays')
  })
}

test('BI3 a list of filters with a million values is refused without delaying other requests', async () => {
  const page = await browser.get('/settings/imports')
  for (const content of [`{"custom_filters":[${'{},'.repeat(1_000_000)}{}]}`, '['.repeat(4_000_000)]) {
    const { payload, headers } = await multipart({
      ...page.forms.find(({ action }) => action === '/settings/imports')!.values,
      type: 'filters',
      file: { filename: 'filters.json', type: 'application/json', bytes: Buffer.from(content) },
    })
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    let response: { statusCode: number; body: string } | undefined
    const stallMs = await measureEventLoopBlock(async () => {
      response = await server.inject({
        method: 'POST',
        url: '/settings/imports',
        headers: { ...headers, cookie },
        payload,
      })
    })
    assert.equal(response?.statusCode, 422)
    assert.match(response.body, /The file is too large/)
    assert.ok(stallMs < 120, `${stallMs} ms`)
  }
})

test('an import that is not confirmed within ten minutes is deleted, and a finished one after a week', async () => {
  const { path: finished } = await importFile(testServer, { browser, type: 'domain_blocking', content: 'bad.test\n' })
  const { location: unconfirmed } = await uploadImport(browser, { type: 'domain_blocking', content: 'worse.test\n' })
  const page = await browser.get(unconfirmed!)
  const start = Date.now()
  clock = () => new Date(start + 11 * 60_000)
  assert.equal((await browser.get(unconfirmed!)).status, 404)
  assert.equal((await browser.submit(page, `${unconfirmed}/confirm`)).status, 404)
  await pruneImports(ctx)
  assert.equal((await browser.get(finished)).status, 200)
  clock = () => new Date(start + 8 * 86_400_000)
  await pruneImports(ctx)
  assert.equal((await browser.get(finished)).status, 404)
  clock = () => new Date()
})

test('an import can be cancelled before it is confirmed', async () => {
  const { location } = await uploadImport(browser, { type: 'domain_blocking', content: 'cancelled.test\n' })
  const page = await browser.get(location!)
  assert.equal((await browser.submit(page, `${location}/delete`)).location, '/settings/imports')
  assert.equal((await browser.get(location!)).status, 404)
})

test('VI11 imports of another user are not found, like missing ones', async () => {
  const { location: path } = await uploadImport(browser, { type: 'domain_blocking', content: 'secret.test\n' })
  const { forms } = await bobsBrowser.get('/settings/imports')
  const { csrf } = forms.find(({ action }) => action === '/settings/imports')!.values
  for (const base of [path!, '/settings/imports/999999', '/settings/imports/x']) {
    for (const response of [
      await bobsBrowser.get(base),
      await bobsBrowser.get(`${base}/failures.csv`),
      await bobsBrowser.post(`${base}/confirm`, { csrf: csrf! }),
      await bobsBrowser.post(`${base}/delete`, { csrf: csrf! }),
    ])
      assert.equal(response.status, 404, base)
  }
  assert.equal((await browser.get(path!)).status, 200)
})

test('OA9 a file of an anonymous visitor, or without a CSRF token, is refused and changes nothing', async () => {
  const file = { filename: 'x.csv', type: 'text/csv', bytes: Buffer.from('bad.test') }
  const { payload, headers } = await multipart({ type: 'domain_blocking', file })
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const own of [{}, { cookie }]) {
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: '/settings/imports',
      headers: { ...headers, ...own },
      payload,
    })
    assert.equal(statusCode, 422)
    assert.match(body, /This page has expired/)
  }
})
