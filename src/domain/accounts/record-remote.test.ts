import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { accountFacts, HOST, newName } from '../../../test/remote.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Account } from '../../entities/account.ts'
import { Conflict, Forbidden } from '../../lib/errors.ts'
import { recordRemoteAccount } from './record-remote.ts'
import type { RemoteAccountFacts } from './record-remote.ts'

const world = await openWorld({ env: { DB_POOL: '10', MEDIA_CACHE_GB: '0' }, effects: false })
after(world.close)
const { ctx } = world

const record = (facts: RemoteAccountFacts) => ctx.write((tx) => recordRemoteAccount(tx, facts))

async function show(id: string): Promise<Account> {
  const { body, status } = await world.anonymous.get<Account>(`/api/v1/accounts/${id}`)
  assert.equal(status, 200)
  return body
}

async function versionOf(id: string): Promise<number> {
  const row = await ctx.db.selectFrom('accounts').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  return row.version
}

test('somebody of another server is shown with their domain, pictures from where they lie, emojis and counters', async () => {
  const name = newName('ada')
  const { accountId, isNew } = await record(
    accountFacts(name, {
      handle: { username: name, domain: 'xn--bcher-kva.test' },
      type: 'Service',
      displayName: `Ada :cat:`,
      note: '<p>Counts.</p>',
      fields: [{ name: 'Web', value: '<a href="https://ada.test">ada</a>' }],
      avatar: { url: `${HOST}/ada.png`, description: 'Her face' },
      header: { url: `${HOST}/wide.png`, description: '' },
      emojis: [
        { uri: `${HOST}/emojis/1`, shortcode: 'cat', imageUrl: `${HOST}/cat.png`, updatedAt: null },
        { uri: `${HOST}/emojis/2`, shortcode: 'unused', imageUrl: `${HOST}/dog.png`, updatedAt: null },
      ],
      statusesCount: 12,
      followersCount: 7e12,
      followingCount: -3,
      hideCollections: true,
    }),
  )
  assert.equal(isNew, true)
  const account = await show(accountId)
  assertOnWire('Account', account)
  assert.equal(account.acct, `${name}@bücher.test`)
  assert.deepEqual(
    [account.avatar, account.avatar_static, account.avatar_description, account.header],
    [`${HOST}/ada.png`, `${HOST}/ada.png`, 'Her face', `${HOST}/wide.png`],
  )
  assert.deepEqual(account.emojis, [
    { shortcode: 'cat', url: `${HOST}/cat.png`, static_url: `${HOST}/cat.png`, visible_in_picker: true },
  ])
  assert.deepEqual([account.statuses_count, account.followers_count, account.following_count], [12, 2_000_000_000, 0])
  assert.deepEqual([account.bot, account.note, account.hide_collections], [true, '<p>Counts.</p>', true])
  assert.deepEqual(account.fields, [{ name: 'Web', value: '<a href="https://ada.test">ada</a>', verified_at: null }])
  assert.equal(account.created_at, '2020-02-03T00:00:00.000Z')
})

test('FP7 somebody who is recorded 20 times at once is one account', async () => {
  const facts = accountFacts(newName('many'))
  const answers = await Promise.all(Array.from({ length: 20 }, () => record(facts)))
  assert.equal(new Set(answers.map(({ accountId }) => accountId)).size, 1)
  assert.equal(answers.filter(({ isNew }) => isNew).length, 1)
  const { rows } = await sql`select from accounts where uri = ${facts.uri}`.execute(ctx.db)
  assert.equal(rows.length, 1)
})

test('only what is shown makes a new version, and what its server does not tell stays', async () => {
  const name = newName('change')
  const { accountId } = await record(accountFacts(name, { hideCollections: true, followersCount: 5 }))
  const first = await versionOf(accountId)
  await record(accountFacts(name, { inboxUrl: `${HOST}/elsewhere`, keys: [] }))
  assert.equal(await versionOf(accountId), first)
  await record(accountFacts(name, { displayName: 'New' }))
  assert.equal(await versionOf(accountId), first + 1)
  const { display_name, hide_collections, followers_count } = await show(accountId)
  assert.deepEqual([display_name, hide_collections, followers_count], ['New', true, 5])
})

test('an emoji shows its new picture as soon as that is known, and never an older one', async () => {
  const name = newName('emoji')
  const at = (day: string, file: string) =>
    accountFacts(name, {
      displayName: ':sun:',
      emojis: [{ uri: null, shortcode: 'sun', imageUrl: `${HOST}/${file}`, updatedAt: new Date(`2026-01-${day}`) }],
    })
  const { accountId } = await record(at('02', 'b.png'))
  assert.equal((await show(accountId)).emojis[0]?.url, `${HOST}/b.png`)
  await record(at('03', 'c.png'))
  assert.equal((await show(accountId)).emojis[0]?.url, `${HOST}/c.png`)
  await record(at('01', 'a.png'))
  assert.equal((await show(accountId)).emojis[0]?.url, `${HOST}/c.png`)
})

