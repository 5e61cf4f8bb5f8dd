import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { recordFollowAccept } from '../../domain/relationships/follows/answered-requests.ts'
import { recordRemoteFollow } from '../../domain/relationships/follows/record-remote-follow.ts'
import { favouriteStatus } from '../../domain/statuses/interactions/favourite-status.ts'
import type { Account } from '../../entities/accounts/account.ts'
import type { Notification } from '../../entities/notifications/notification.ts'
import type { Status } from '../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const linnet = await openCommandLine(testServer)
const alice = await testServer.createUser({ username: 'alice' })
const accountOf = async () => (await alice.client.get<Account>(`/api/v1/accounts/${alice.accountId}`)).body

/** Creates an account of a domain that alice follows and that follows her. */
async function createFriend(domain: string, username = 'friend') {
  const uri = `https://${domain}/users/${username}`
  const id = await createRemoteAccount(ctx, { uri, url: uri, handle: { username, domain } })
  await alice.client.post(`/api/v1/accounts/${id}/follow`)
  await ctx.write(async (tx) => {
    await recordFollowAccept(tx, { accountId: alice.accountId, targetAccountId: id })
    await recordRemoteFollow(tx, { accountId: id, targetAccountId: alice.accountId, uri: null })
  })
  const statusId = await createRemoteStatus(ctx, { accountId: id, uri: `https://${domain}/statuses/1` })
  await ctx.db
    .insertInto('custom_emojis')
    .values({ shortcode: 'wave', domain, image_remote_url: `https://${domain}/wave.png` })
    .execute()
  return { id, uri, statusId, username, domain }
}

/** Returns what is needed to create an account of a domain. */
const account = (domain: string) => ({ uri: `https://${domain}/users/a`, handle: { username: 'a', domain } })

