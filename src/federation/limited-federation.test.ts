import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { blockDomainAsStaff } from '../../test/features/moderation.ts'
import { createRemoteAccount } from '../../test/federation/remote-records.ts'
import { createBrowser } from '../../test/http/browser.ts'
import { openBrowserSession } from '../../test/http/open-session.ts'
import { openCommandLine } from '../../test/command-line.ts'
import { openFediverse } from '../../test/federation/fediverse.ts'
import type { Fediverse } from '../../test/federation/fediverse.ts'
import type { PeerActor } from '../../test/federation/peer/actor.ts'
import type { TestUser } from '../../test/servers/test-server.ts'
import { changeSetting } from '../domain/instance/instance-settings.ts'
import { allowDomain, removeAllowOfDomain } from '../domain/domain-blocks/allow-domain.ts'
import type { AdminDomainAllow } from '../entities/admin/federation/admin-domain-allow.ts'
import type { Account } from '../entities/accounts/account.ts'

suite('with limited federation', () => {
  let fediverse: Fediverse
  let ann: TestUser
  let friend: PeerActor
  let otherUser: PeerActor

  before(async () => {
    fediverse = await openFediverse({
      hosts: ['friend.test', 'sub.friend.test', 'other.test'],
      env: { LIMITED_FEDERATION_MODE: 'true' },
    })
    await allow('friend.test')
    ann = await fediverse.testServer.createUser({ username: 'ann' })
    friend = await fediverse.peer.host('friend.test').createActor('bob')
    fediverse.peer.host('friend.test').keyFetcher = friend
    otherUser = await fediverse.peer.host('other.test').createActor('mallory')
  })
  after(() => fediverse.close())

  const allow = (domain: string) => fediverse.testServer.ctx.write((tx) => allowDomain(tx, { by: null, domain }))
  const follow = (actor: PeerActor) => actor.activity('Follow', fediverse.uriOf(ann))
  const find = async (handle: string) => {
    const path = `/api/v2/search?resolve=true&type=accounts&q=${encodeURIComponent(handle)}`
    return (await ann.client.get<{ accounts: Account[] }>(path)).body.accounts.map(({ acct }) => acct)
  }

  test('an allowed domain delivers; every other gets 404, and 401 without a signature', async () => {
    await fediverse.deliver(friend, follow(friend))
    assert.deepEqual(await fediverse.notificationsOf(ann), ['follow'])
    const sub = await fediverse.peer.host('sub.friend.test').createActor('carol')
    for (const actor of [otherUser, sub]) {
      assert.equal(await fediverse.expectRejected(actor, follow(actor)), 404)
      assert.equal(await fediverse.expectRejected(actor, actor.activity('Delete', actor.id)), 404)
      assert.equal(await fediverse.expectRejected(actor, follow(actor), { as: 'unsigned' }), 401)
    }
    for (const name of ['other.test', 'sub.friend.test'])
      assert.deepEqual(fediverse.peer.host(name).requests, [], 'nothing is requested from it')
  })

  test('accounts and posts of other domains are not resolved, and nothing is delivered to them', async () => {
    assert.deepEqual(await find(friend.handle), [friend.handle])
    assert.deepEqual(await find(otherUser.handle), [])
    assert.deepEqual(await find(String(otherUser.note()['id'])), [])
    await ann.client.post('/api/v1/statuses', { status: `hello @${friend.handle} and @${otherUser.handle}` })
    await fediverse.testServer.waitForJobs()
    assert.equal(friend.inbox.all('Create').length, 1)
    assert.deepEqual(fediverse.peer.host('other.test').requests, [])
  })

  test('the server publishes neither its peers nor its counts', async () => {
    const { anonymous } = fediverse.testServer
    const { body: instance } = await anonymous.get('/api/v2/instance')
    assert.equal(instance.configuration.limited_federation, true)
    assert.equal(instance.usage.users.active_month, 0)
    assert.equal(instance.configuration.timelines_access.live_feeds.local, 'authenticated')
    assert.equal((await anonymous.get('/api/v1/instance')).body.stats.domain_count, 0)
    assert.equal((await anonymous.get('/nodeinfo/2.0')).body.usage.users.total, 0)
    for (const path of ['/api/v1/instance/peers', '/api/v1/instance/activity', '/api/v1/peers/search?q=fr']) {
      assert.equal((await anonymous.get(path)).status, 401, path)
      assert.equal((await ann.client.get(path)).status, 404, path)
    }
  })

  test('removing an allow ends the relationships and removes the accounts; allowing it again lets them return', async () => {
    const { testServer } = fediverse
    await fediverse.followEachOther(ann, friend)
    const note = friend.note({ content: '<p>from afar</p>' })
    await fediverse.deliver(friend, friend.activity('Create', note, { to: note['to'] }))
    const countAccounts = async () =>
      (await testServer.ctx.db.selectFrom('accounts').select('id').where('domain', '=', 'friend.test').execute()).length
    assert.equal(await countAccounts(), 1)
    await testServer.ctx.write((tx) => removeAllowOfDomain(tx, { by: null, domain: 'FRIEND.test' }))
    await testServer.waitForJobs()
    assert.equal(await countAccounts(), 0)
    assert.equal((await ann.client.get(`/api/v1/accounts/${ann.accountId}`)).body.followers_count, 0)
    assert.equal(await fediverse.findStatus(note['id']), undefined)
    assert.equal(await fediverse.expectRejected(friend, follow(friend)), 404)
    assert.deepEqual(await find(friend.handle), [])

    await allow('friend.test')
    assert.deepEqual(await find(friend.handle), [friend.handle])
    await fediverse.deliver(friend, follow(friend))
    assert.equal((await ann.client.get(`/api/v1/accounts/${ann.accountId}`)).body.followers_count, 1)
  })

  test('a delivery that waits while its domain loses the allow is not sent', async () => {
    const { testServer } = fediverse
    const before = friend.inbox.received.length
    await testServer.ctx.write(async (tx) => {
      const { id } = await tx.db
        .insertInto('sent_activities')
        .values({ uri: 'https://linnet.test/x', account_id: ann.accountId, body: '{}' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const inbox = { inbox_url: 'https://other.test/inbox', domain: 'other.test' }
      await tx.db
        .insertInto('deliveries')
        .values({ activity_id: id, ...inbox, next_attempt_at: tx.now })
        .execute()
      tx.emit('deliveries.due', { domain: 'other.test' })
    })
    await testServer.waitForJobs()
    const rows = await testServer.ctx.db
      .selectFrom('deliveries')
      .select(['state', 'last_error'])
      .where('domain', '=', 'other.test')
      .execute()
    assert.deepEqual(rows, [{ state: 'rejected', last_error: 'This server does not federate with the host' }])
    assert.deepEqual(fediverse.peer.host('other.test').requests, [])
    assert.equal(friend.inbox.received.length, before)
  })

  test('pages show no counts, as in the API, and other parts only to users', async () => {
    const { testServer } = fediverse
    const text = 'Extended description'
    for (const [name, value] of [
      ['extended-description', text],
      ['domain-blocks', 'all'],
    ] as const)
      await testServer.ctx.write((tx) => changeSetting(tx, { by: null, name, text: value }))
    await blockDomainAsStaff(testServer.ctx, 'bad.test', { severity: 'suspend' })
    const visitor = createBrowser(testServer.server)
    const user = await openBrowserSession(testServer, ann)
    for (const path of ['/', '/about']) {
      for (const browser of [visitor, user]) assert.doesNotMatch((await browser.get(path)).html, /class="facts"/, path)
    }
    const { html } = await visitor.get('/about')
    for (const part of [text, 'bad.test']) {
      assert.ok(!html.includes(part), part)
      assert.ok((await user.get('/about')).html.includes(part), part)
    }
  })

  test('accounts that were known before cannot be followed unless their domain is allowed', async () => {
    const { ctx } = fediverse.testServer
    await allow('known.test')
    const handle = { username: 'a', domain: 'known.test' }
    const id = await createRemoteAccount(ctx, { uri: 'https://known.test/users/a', handle })
    // As if federation had not been limited when the account was recorded: nothing removes the account.
    await ctx.db.deleteFrom('domain_allows').where('domain', '=', 'known.test').execute()
    const refused = await ann.client.post(`/api/v1/accounts/${id}/follow`)
    assert.deepEqual([refused.status, refused.body], [403, { error: 'This action is not allowed' }])
    const { body: relationships } = await ann.client.get('/api/v1/accounts/relationships', { 'id[]': id })
    assert.deepEqual([relationships[0].following, relationships[0].requested], [false, false])
    await allow('known.test')
    assert.equal((await ann.client.post(`/api/v1/accounts/${id}/follow`)).status, 200)
    await ctx.write((tx) => removeAllowOfDomain(tx, { by: null, domain: 'known.test' }))
    await fediverse.testServer.waitForJobs()
  })

  test('a relay on a domain that is not allowed is refused with this reason', async () => {
    const { client } = await fediverse.testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
    const { status, body } = await client.post('/api/v1/admin/relays', { inbox_url: 'https://other.test/inbox' })
    const error = 'Validation failed: Inbox url is on a server that is not allowed'
    assert.deepEqual([status, (body as { error: string }).error], [422, error])
    const allowed = await client.post('/api/v1/admin/relays', { inbox_url: 'https://friend.test/inbox' })
    assert.equal(allowed.status, 200)
  })

  test('linnet domains purge --limited-federation-mode removes the domains that are not allowed', async () => {
    const linnet = await openCommandLine(fediverse.testServer, { LIMITED_FEDERATION_MODE: 'true' })
    const { ctx } = fediverse.testServer
    const known = async () => {
      const rows = await ctx.db.selectFrom('accounts').select('domain').distinct().orderBy('domain').execute()
      return rows.flatMap(({ domain }) => domain ?? [])
    }
    for (const domain of ['old.test', 'sub.friend.test']) {
      await allow(domain)
      await createRemoteAccount(ctx, { uri: `https://${domain}/users/a`, handle: { username: 'a', domain } })
      // As if federation had not been limited when the account was recorded: nothing removes the account.
      await ctx.db.deleteFrom('domain_allows').where('domain', '=', domain).execute()
    }
    await ctx.db
      .insertInto('custom_emojis')
      .values({ shortcode: 'wave', domain: 'emoji.test', image_remote_url: 'https://emoji.test/wave.png' })
      .execute()
    const before = await known()
    assert.deepEqual(before, ['friend.test', 'old.test', 'sub.friend.test'])
    const command = ['domains', 'purge', '--limited-federation-mode']
    const lines = [
      'emoji.test: would remove 0 accounts, 0 posts, 1 emojis',
      'old.test: would remove 1 accounts, 0 posts, 0 emojis',
      'sub.friend.test: would remove 1 accounts, 0 posts, 0 emojis',
    ]
    assert.deepEqual(await linnet.lines(...command, '--dry-run'), lines)
    assert.deepEqual(await known(), before)
    assert.equal((await linnet.run(...command)).code, 0)
    await fediverse.testServer.waitForJobs()
    assert.deepEqual(await known(), ['friend.test'])
    assert.deepEqual(await linnet.lines(...command), [])
    assert.match(await linnet.error(...command, 'old.test'), /needs no domains/)
  })

  test('linnet domain-allows adds, lists and removes domains', async () => {
    const linnet = await openCommandLine(fediverse.testServer)
    const list = async () =>
      (await linnet.json<AdminDomainAllow[]>('domain-allows', 'list')).map(({ domain }) => domain)
    assert.deepEqual(await linnet.lines('domain-allows', 'add', 'Bücher.example', 'second.example'), ['OK'])
    assert.deepEqual(await list(), ['second.example', 'xn--bcher-kva.example', 'friend.test'])
    assert.deepEqual(await linnet.lines('domain-allows', 'remove', 'bücher.example'), ['OK'])
    assert.deepEqual(await list(), ['second.example', 'friend.test'])
    const unknown = await linnet.run('domain-allows', 'remove', 'unknown.example')
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'unknown.example is not allowed\n'])
  })
})
