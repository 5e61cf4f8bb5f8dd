import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../test/http/client.ts'
import type { ClientResponse, Client } from '../../../test/http/client.ts'
import { createRemoteAccount } from '../../../test/federation/remote-records.ts'
import { waitForInstance } from '../../../test/servers/wait-for-instance.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'
import { changeSetting } from '../../domain/instance/instance-settings.ts'
import type { SettingName } from '../../domain/instance/setting-definitions.ts'
import type { Instance, V1Instance } from '../../entities/instance/instance.ts'

const testServer = await openTestServer()
after(testServer.close)

const readInstance = async ({ anonymous }: TestServer): Promise<Instance> =>
  (await anonymous.get<Instance>('/api/v2/instance')).body
const readV1Instance = async ({ anonymous }: TestServer): Promise<V1Instance> =>
  (await anonymous.get<V1Instance>('/api/v1/instance')).body

test('version 1 of the instance has the same values as version 2', async () => {
  await testServer.createUser({ username: 'captain', role: 'owner' })
  const [newer, older] = [await readInstance(testServer), await readV1Instance(testServer)]
  assertEntity('Instance', newer)
  assertEntity('V1Instance', older)
  const { configuration } = newer
  const { description_limit: _inV2Only, ...mediaLimits } = configuration.media_attachments
  assert.deepEqual(older.configuration, {
    accounts: { max_featured_tags: configuration.accounts.max_featured_tags },
    statuses: configuration.statuses,
    media_attachments: mediaLimits,
    polls: configuration.polls,
  })
  const { title, version, description, languages, contact, rules, thumbnail, registrations } = newer
  assert.deepEqual(
    [older.uri, older.title, older.version, older.description, older.short_description, older.languages],
    [newer.domain, title, version, description, description, languages],
  )
  assert.deepEqual(
    [older.contact_account, older.email, older.rules, older.thumbnail, older.urls.streaming_api],
    [contact.account, contact.email, rules, thumbnail.url, configuration.urls.streaming],
  )
  assert.deepEqual(
    [older.registrations, older.approval_required],
    [registrations.enabled, registrations.approval_required],
  )
  assert.match(version, /^4\.\d+\.\d+ \(compatible; Linnet \d+\.\d+\.\d+\)$/)
})

test('every limit that the instance announces is enforced', async () => {
  const { client } = await testServer.createUser()
  const { accounts, statuses, media_attachments: media, polls } = (await readInstance(testServer)).configuration
  const pixel = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const upload = async (description = '') => {
    const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: pixel }, description })
    return client.post('/api/v2/media', form.payload, form.headers)
  }
  const post = async (body: object) => client.post('/api/v1/statuses', { status: 'x', ...body })
  const attach = async (count: number) => {
    const uploads = await Promise.all(Array.from({ length: count }, () => upload()))
    return post({ media_ids: uploads.map(({ body }) => body.id) })
  }
  const postPoll = (poll: object) => post({ poll: { options: ['a', 'b'], expires_in: 3_600, ...poll } })
  /** Repeats an action for a new user. Returns the last response. */
  const repeat = async (
    count: number,
    act: (client: Client, n: number) => Promise<ClientResponse>,
  ): Promise<ClientResponse> => {
    const { client: newClient } = await testServer.createUser()
    for (let n = 1; n < count; n += 1) await act(newClient, n)
    return act(newClient, count)
  }
  const pinOne = async (user: Client) => {
    const { body } = await user.post('/api/v1/statuses', { status: 'x' })
    return user.post(`/api/v1/statuses/${body.id}/pin`)
  }
  const featureOne = (user: Client, n: number) => user.post('/api/v1/featured_tags', { name: `tag${n}` })
  const change = (body: object) => client.patch('/api/v1/accounts/update_credentials', body)
  const link = `https://example.org/${'x'.repeat(600)}`
  const textOf = (length: number) => 'x'.repeat(length)
  const limits: [string, number, (value: number) => Promise<{ status: number }>][] = [
    ['characters', statuses.max_characters, (n) => post({ status: textOf(n) })],
    [
      'characters of a link',
      statuses.max_characters - statuses.characters_reserved_per_url,
      (n) => post({ status: `${link} ${textOf(n - 1)}` }),
    ],
    ['media', statuses.max_media_attachments, attach],
    ['description of media', media.description_limit, (n) => upload(textOf(n))],
    ['options', polls.max_options, (n) => postPoll({ options: Array.from({ length: n }, (_, i) => `option ${i}`) })],
    ['characters of an option', polls.max_characters_per_option, (n) => postPoll({ options: ['a', textOf(n)] })],
    ['longest poll', polls.max_expiration, (n) => postPoll({ expires_in: n })],
    ['shortest poll', -polls.min_expiration, (n) => postPoll({ expires_in: -n })],
    ['pins', accounts.max_pinned_statuses, (n) => repeat(n, pinOne)],
    ['featured hashtags', accounts.max_featured_tags, (n) => repeat(n, featureOne)],
    ['name', accounts.max_display_name_length, (n) => change({ display_name: textOf(n) })],
    ['note', accounts.max_note_length, (n) => change({ note: textOf(n) })],
    [
      'description of the avatar',
      accounts.max_avatar_description_length,
      (n) => change({ avatar_description: textOf(n) }),
    ],
    [
      'description of the header',
      accounts.max_header_description_length,
      (n) => change({ header_description: textOf(n) }),
    ],
    [
      'name of a field',
      accounts.profile_field_name_limit,
      (n) => change({ fields_attributes: [{ name: textOf(n), value: 'x' }] }),
    ],
    [
      'value of a field',
      accounts.profile_field_value_limit,
      (n) => change({ fields_attributes: [{ name: 'x', value: textOf(n) }] }),
    ],
  ]
  for (const [name, limit, reach] of limits) {
    assert.deepEqual([(await reach(limit)).status, (await reach(limit + 1)).status], [200, 422], name)
  }
  const fields = (n: number) => ({
    fields_attributes: Array.from({ length: n }, (_, index) => ({ name: `n${index}`, value: 'x' })),
  })
  const { max_profile_fields: maxFields } = accounts
  assert.equal((await change(fields(maxFields))).body.fields.length, maxFields)
  assert.equal((await change(fields(maxFields + 1))).status, 422)
})

