import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { multipart } from '../../../../../test/http/client.ts'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const port = await findPort()
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: `localhost:${port}` } })
after(testServer.close)
const origin = `http://localhost:${port}`

const PATH = '/api/v1/profile'
const read = async ({ client }: TestUser) => (await client.get(PATH)).body
const readPublic = async ({ accountId }: TestUser) =>
  (await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)).body
const readCredentials = async ({ client }: TestUser) => (await client.get('/api/v1/accounts/verify_credentials')).body

async function upload(user: TestUser, path: string, fields: Parameters<typeof multipart>[0]) {
  const { payload, headers } = await multipart(fields)
  return user.client.send({ method: 'PATCH', url: path, payload, headers })
}

/** Two frames in different colours. */
const animation = await sharp(
  Buffer.concat([
    Buffer.alloc(40 * 40 * 3, '\xff\x00\x00', 'latin1'),
    Buffer.alloc(40 * 40 * 3, '\x00\x00\xff', 'latin1'),
  ]),
  { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } },
)
  .gif({ delay: [100, 100] })
  .toBuffer()
const still = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#336699' } })
  .png()
  .toBuffer()

test('an editable profile has the source and the rendered values, and no placeholder images', async () => {
  const alice = await testServer.createUser({ displayName: 'Alice' })
  const before = await read(alice)
  assertEntity('Profile', before)
  assert.deepEqual([before.avatar, before.avatar_static, before.header, before.header_static], [null, null, null, null])
  assert.deepEqual([before.show_media, before.show_media_replies, before.show_featured], [true, true, true])
  assert.deepEqual([before.featured_tags, before.attribution_domains], [[], []])
  const { status, body } = await alice.client.patch(PATH, {
    note: 'I *count*\nhttps://example.com',
    fields_attributes: [{ name: 'Web', value: 'https://example.com' }],
    attribution_domains: ['news.example'],
    hide_collections: true,
    show_media: false,
    show_featured: 'false',
  })
  assert.equal(status, 200)
  assertEntity('Profile', body)
  assert.deepEqual(body, await read(alice))
  assert.deepEqual(
    [body.note, body.fields, body.attribution_domains],
    [
      'I *count*\nhttps://example.com',
      [{ name: 'Web', value: 'https://example.com', verified_at: null }],
      ['news.example'],
    ],
  )
  const account = await readPublic(alice)
  assert.deepEqual([body.formatted_note, body.formatted_fields], [account.note, account.fields])
  for (const entity of [body, account]) {
    assert.deepEqual(
      [
        entity.display_name,
        entity.show_media,
        entity.show_media_replies,
        entity.show_featured,
        entity.hide_collections,
      ],
      ['Alice', false, true, false, true],
    )
  }
})

test('both routes that update a profile accept the same parameters, except for those of their own', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const changes = { display_name: 'Same', bot: true, fields_attributes: { 0: { name: 'a', value: 'b' } } }
  const extra = { show_media: false, source: { privacy: 'private' } }
  await alice.client.patch(PATH, { ...changes, ...extra })
  await bob.client.patch('/api/v1/accounts/update_credentials', { ...changes, ...extra })
  const [first, second] = [await readCredentials(alice), await readCredentials(bob)]
  for (const { display_name, bot, fields } of [first, second]) {
    assert.deepEqual([display_name, bot, fields], ['Same', true, [{ name: 'a', value: 'b', verified_at: null }]])
  }
  assert.deepEqual([first.show_media, first.source.privacy], [false, 'public'])
  assert.deepEqual([second.show_media, second.source.privacy], [true, 'private'])
})

test('both routes that update a profile name the invalid parameters in `details`', async () => {
  const { client } = await testServer.createUser()
  for (const path of [PATH, '/api/v1/accounts/update_credentials']) {
    const changes = { display_name: 'x'.repeat(41), attribution_domains: ['nowhere'] }
    const { status, body } = await client.patch(path, changes)
    assert.equal(status, 422)
    assert.deepEqual(body.details, {
      display_name: [{ error: 'ERR_TOO_LONG', description: 'Display name is too long (maximum is 40 characters)' }],
      attribution_domains: [
        { error: 'ERR_INVALID', description: 'Attribution domains holds “nowhere”, which is not a domain' },
      ],
    })
  }
})

test('the details of an image that is too large name its parameter, and do not repeat that the validation failed', async () => {
  const alice = await testServer.createUser()
  const bytes = Buffer.concat([still, Buffer.alloc(8 * 1024 * 1024)])
  const { status, body } = await upload(alice, PATH, { avatar: { filename: 'a.png', type: 'image/png', bytes } })
  assert.equal(status, 422)
  assert.deepEqual(body, {
    error: 'Validation failed: File size must be less than 8 MB',
    details: { avatar: [{ error: 'ERR_INVALID', description: 'File size must be less than 8 MB' }] },
  })
})

