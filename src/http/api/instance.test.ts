import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { multipart } from '../../../test/client.ts'
import type { Answer, Client } from '../../../test/client.ts'
import { makeRemote } from '../../../test/remote.ts'
import { untilInstance } from '../../../test/until-instance.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { changeSetting } from '../../domain/instance/settings.ts'
import type { SettingName } from '../../domain/instance/settings.ts'
import type { Instance, V1Instance } from '../../entities/instance.ts'

const world = await openWorld()
after(world.close)

const present = async ({ anonymous }: World): Promise<Instance> =>
  (await anonymous.get<Instance>('/api/v2/instance')).body
const presentV1 = async ({ anonymous }: World): Promise<V1Instance> =>
  (await anonymous.get<V1Instance>('/api/v1/instance')).body

test('the older form of the instance tells the same as the newer one', async () => {
  await world.createPerson({ username: 'captain', role: 'owner' })
  const [newer, older] = [await present(world), await presentV1(world)]
  assertOnWire('Instance', newer)
  assertOnWire('V1Instance', older)
  const { configuration } = newer
  const { description_limit: _later, ...mediaLimits } = configuration.media_attachments
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

test('every limit that the instance tells is one that holds', async () => {
  const { client } = await world.createPerson()
  const { accounts, statuses, media_attachments: media, polls } = (await present(world)).configuration
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
  const ask = (poll: object) => post({ poll: { options: ['a', 'b'], expires_in: 3_600, ...poll } })
  /** Does something so often for somebody new. Gives the last answer. */
  const repeat = async (count: number, act: (own: Client, n: number) => Promise<Answer>): Promise<Answer> => {
    const { client: own } = await world.createPerson()
    for (let n = 1; n < count; n += 1) await act(own, n)
    return act(own, count)
  }
  const pinOne = async (own: Client) => {
    const { body } = await own.post('/api/v1/statuses', { status: 'x' })
    return own.post(`/api/v1/statuses/${body.id}/pin`)
  }
  const featureOne = (own: Client, n: number) => own.post('/api/v1/featured_tags', { name: `tag${n}` })
  const change = (body: object) => client.patch('/api/v1/accounts/update_credentials', body)
  const link = `https://example.org/${'x'.repeat(600)}`
  const words = (length: number) => 'x'.repeat(length)
  const limits: [string, number, (value: number) => Promise<{ status: number }>][] = [
    ['characters', statuses.max_characters, (n) => post({ status: words(n) })],
    [
      'characters of a link',
      statuses.max_characters - statuses.characters_reserved_per_url,
      (n) => post({ status: `${link} ${words(n - 1)}` }),
    ],
    ['media', statuses.max_media_attachments, attach],
    ['description of media', media.description_limit, (n) => upload(words(n))],
    ['options', polls.max_options, (n) => ask({ options: Array.from({ length: n }, (_, i) => `option ${i}`) })],
    ['characters of an option', polls.max_characters_per_option, (n) => ask({ options: ['a', words(n)] })],
    ['longest poll', polls.max_expiration, (n) => ask({ expires_in: n })],
    ['shortest poll', -polls.min_expiration, (n) => ask({ expires_in: -n })],
    ['pins', accounts.max_pinned_statuses, (n) => repeat(n, pinOne)],
    ['featured hashtags', accounts.max_featured_tags, (n) => repeat(n, featureOne)],
    ['name', accounts.max_display_name_length, (n) => change({ display_name: words(n) })],
    ['note', accounts.max_note_length, (n) => change({ note: words(n) })],
    [
      'description of the avatar',
      accounts.max_avatar_description_length,
      (n) => change({ avatar_description: words(n) }),
    ],
    [
      'description of the header',
      accounts.max_header_description_length,
      (n) => change({ header_description: words(n) }),
    ],
    [
      'name of a field',
      accounts.profile_field_name_limit,
      (n) => change({ fields_attributes: [{ name: words(n), value: 'x' }] }),
    ],
    [
      'value of a field',
      accounts.profile_field_value_limit,
      (n) => change({ fields_attributes: [{ name: 'x', value: words(n) }] }),
    ],
  ]
  for (const [name, limit, reach] of limits) {
    assert.deepEqual([(await reach(limit)).status, (await reach(limit + 1)).status], [200, 422], name)
  }
  const fields = (n: number) => ({
    fields_attributes: Array.from({ length: n }, (_, index) => ({ name: `n${index}`, value: 'x' })),
  })
  const { max_profile_fields: most } = accounts
  assert.equal((await change(fields(most))).body.fields.length, most)
  assert.equal((await change(fields(most + 1))).status, 422)
})

test('people who are here, their posts and known servers are counted', async (t) => {
  const quiet = await openWorld({ effects: false })
  t.after(quiet.close)
  const { db } = quiet.ctx
  const [here, away, gone] = [await quiet.createPerson(), await quiet.createPerson(), await quiet.createPerson()]
  await quiet.createPerson({ confirmed: false })
  await quiet.createPerson({ approved: false })
  for (const person of [here, away, gone]) {
    for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
      assert.equal((await person.client.post('/api/v1/statuses', { status: 'x', visibility })).status, 200)
    }
  }
  await sql`update users set last_seen_at = now() - interval '29 days' where id = ${away.userId}`.execute(db)
  await sql`update accounts set suspended_at = now() where id = ${gone.accountId}`.execute(db)
  for (const [username, domain] of [
    ['a', 'one.test'],
    ['b', 'one.test'],
    ['c', 'two.test'],
  ] as const) {
    await makeRemote(quiet.ctx, { uri: `https://${domain}/${username}`, handle: { username, domain } })
  }
  const { stats } = await presentV1(quiet)
  assert.deepEqual(stats, { user_count: 2, status_count: 6, domain_count: 2 })
  assert.equal((await present(quiet)).usage.users.active_month, 1)
})

test('what the owner sets is told: who may read public timelines, and whom people can turn to', async (t) => {
  const quiet = await openWorld({ effects: false })
  t.after(quiet.close)
  const { ctx } = quiet
  const choose = (name: SettingName, text: string) => ctx.write((tx) => changeSetting(tx, { name, text }))
  const [first, second] = [await quiet.createPerson({ role: 'owner' }), await quiet.createPerson({ role: 'owner' })]
  assert.equal((await present(quiet)).contact.account?.id, first.accountId)
  await choose('timelines-local-live', 'authenticated')
  await choose('timelines-remote-topic', 'disabled')
  await sql`update accounts set suspended_at = now() where id = ${first.accountId}`.execute(ctx.db)
  const told = await untilInstance(quiet.anonymous, ({ contact }) => contact.account?.id !== first.accountId)
  assert.equal(told.contact.account?.id, second.accountId)
  const byTopic = { local: 'public', remote: 'disabled' }
  assert.deepEqual(told.configuration.timelines_access, {
    live_feeds: { local: 'authenticated', remote: 'public' },
    hashtag_feeds: byTopic,
    trending_link_feeds: byTopic,
  })
})
