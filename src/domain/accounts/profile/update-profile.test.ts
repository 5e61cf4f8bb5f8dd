import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../../test/http/client.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'

const testServer = await openTestServer()
after(testServer.close)

const PATH = '/api/v1/accounts/update_credentials'
const change = (user: TestUser, body: object) => user.client.patch(PATH, body)
const showAccount = async (user: TestUser) =>
  (await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)).body

const imageBytes = (format: 'png' | 'gif', width = 40) =>
  sharp({ create: { width, height: 20, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .toBuffer()

async function upload(user: TestUser, fields: Parameters<typeof multipart>[0]) {
  const { payload, headers } = await multipart(fields)
  return user.client.send({ method: 'PATCH', url: PATH, payload, headers })
}

test('an update changes the properties in the request and keeps the others', async () => {
  const alice = await testServer.createUser({ displayName: 'Alice' })
  const { status, body } = await change(alice, {
    note: ' I count. \n\nhttps://example.com ',
    bot: true,
    discoverable: true,
    indexable: true,
    avatar_description: 'A finch',
    fields_attributes: [
      { name: 'Web', value: 'https://example.com' },
      { name: '', value: '' },
    ],
    source: { privacy: 'unlisted', sensitive: 'true', language: 'DE' },
  })
  assert.equal(status, 200)
  assertEntity('CredentialAccount', body)
  assert.deepEqual(
    [body.display_name, body.bot, body.discoverable, body.indexable, body.noindex, body.avatar_description],
    ['Alice', true, true, true, false, 'A finch'],
  )
  assert.match(body.note, /^<p>I count\. *<\/p><p><a href="https:\/\/example\.com"/)
  assert.deepEqual(body.source.fields, [{ name: 'Web', value: 'https://example.com', verified_at: null }])
  assert.match(body.fields[0].value, /^<a href="https:\/\/example\.com" rel="nofollow noopener me"/)
  const { privacy, sensitive, language, note, raw_note } = body.source
  assert.deepEqual([privacy, sensitive, language, note === raw_note], ['unlisted', true, 'de', true])
  assert.match(raw_note, /^I count\.\s+https:\/\/example\.com$/)
  assert.deepEqual((await alice.client.get('/api/v1/accounts/verify_credentials')).body, body)
  assert.equal('source' in (await showAccount(alice)), false)

  const again = await change(alice, { display_name: 'Alice A.', bot: null, source: { language: '' } })
  assert.deepEqual(
    [again.body.display_name, again.body.bot, again.body.source.language, again.body.source.privacy],
    ['Alice A.', true, null, 'unlisted'],
  )
  assert.equal((await showAccount(alice)).display_name, 'Alice A.')
  const { body: posted } = await alice.client.post('/api/v1/statuses', { status: 'x' })
  assert.deepEqual([posted.visibility, posted.sensitive], ['unlisted', true])
})

test('BI4 an update as a form, as JSON and as multipart has the same effect', async () => {
  const expected = [
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ]
  const bodies = {
    array: { fields_attributes: expected, locked: true },
    map: { fields_attributes: { 0: expected[0], 1: expected[1] }, locked: 'true' },
  }
  for (const body of Object.values(bodies)) {
    const response = await change(await testServer.createUser(), body)
    const fields = response.body.source.fields.map(({ name, value }: { name: string; value: string }) => ({
      name,
      value,
    }))
    assert.deepEqual([fields, response.body.locked], [expected, true])
  }
  const pairs = {
    'fields_attributes[0][name]': 'a',
    'fields_attributes[0][value]': '1',
    'fields_attributes[1][name]': 'b',
    'fields_attributes[1][value]': '2',
    'source[privacy]': 'private',
    locked: '1',
  }
  const form = await (
    await testServer.createUser()
  ).client.send({
    method: 'PATCH',
    url: PATH,
    payload: new URLSearchParams(pairs).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const parts = await upload(await testServer.createUser(), pairs)
  for (const { body } of [form, parts]) {
    const fields = body.source.fields.map(({ name, value }: { name: string; value: string }) => ({ name, value }))
    assert.deepEqual([fields, body.locked, body.source.privacy], [expected, true, 'private'])
  }
})

test('an update with a text too long, a field without a label or an unknown value is refused as a whole', async () => {
  const alice = await testServer.createUser({ displayName: 'before' })
  const refused: [object, string][] = [
    [{ display_name: 'x'.repeat(41) }, 'Validation failed: Display name is too long (maximum is 40 characters)'],
    [{ note: 'x'.repeat(501) }, 'Validation failed: Note is too long (maximum is 500 characters)'],
    [
      { avatar_description: 'x'.repeat(151) },
      'Validation failed: Avatar description is too long (maximum is 150 characters)',
    ],
    [{ fields_attributes: [{ name: '', value: 'x' }] }, 'Validation failed: Fields must have a label'],
    [
      { fields_attributes: [{ name: 'x', value: 'y'.repeat(256) }] },
      'Validation failed: Fields is too long (maximum is 255 characters)',
    ],
    [
      { fields_attributes: Array.from({ length: 5 }, (_, n) => ({ name: `n${n}`, value: 'v' })) },
      'Validation failed: Fields exceed the maximum of 4',
    ],
    [{ source: { privacy: 'direct' } }, 'Validation failed: Privacy is not included in the list'],
    [{ source: { language: 'klingonese' } }, 'Validation failed: Language is not included in the list'],
  ]
  for (const [body, error] of refused) {
    const response = await change(alice, { display_name: 'after', ...body })
    assert.deepEqual([response.status, response.body.error], [422, error])
    assert.deepEqual(
      Object.values<{ description: string }[]>(response.body.details)
        .flat()
        .map(({ description }) => description),
      [error.replace('Validation failed: ', '')],
    )
  }
  assert.equal((await showAccount(alice)).display_name, 'before')
  // Emoji of several code points count as one, links as 23, and blank fields not at all.
  const accepted = await change(alice, {
    display_name: '👩‍👩‍👧'.repeat(40),
    note: `${'x'.repeat(476)} https://example.com/${'y'.repeat(200)}`,
    fields_attributes: Array.from({ length: 6 }, (_, n) => (n < 2 ? {} : { name: `n${n}`, value: 'v' })),
  })
  assert.deepEqual([accepted.status, accepted.body.fields.length], [200, 4])
})

test('AC8 names and fields are stored on one line', async () => {
  const alice = await testServer.createUser()
  const { body } = await change(alice, {
    display_name: ' Al\r\nBcc: x@y.test\u0000\u2028ice ',
    fields_attributes: [{ name: 'a\nb', value: 'c\r\nd' }],
  })
  assert.equal(body.display_name, 'Al Bcc: x@y.test ice')
  assert.deepEqual([body.source.fields[0].name, body.source.fields[0].value], ['a b', 'c d'])
})

test('BI6 text that PostgreSQL cannot store and values of wrong types cause no server error', async () => {
  const alice = await testServer.createUser()
  for (const display_name of ['\u0000', '\ud800', [], {}, null, 5, true]) {
    assert.equal((await change(alice, { display_name })).status, 200)
  }
  for (const fields_attributes of ['x', 5, [1, 'x', null], { x: { name: [] } }, [[]]]) {
    assert.ok((await change(alice, { fields_attributes })).status < 500)
  }
  for (const body of [{ source: 'x' }, { source: [] }, {}]) {
    assert.equal((await change(alice, body)).status, 200)
  }
  assert.equal((await change(alice, { avatar: 'data:image/png;base64,AAAA' })).status, 422)
})

test('an avatar and a header are cropped and shown, and their files are deleted when they are replaced', async () => {
  const alice = await testServer.createUser()
  const first = await upload(alice, {
    avatar: { filename: '../me.png', type: 'text/html', bytes: await imageBytes('png') },
    header: { filename: 'h.png', type: 'image/png', bytes: await imageBytes('png', 90) },
    display_name: 'With a face',
  })
  assert.equal(first.status, 200)
  assertEntity('CredentialAccount', first.body)
  const { avatar, avatar_static, header, display_name } = first.body
  assert.deepEqual([avatar === avatar_static, display_name], [true, 'With a face'])
  assert.match(avatar, /^https:\/\/linnet\.test\/system\/avatars\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/)
  assert.match(header, /\/system\/headers\//)
  assert.equal((await showAccount(alice)).avatar, avatar)
  const bytes = await testServer.server.inject({ method: 'GET', url: new URL(avatar).pathname })
  const { width, height } = await sharp(bytes.rawPayload).metadata()
  assert.deepEqual([bytes.statusCode, width, height], [200, 400, 400])

  const second = await upload(alice, {
    avatar: { filename: 'a.gif', type: 'image/gif', bytes: await imageBytes('gif') },
  })
  assert.notEqual(second.body.avatar, avatar)
  assert.equal(second.body.header, header)
  await testServer.waitForJobs()
  assert.equal((await testServer.server.inject({ method: 'GET', url: new URL(avatar).pathname })).statusCode, 404)
  assert.equal((await testServer.server.inject({ method: 'GET', url: new URL(header).pathname })).statusCode, 200)
})

test('ME2 an upload that is not an image is refused and changes nothing', async () => {
  const alice = await testServer.createUser({ displayName: 'before' })
  for (const bytes of [
    Buffer.from('<script>alert(1)</script>'),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ]) {
    const response = await upload(alice, {
      avatar: { filename: 'x.png', type: 'image/png', bytes },
      display_name: 'after',
    })
    assert.equal(response.status, 422)
    assert.deepEqual(response.body.details, {
      avatar: [{ error: 'ERR_INVALID', description: response.body.error }],
    })
  }
  const { display_name, avatar } = await showAccount(alice)
  assert.deepEqual([display_name, avatar.endsWith('/missing.png')], ['before', true])
})

test('a form whose file fields have no selected file, as browsers send them, keeps the images', async () => {
  const alice = await testServer.createUser()
  const avatar = { filename: 'a.png', type: 'image/png', bytes: await imageBytes('png') }
  const before = await upload(alice, { avatar })
  const unselected = { filename: '', type: 'application/octet-stream', bytes: Buffer.alloc(0) }
  const after = await upload(alice, { avatar: unselected, header: unselected, display_name: 'Alice' })
  assert.deepEqual([after.status, after.body.display_name, after.body.avatar], [200, 'Alice', before.body.avatar])
  const empty = { ...unselected, filename: 'a.png' }
  assert.equal((await upload(alice, { avatar: empty })).status, 422)
})

test('an uploaded image leaves no file if the update fails', async () => {
  const alice = await testServer.createUser()
  const avatars = join(testServer.ctx.config.dataDir, 'media', 'avatars')
  const before = await readdir(avatars, { recursive: true }).catch(() => [])
  const response = await upload(alice, {
    avatar: { filename: 'a.png', type: 'image/png', bytes: await imageBytes('png') },
    header: { filename: 'h.png', type: 'image/png', bytes: Buffer.from('not an image') },
  })
  assert.equal(response.status, 422)
  const files = (await readdir(avatars, { recursive: true })).filter((name) => name.endsWith('.png'))
  assert.deepEqual(
    files,
    before.filter((name) => name.endsWith('.png')),
  )
})

test('each visible change raises the version of the account, also for ten concurrent updates', async () => {
  const alice = await testServer.createUser()
  const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'own' })
  await change(alice, { display_name: 'first' })
  assert.equal((await testServer.anonymous.get(`/api/v1/statuses/${status.id}`)).body.account.display_name, 'first')
  const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => change(alice, { display_name: `n${n}` })))
  assert.deepEqual([...new Set(responses.map((response) => response.status))], [200])
  const { rows } = await sql<{ version: number; name: string }>`
    select version, display_name as name from accounts where id = ${alice.accountId}`.execute(testServer.ctx.db)
  assert.deepEqual([rows[0]!.version, rows[0]!.name], [12, (await showAccount(alice)).display_name])
})