test('an animated avatar has a static version; deleting the avatar deletes both files', async () => {
  const alice = await testServer.createUser()
  const files = {
    avatar: { filename: 'a.gif', type: 'image/gif', bytes: animation },
    header: { filename: 'h.png', type: 'image/png', bytes: still },
    avatar_description: 'Blinking',
    header_description: 'Blue',
  }
  const { status, body } = await upload(alice, PATH, files)
  assert.equal(status, 200)
  assert.match(body.avatar, /\.gif$/)
  assert.match(body.avatar_static, /-static\.png$/)
  assert.equal(body.header, body.header_static)
  const pagesOf = async (url: string) => {
    const { statusCode, rawPayload } = await testServer.server.inject({ method: 'GET', url: new URL(url).pathname })
    return statusCode === 200 ? ((await sharp(rawPayload).metadata()).pages ?? 1) : statusCode
  }
  assert.deepEqual([await pagesOf(body.avatar), await pagesOf(body.avatar_static)], [2, 1])

  const removed = await alice.client.delete(`${PATH}/avatar`)
  assert.equal(removed.status, 200)
  assertEntity('CredentialAccount', removed.body)
  assert.deepEqual(
    [removed.body.avatar, removed.body.avatar_static, removed.body.avatar_description],
    [`${origin}/avatars/original/missing.png`, `${origin}/avatars/original/missing.png`, ''],
  )
  assert.deepEqual([removed.body.header, removed.body.header_description], [body.header, 'Blue'])
  assert.equal((await readPublic(alice)).avatar, removed.body.avatar)
  await testServer.waitForJobs()
  assert.deepEqual([await pagesOf(body.avatar), await pagesOf(body.avatar_static)], [404, 404])
  assert.equal((await alice.client.delete(`${PATH}/header`)).body.header, `${origin}/headers/original/missing.png`)
  assert.equal((await read(alice)).header, null)
  await testServer.waitForJobs()
  assert.equal(await pagesOf(body.header), 404)
  const again = await Promise.all(['avatar', 'header', 'avatar'].map((kind) => alice.client.delete(`${PATH}/${kind}`)))
  assert.deepEqual(
    again.map((response) => response.status),
    [200, 200, 200],
  )
})

test('HT1 HT4 IN26 markup in a profile is text, and javascript: and data: URLs are no links', async () => {
  const alice = await testServer.createUser()
  const markup = '<img src=x onerror=alert(1)>"\'&'
  const { body } = await alice.client.patch(PATH, {
    display_name: '<b>"&',
    note: `${markup} <script>alert(1)</script> javascript:alert(1)`,
    fields_attributes: [
      { name: markup, value: markup },
      { name: 'a', value: 'javascript:alert(1)' },
      { name: 'b', value: 'data:text/html,<script>alert(1)</script>' },
    ],
  })
  const account = await readPublic(alice)
  for (const html of [body.formatted_note, ...body.formatted_fields.map((field: { value: string }) => field.value)]) {
    assert.doesNotMatch(html, /<(?!\/?p>)|href/)
  }
  assert.deepEqual([account.note, account.fields], [body.formatted_note, body.formatted_fields])
  // Names are plain text in JSON; clients escape them.
  assert.deepEqual([account.display_name, account.fields[0].name], ['<b>"&', markup])
})

test('identity proofs are always empty', async () => {
  const [alice, unconfirmed] = [await testServer.createUser(), await testServer.createUser({ confirmed: false })]
  const readProofs = (id: string) => alice.client.get(`/api/v1/accounts/${id}/identity_proofs`)
  assert.deepEqual((await readProofs(alice.accountId)).body, [])
  for (const id of ['404', 'x', unconfirmed.accountId]) assert.equal((await readProofs(id)).status, 404)
})

test('the featured hashtags of a profile count public and unlisted posts', async () => {
  const alice = await testServer.createUser({ username: 'tagger' })
  for (const visibility of ['public', 'unlisted', 'private']) {
    await alice.client.post('/api/v1/statuses', { status: 'about #Birds', visibility })
  }
  const { id } = await testServer.ctx.db
    .selectFrom('tags')
    .select('id')
    .where('name', '=', 'birds')
    .executeTakeFirstOrThrow()
  await testServer.ctx.db
    .insertInto('featured_tags')
    .values({ account_id: alice.accountId, tag_id: id, name: 'Birds' })
    .execute()
  const body = await read(alice)
  assertEntity('Profile', body)
  const [{ name, url, statuses_count: count, last_status_at: newest }] = body.featured_tags
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual([name, url, count, newest], ['Birds', `${origin}/@tagger/tagged/birds`, '2', today])
})

test('masto.js reads and changes profiles, preferences and markers', async () => {
  await testServer.listen()
  const { token } = await testServer.createUser()
  const rest = createRestAPIClient({ url: origin, accessToken: token })
  const changed = await rest.v1.accounts.updateCredentials({
    displayName: 'By a client',
    avatar: new Blob([still], { type: 'image/png' }),
    discoverable: true,
    fieldsAttributes: [{ name: 'Web', value: 'https://example.com' }],
    source: { privacy: 'unlisted', sensitive: true, language: 'de' },
  })
  assert.deepEqual(
    [changed.displayName, changed.discoverable, changed.source.privacy, changed.source.fields?.[0]?.name],
    ['By a client', true, 'unlisted', 'Web'],
  )
  assert.match(changed.avatar, /\/system\/avatars\//)
  const edited = await rest.v1.profile.update({
    header: new Blob([still], { type: 'image/png' }),
    headerDescription: 'A hill',
    showMedia: false,
    attributionDomains: ['example.com'],
  })
  assert.deepEqual([edited.headerDescription, edited.showMedia], ['A hill', false])
  assert.deepEqual(
    [(await rest.v1.profile.fetch()).attributionDomains, edited.displayName],
    [['example.com'], 'By a client'],
  )
  assert.match((await rest.v1.profile.avatar.remove()).avatar, /missing/)
  assert.match((await rest.v1.profile.header.remove()).header, /missing/)
  assert.equal((await rest.v1.preferences.fetch())['posting:default:visibility'], 'unlisted')
  const saved = await rest.v1.markers.create({ home: { lastReadId: '12' } })
  assert.equal(saved.home.version, 0)
  assert.equal((await rest.v1.markers.fetch({ timeline: ['home', 'notifications'] })).home.lastReadId, '12')
})