/** Returns the ids of the accounts whose domain matches a pattern of `like`. */
async function knownAccounts(pattern: string): Promise<string[]> {
  const rows = await ctx.db.selectFrom('accounts').select('id').where('domain', 'like', pattern).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

const friend = await createFriend('peer.test')
await createFriend('sub.peer.test')
await createFriend('notpeer.test')

test('domains stats shows figures of the domains with the most accounts, or of one', async () => {
  await createRemoteAccount(ctx, { uri: 'https://peer.test/users/b', handle: { username: 'b', domain: 'peer.test' } })
  const rows = (await linnet.lines('domains', 'stats', '--limit', '2')).map((line) => line.split('\t'))
  assert.deepEqual(
    rows.map((row) => row.slice(0, 6)),
    [
      ['peer.test', '2', '1', '1', '1', '0 B'],
      ['notpeer.test', '1', '1', '1', '1', '0 B'],
    ],
  )
  const stats = await linnet.json<Record<string, unknown>>('domains', 'stats', 'Peer.test')
  assert.deepEqual([stats['accounts'], stats['media_bytes'], stats['unavailable_since']], [2, 0, null])
  const lines = await linnet.lines('domains', 'stats', 'peer.test')
  assert.ok(lines.some((line) => /^follows by local users +1$/.test(line)))
  assert.equal(await linnet.error('domains', 'stats', 'unknown.test'), 'No account of unknown.test is known')
  assert.equal(await linnet.error('domains', 'stats', 'linnet.test'), 'linnet.test is this server')
})

test('domains purge removes a domain with its subdomains without notifications, and counters stay right', async () => {
  const { body: status } = await alice.client.post<Status>('/api/v1/statuses', { status: 'Mine' })
  const favourite = { accountId: friend.id, statusId: status.id, uri: 'https://peer.test/likes/1' }
  await ctx.write((tx) => favouriteStatus(tx, favourite))
  assert.deepEqual(await linnet.lines('domains', 'purge', 'peer.test', '--dry-run'), [
    'peer.test: would remove 2 accounts, 1 posts, 1 emojis',
  ])
  assert.deepEqual([(await accountOf()).following_count, (await accountOf()).followers_count], [3, 3])
  assert.deepEqual(await linnet.json('domains', 'purge', 'peer.test', '--include-subdomains'), {
    dry_run: false,
    domains: [{ domain: 'peer.test', accounts: 3, statuses: 2, emojis: 2, domain_blocks: 0 }],
  })
  assert.equal((await alice.client.get(`/api/v1/statuses/${friend.statusId}`)).status, 404)
  await testServer.waitForJobs()
  assert.deepEqual([(await accountOf()).following_count, (await accountOf()).followers_count], [1, 1])
  assert.equal((await alice.client.get<Status>(`/api/v1/statuses/${status.id}`)).body.favourites_count, 0)
  const known = await ctx.db.selectFrom('accounts').select('domain').where('domain', 'is not', null).execute()
  assert.deepEqual(known, [{ domain: 'notpeer.test' }])
  assert.deepEqual(await ctx.db.selectFrom('custom_emojis').select('domain').execute(), [{ domain: 'notpeer.test' }])
  const { body } = await alice.client.get<Notification[]>('/api/v1/notifications', { types: ['severed_relationships'] })
  assert.deepEqual(body, [], 'it has no side effects')
  const entries = await ctx.db
    .selectFrom('audit_log_entries')
    .select(['action', 'account_id', 'label'])
    .where('target_type', '=', 'domain')
    .orderBy('id')
    .execute()
  assert.deepEqual(entries, [{ action: 'purge', account_id: null, label: 'peer.test' }])
})

test('domains purge *.DOMAIN removes the subdomains only', async () => {
  const parent = await createRemoteAccount(ctx, account('pattern.test'))
  await createRemoteAccount(ctx, account('a.pattern.test'))
  await createRemoteAccount(ctx, account('b.a.pattern.test'))
  const other = await createRemoteAccount(ctx, account('notpattern.test'))
  assert.deepEqual(await linnet.lines('domains', 'purge', '*.pattern.test', '--dry-run'), [
    '*.pattern.test: would remove 2 accounts, 0 posts, 0 emojis',
  ])
  assert.deepEqual(await linnet.json('domains', 'purge', '*.Pattern.test', '*.pattern.test'), {
    dry_run: false,
    domains: [{ domain: '*.pattern.test', accounts: 2, statuses: 0, emojis: 0, domain_blocks: 0 }],
  })
  await testServer.waitForJobs()
  assert.deepEqual(await knownAccounts('%pattern.test'), [parent, other])
})

test('domains purge --by-uri compares the hosts of URIs, not the domains of handles', async () => {
  const inside = await createRemoteAccount(ctx, {
    ...account('handle.test'),
    uri: 'https://social.Handle.test/users/a',
  })
  const outside = await createRemoteAccount(ctx, { ...account('other.test'), uri: 'https://handle.test/users/b' })
  assert.deepEqual(await linnet.json('domains', 'purge', '--by-uri', 'handle.test'), {
    dry_run: false,
    domains: [{ domain: 'handle.test', accounts: 1, statuses: 0, emojis: 0, domain_blocks: 0 }],
  })
  await testServer.waitForJobs()
  assert.ok(!(await knownAccounts('other.test')).includes(outside))
  assert.deepEqual(await knownAccounts('handle.test'), [inside])
  await linnet.json('domains', 'purge', '--by-uri', '--include-subdomains', 'handle.test')
  await testServer.waitForJobs()
  assert.deepEqual(await knownAccounts('handle.test'), [])
})

test('domains purge --purge-domain-blocks also removes the blocks of the domains', async () => {
  for (const domain of ['blocked.test', 'sub.blocked.test', 'notblocked.test'])
    await linnet.lines('domain-blocks', 'add', domain, '--severity', 'silence')
  const blocks = async () =>
    (await linnet.json<{ domain: string }[]>('domain-blocks', 'list')).map(({ domain }) => domain)
  await linnet.lines('domains', 'purge', 'blocked.test')
  assert.deepEqual(await blocks(), ['blocked.test', 'notblocked.test', 'sub.blocked.test'])
  const purge = ['domains', 'purge', 'blocked.test', '--purge-domain-blocks'] as const
  assert.deepEqual(await linnet.lines(...purge, '--dry-run'), [
    'blocked.test: would remove 0 accounts, 0 posts, 0 emojis, 1 domain blocks',
  ])
  assert.equal((await blocks()).length, 3)
  await linnet.lines(...purge)
  assert.deepEqual(await blocks(), ['notblocked.test', 'sub.blocked.test'])
  await linnet.lines(...purge, '--include-subdomains')
  assert.deepEqual(await blocks(), ['notblocked.test'])
})

test('a purged account may return, and a purge of this server is refused', async () => {
  const { uri, username, domain } = friend
  const id = await createRemoteAccount(ctx, { uri, handle: { username, domain } })
  assert.equal((await alice.client.get(`/api/v1/accounts/${id}`)).status, 200)
  assert.equal(await linnet.error('domains', 'purge', 'linnet.test'), 'linnet.test is this server')
  assert.equal(await linnet.error('domains', 'purge', 'peer.test', 'no domain'), '"no domain" is not a domain')
  assert.equal((await alice.client.get(`/api/v1/accounts/${id}`)).status, 200)
  assert.equal(await linnet.error('domains', 'purge'), 'Name the domains to remove')
  assert.match(await linnet.error('domains', 'purge', '--limited-federation-mode'), /^Federation is not limited/)
  for (const option of ['peer.test', '--include-subdomains', '--by-uri', '--purge-domain-blocks'])
    assert.match(await linnet.error('domains', 'purge', '--limited-federation-mode', option), /needs no domains/)
})