test('stats count local users, their posts and known servers; usage counts active users', async (t) => {
  const ownServer = await openTestServer({ effects: false })
  t.after(ownServer.close)
  const { db } = ownServer.ctx
  const [active, inactive, suspended] = [
    await ownServer.createUser(),
    await ownServer.createUser(),
    await ownServer.createUser(),
  ]
  await ownServer.createUser({ confirmed: false })
  await ownServer.createUser({ approved: false })
  for (const user of [active, inactive, suspended]) {
    for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
      assert.equal((await user.client.post('/api/v1/statuses', { status: 'x', visibility })).status, 200)
    }
  }
  await sql`update users set last_seen_at = now() - interval '29 days' where id = ${inactive.userId}`.execute(db)
  await suspend(ownServer.ctx, suspended)
  for (const [username, domain] of [
    ['a', 'one.test'],
    ['b', 'one.test'],
    ['c', 'two.test'],
  ] as const) {
    await createRemoteAccount(ownServer.ctx, { uri: `https://${domain}/${username}`, handle: { username, domain } })
  }
  const { stats } = await readV1Instance(ownServer)
  assert.deepEqual(stats, { user_count: 2, status_count: 6, domain_count: 2 })
  assert.equal((await readInstance(ownServer)).usage.users.active_month, 1)
})

test('the instance shows the settings: access to public timelines and the contact account, also after the clock is set back', async (t) => {
  const ownServer = await openTestServer({ effects: false })
  t.after(ownServer.close)
  const { ctx } = ownServer
  const setSetting = (name: SettingName, text: string) => ctx.write((tx) => changeSetting(tx, { by: null, name, text }))
  const hidden = await ownServer.createUser({ role: 'owner', confirmed: false })
  assert.equal((await readInstance(ownServer)).contact.account, null)
  const systemNow = Date.now
  t.mock.method(Date, 'now', () => systemNow() - 3_600_000)
  await setSetting('contact-account', hidden.username)
  const [first, second] = [await ownServer.createUser({ role: 'owner' }), await ownServer.createUser({ role: 'owner' })]
  await waitForInstance(ownServer.anonymous, ({ contact }) => contact.account?.id === first.accountId)
  await setSetting('timelines-local-live', 'authenticated')
  await setSetting('timelines-remote-topic', 'disabled')
  await suspend(ctx, first)
  const instance = await waitForInstance(ownServer.anonymous, ({ contact }) => contact.account?.id !== first.accountId)
  assert.equal(instance.contact.account?.id, second.accountId)
  const topicAccess = { local: 'public', remote: 'disabled' }
  assert.deepEqual(instance.configuration.timelines_access, {
    live_feeds: { local: 'authenticated', remote: 'public' },
    hashtag_feeds: topicAccess,
    trending_link_feeds: topicAccess,
  })
})
