import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { remoteAccountRecord, HOST, uniqueName } from '../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { blockDomainAsStaff, limit, sensitize, suspend, unsuspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Account } from '../../../entities/accounts/account.ts'
import { ConflictError, ForbiddenError } from '../../../lib/errors.ts'
import { recordRemoteAccount } from './record-remote-account.ts'
import type { RemoteAccountFacts } from './record-remote-account.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10', MEDIA_CACHE_GB: '0' }, effects: false })
after(testServer.close)
const { ctx } = testServer

const record = (facts: RemoteAccountFacts) => ctx.write((tx) => recordRemoteAccount(tx, facts))

async function fetchAccount(id: string): Promise<Account> {
  const { body, status } = await testServer.anonymous.get<Account>(`/api/v1/accounts/${id}`)
  assert.equal(status, 200)
  return body
}

async function versionOf(id: string): Promise<number> {
  const row = await ctx.db.selectFrom('accounts').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  return row.version
}

test('a remote account is shown with its domain, remote image URLs, emojis and counters', async () => {
  const name = uniqueName('ada')
  const { accountId, isNew } = await record(
    remoteAccountRecord(name, {
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
  const account = await fetchAccount(accountId)
  assertEntity('Account', account)
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

test('FP7 20 concurrent recordings of one actor create one account', async () => {
  const facts = remoteAccountRecord(uniqueName('many'))
  const results = await Promise.all(Array.from({ length: 20 }, () => record(facts)))
  assert.equal(new Set(results.map(({ accountId }) => accountId)).size, 1)
  assert.equal(results.filter(({ isNew }) => isNew).length, 1)
  const { rows } = await sql`select from accounts where uri = ${facts.uri}`.execute(ctx.db)
  assert.equal(rows.length, 1)
})

test('only changes of shown columns raise the version, and values that the actor document lacks stay', async () => {
  const name = uniqueName('change')
  const { accountId } = await record(remoteAccountRecord(name, { hideCollections: true, followersCount: 5 }))
  const first = await versionOf(accountId)
  await record(remoteAccountRecord(name, { inboxUrl: `${HOST}/other-inbox`, keys: [] }))
  assert.equal(await versionOf(accountId), first)
  await record(remoteAccountRecord(name, { displayName: 'New' }))
  assert.equal(await versionOf(accountId), first + 1)
  const { display_name, hide_collections, followers_count } = await fetchAccount(accountId)
  assert.deepEqual([display_name, hide_collections, followers_count], ['New', true, 5])
})

test('an emoji shows a newer image as soon as it is recorded, and never an older one', async () => {
  const name = uniqueName('emoji')
  const at = (day: string, file: string) =>
    remoteAccountRecord(name, {
      displayName: ':sun:',
      emojis: [{ uri: null, shortcode: 'sun', imageUrl: `${HOST}/${file}`, updatedAt: new Date(`2026-01-${day}`) }],
    })
  const { accountId } = await record(at('02', 'b.png'))
  assert.equal((await fetchAccount(accountId)).emojis[0]?.url, `${HOST}/b.png`)
  await record(at('03', 'c.png'))
  assert.equal((await fetchAccount(accountId)).emojis[0]?.url, `${HOST}/c.png`)
  await record(at('01', 'a.png'))
  assert.equal((await fetchAccount(accountId)).emojis[0]?.url, `${HOST}/c.png`)
  await record(at('03', 'moved/c.png'))
  assert.equal((await fetchAccount(accountId)).emojis[0]?.url, `${HOST}/moved/c.png`)
})

test('IN25 a handle moves to another actor only by proof; the former account gets an invalid domain', async () => {
  const name = uniqueName('taken')
  const { accountId: old } = await record(remoteAccountRecord(name))
  const other = remoteAccountRecord(name.toUpperCase(), { uri: `${HOST}/users/other-${name}` })
  await assert.rejects(record(other), ConflictError)
  const { accountId: now } = await record({ ...other, handleProven: true })
  assert.notEqual(now, old)
  assert.equal((await fetchAccount(now)).acct, `${name.toUpperCase()}@far.test`)
  assert.equal((await fetchAccount(old)).acct, `${name}@${old}.invalid`)
})

test('a new actor with the handle of a suspended account is refused; one with that of a limited account is limited', async () => {
  const createRenewed = async (name: string) =>
    record({ ...remoteAccountRecord(name, { uri: `${HOST}/users/renewed-${name}` }), handleProven: true })
  const [suspended, limited] = [uniqueName('suspended'), uniqueName('limited')]
  const { accountId: former } = await record(remoteAccountRecord(suspended))
  await suspend(ctx, { accountId: former })
  await assert.rejects(createRenewed(suspended), ForbiddenError)
  await unsuspend(ctx, { accountId: former })
  await createRenewed(suspended)

  const { accountId } = await record(remoteAccountRecord(limited))
  await limit(ctx, { accountId })
  await sensitize(ctx, { accountId })
  const renewed = await createRenewed(limited)
  const row = await ctx.db
    .selectFrom('accounts')
    .select(['silenced_at', 'silenced_by_domain_block', 'sensitized_at'])
    .where('id', '=', renewed.accountId)
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [row.silenced_at !== null, row.silenced_by_domain_block, row.sensitized_at !== null],
    [true, false, true],
  )
})

test('the handle of an account changes only by proof', async () => {
  const name = uniqueName('before')
  const facts = remoteAccountRecord(name)
  const { accountId } = await record(facts)
  const handle = { username: uniqueName('after'), domain: 'far.test' }
  await record({ ...facts, handle })
  assert.equal((await fetchAccount(accountId)).username, name)
  await record({ ...facts, handle, handleProven: true })
  assert.equal((await fetchAccount(accountId)).username, handle.username)
})

test('IN25 a remote account cannot have a URI or domain of this server', async () => {
  const { accountId } = await testServer.createUser()
  const own = `${ctx.config.origin}/ap/users/${accountId}`
  for (const overrides of [
    { uri: own },
    { uri: `${ctx.config.origin}/users/new` },
    { handle: { username: uniqueName(), domain: 'linnet.test' } },
  ]) {
    await assert.rejects(
      record({ ...remoteAccountRecord(uniqueName(), overrides), handleProven: true }),
      ForbiddenError,
    )
  }
})

test('keys are those of the newest document; a key of another account stays with that account', async () => {
  const [first, second] = [uniqueName('key'), uniqueName('key')]
  const keysOf = async (accountId: string) => {
    const rows = await ctx.db
      .selectFrom('actor_keys')
      .select(['key_id', 'public_key_pem'])
      .where('account_id', '=', accountId)
      .orderBy('key_id')
      .execute()
    return rows.map((row) => `${row.key_id} ${row.public_key_pem}`)
  }
  const { accountId } = await record(remoteAccountRecord(first, { keys: [{ id: `${HOST}/k1`, pem: 'one' }] }))
  await record(remoteAccountRecord(second, { keys: [{ id: `${HOST}/k1`, pem: 'stolen' }] }))
  assert.deepEqual(await keysOf(accountId), [`${HOST}/k1 one`])
  await record(remoteAccountRecord(first, { keys: [{ id: `${HOST}/k2`, pem: 'two' }] }))
  assert.deepEqual(await keysOf(accountId), [`${HOST}/k2 two`])
})

test('an actor document lifts a suspension by its own server, but not one by this server', async () => {
  const name = uniqueName('sus')
  const { accountId } = await record(remoteAccountRecord(name, { displayName: 'Here', suspended: true }))
  assert.deepEqual(
    [(await fetchAccount(accountId)).suspended, (await fetchAccount(accountId)).display_name],
    [true, ''],
  )
  await record(remoteAccountRecord(name, { displayName: 'Here' }))
  assert.deepEqual(
    [(await fetchAccount(accountId)).suspended, (await fetchAccount(accountId)).display_name],
    [undefined, 'Here'],
  )
  await suspend(ctx, { accountId })
  await record(remoteAccountRecord(name, { displayName: 'Back' }))
  assert.equal((await fetchAccount(accountId)).suspended, true)
})

test('the target of a move is shown if it is known', async () => {
  const target = remoteAccountRecord(uniqueName('to'))
  const name = uniqueName('from')
  const { accountId } = await record(remoteAccountRecord(name, { movedTo: target.uri }))
  assert.equal((await fetchAccount(accountId)).moved, undefined)
  const { accountId: targetId } = await record(target)
  await record(remoteAccountRecord(name, { movedTo: target.uri }))
  assert.equal((await fetchAccount(accountId)).moved?.id, targetId)
})

test('VI15 an account of a limited domain or subdomain is limited; one of a suspended domain is refused', async () => {
  await blockDomainAsStaff(ctx, 'quiet.test', { severity: 'silence' })
  await blockDomainAsStaff(ctx, 'bad.test', { severity: 'suspend' })
  const from = (domain: string) =>
    remoteAccountRecord(uniqueName('blocked'), { handle: { username: uniqueName('b'), domain } })
  const { accountId } = await record(from('sub.quiet.test'))
  assert.equal((await fetchAccount(accountId)).limited, true)
  await assert.rejects(record(from('bad.test')), ForbiddenError)
})