test('IN25 a handle is taken from another address only by proof; who loses it stays as somebody else', async () => {
  const name = newName('taken')
  const { accountId: old } = await record(accountFacts(name))
  const other = accountFacts(name.toUpperCase(), { uri: `${HOST}/users/other-${name}` })
  await assert.rejects(record(other), Conflict)
  const { accountId: now } = await record({ ...other, handleProven: true })
  assert.notEqual(now, old)
  assert.equal((await show(now)).acct, `${name.toUpperCase()}@far.test`)
  assert.equal((await show(old)).acct, `${name}@${old}.invalid`)
})

test('a handle changes only by proof', async () => {
  const name = newName('before')
  const facts = accountFacts(name)
  const { accountId } = await record(facts)
  const handle = { username: newName('after'), domain: 'far.test' }
  await record({ ...facts, handle })
  assert.equal((await show(accountId)).username, name)
  await record({ ...facts, handle, handleProven: true })
  assert.equal((await show(accountId)).username, handle.username)
})

test('IN25 nobody of another server can be of here', async () => {
  const { accountId } = await world.createPerson()
  const own = `${ctx.config.origin}/ap/users/${accountId}`
  for (const more of [
    { uri: own },
    { uri: `${ctx.config.origin}/users/new` },
    { handle: { username: newName(), domain: 'linnet.test' } },
  ]) {
    await assert.rejects(record({ ...accountFacts(newName(), more), handleProven: true }), Forbidden)
  }
})

test('keys are those of the newest document; one that is known as another’s stays that one’s', async () => {
  const [first, second] = [newName('key'), newName('key')]
  const keysOf = async (accountId: string) => {
    const rows = await ctx.db
      .selectFrom('actor_keys')
      .select(['key_id', 'public_key_pem'])
      .where('account_id', '=', accountId)
      .orderBy('key_id')
      .execute()
    return rows.map((row) => `${row.key_id} ${row.public_key_pem}`)
  }
  const { accountId } = await record(accountFacts(first, { keys: [{ id: `${HOST}/k1`, pem: 'one' }] }))
  await record(accountFacts(second, { keys: [{ id: `${HOST}/k1`, pem: 'stolen' }] }))
  assert.deepEqual(await keysOf(accountId), [`${HOST}/k1 one`])
  await record(accountFacts(first, { keys: [{ id: `${HOST}/k2`, pem: 'two' }] }))
  assert.deepEqual(await keysOf(accountId), [`${HOST}/k2 two`])
})

test('what its own server suspends that server restores, and nothing else', async () => {
  const name = newName('sus')
  const { accountId } = await record(accountFacts(name, { displayName: 'Here', suspended: true }))
  assert.deepEqual([(await show(accountId)).suspended, (await show(accountId)).display_name], [true, ''])
  await record(accountFacts(name, { displayName: 'Here' }))
  assert.deepEqual([(await show(accountId)).suspended, (await show(accountId)).display_name], [undefined, 'Here'])
  await sql`update accounts set suspended_at = now() where id = ${accountId}`.execute(ctx.db)
  await record(accountFacts(name, { displayName: 'Back' }))
  assert.equal((await show(accountId)).suspended, true)
})

test('whom somebody moved to is shown if they are known here', async () => {
  const target = accountFacts(newName('to'))
  const name = newName('from')
  const { accountId } = await record(accountFacts(name, { movedTo: target.uri }))
  assert.equal((await show(accountId)).moved, undefined)
  const { accountId: targetId } = await record(target)
  await record(accountFacts(name, { movedTo: target.uri }))
  assert.equal((await show(accountId)).moved?.id, targetId)
})

test('VI15 whoever comes from a silenced domain, or from below it, is silenced; from a suspended one nobody comes', async () => {
  await ctx.db
    .insertInto('domain_blocks')
    .values([
      { domain: 'quiet.test', severity: 'silence' },
      { domain: 'bad.test', severity: 'suspend' },
    ])
    .execute()
  const from = (domain: string) => accountFacts(newName('blocked'), { handle: { username: newName('b'), domain } })
  const { accountId } = await record(from('sub.quiet.test'))
  assert.equal((await show(accountId)).limited, true)
  await assert.rejects(record(from('bad.test')), Forbidden)
})
