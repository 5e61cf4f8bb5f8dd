// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { createClient } from '../../../../test/http/client.ts'
import type { Client } from '../../../../test/http/client.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../../test/jobs/make-jobs-due.ts'
import { createUserWithPassword } from '../../../../test/servers/create-user-with-password.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'
import { migrateRelationships } from '../../../domain/relationships/migration/migrate-relationships.ts'
import type { Relationship } from '../../../entities/accounts/relationship.ts'

const fediverse = await openFediverse({ hosts: ['one.test', 'two.test', 'three.test'] })
const { testServer, peer, uriOf, deliver } = fediverse
after(fediverse.close)
const { ctx } = testServer
const [one, two] = [peer.host('one.test'), peer.host('two.test')]
const { keys } = await one.createActor('key')
const DOCUMENT = { accept: 'application/activity+json' }

interface MigratingUser {
  accountId: string
  username: string
  browser: Browser
  client: Client
}

/** Creates a user who is logged in by password and has a token. */
async function createMigratingUser(username: string): Promise<MigratingUser> {
  const { accountId, userId } = await createUserWithPassword(ctx, username)
  const scopes = ['read', 'write', 'follow']
  const { token } = await ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes }))
  const browser = await signIn(testServer.server, { login: username })
  return { accountId, username, browser, client: createClient(testServer.server, { token }) }
}

const readActor = async ({ accountId }: { accountId: string }) =>
  (await testServer.anonymous.send({ method: 'GET', url: `/ap/users/${accountId}`, headers: DOCUMENT })).body
const addAlias = async ({ browser }: MigratingUser, acct: string): Promise<PageResponse> =>
  browser.submit(await browser.get('/settings/aliases'), '/settings/aliases', { acct })
const move = async ({ browser }: MigratingUser, acct: string): Promise<PageResponse> =>
  browser.submit(await browser.get('/settings/migration'), '/settings/migration', { acct })
const isUpdate = ({ type }: { type?: string }) => type === 'Update'

suite('account aliases', () => {
  test('are added by handle or URL, published to other servers, and removed', async () => {
    const ann = await createMigratingUser('ann')
    const [bob, follower] = [await one.createActor('bob', { keys }), await two.createActor('fan', { keys })]
    const neighbour = await testServer.createUser({ username: 'neighbour' })
    await deliver(follower, follower.activity('Follow', uriOf(ann)))

    assert.match((await addAlias(ann, '@bob@one.test')).text, /bob@one\.test/)
    await makeJobsDue(testServer.ctx, 'deliverProfile')
    const { activity } = await follower.inbox.next(isUpdate)
    assert.deepEqual(activity['object'].alsoKnownAs, [bob.id])
    for (const name of [bob.id, ' bob@ONE.test ', 'neighbour', 'https://linnet.test/@neighbour']) {
      assert.equal((await addAlias(ann, name)).status, 200, name)
    }
    assert.deepEqual((await readActor(ann)).alsoKnownAs, [bob.id, uriOf(neighbour)])

    const page = await ann.browser.get('/settings/aliases')
    assert.equal(page.forms.filter(({ action }) => action === '/settings/aliases/remove').length, 2)
    const removed = await ann.browser.submit(page, '/settings/aliases/remove')
    assert.doesNotMatch(removed.text, /bob@one\.test/)
    assert.deepEqual((await readActor(ann)).alsoKnownAs, [uriOf(neighbour)])
  })

  test('must be accounts of other users that can be resolved', async () => {
    const eve = await createMigratingUser('eve')
    for (const [name, text] of [
      ['', /No account was found/],
      ['nobody@one.test', /No account was found/],
      ['https://one.test/users/bob/followers', /No account was found/],
      ['javascript:alert(1)', /No account was found/],
      ['eve', /the account that you are using/],
    ] as const) {
      const visit = await addAlias(eve, name)
      assert.equal(visit.status, 422, name)
      assert.match(visit.text, text)
    }
    assert.equal((await readActor(eve)).alsoKnownAs, undefined)
  })
})

suite('account migration', () => {
  test('moves local and remote followers to the new account, which must have the old one as an alias', async () => {
    const blocker = await peer.host('three.test').createActor('blocker', { keys })
    const [mia, friend] = [await createMigratingUser('mia'), await testServer.createUser()]
    const target = await two.createActor('mia', { keys })
    const follower = await one.createActor('follower', { keys })
    await deliver(follower, follower.activity('Follow', uriOf(mia)))
    await deliver(blocker, blocker.activity('Block', uriOf(mia)))
    await friend.client.post(`/api/v1/accounts/${mia.accountId}/follow`)

    for (const [name, text] of [
      [target.handle, /does not list this one as an alias yet/],
      ['nobody@two.test', /No account was found/],
      ['mia', /the account that you are using/],
    ] as const) {
      const visit = await move(mia, name)
      assert.equal(visit.status, 422)
      assert.match(visit.text, text)
    }
    // The new account is fetched again, although it is known by now.
    target.document['alsoKnownAs'] = [uriOf(mia)]
    assert.match((await move(mia, `@${target.handle}`)).text, /mia@two\.test/)
    await testServer.waitForJobs()

    const sent = one.inbox.received.map(({ activity }) => activity).filter(({ actor }) => actor === uriOf(mia))
    const last = new Map(sent.map((activity) => [activity.type, activity]))
    assert.equal(last.get('Update')!['object'].movedTo, target.id)
    const { object, target: to, id } = last.get('Move')!
    assert.deepEqual([object, to], [uriOf(mia), target.id])
    assert.match(id, /#moves\/\d+$/)
    // Their server can extend the block to the new account.
    assert.deepEqual(
      blocker.inbox.received.map(({ activity }) => activity.type),
      ['Move'],
    )
    const { activity: follow } = await target.inbox.next(({ type }) => type === 'Follow')
    assert.equal(follow['actor'], uriOf(friend))
    const { body: known } = await friend.client.get('/api/v1/accounts/relationships', { id: [mia.accountId] })
    assert.equal(known[0].following, false)
  })

  test('leaves an account that shows its new account, and can do nothing until the redirect is cancelled', async () => {
    const [mia, reader] = [await accountOf('mia'), await testServer.createUser()]
    const { body: shown } = await reader.client.get(`/api/v1/accounts/${mia}`)
    assert.deepEqual([shown.moved.acct, shown.moved.moved], ['mia@two.test', undefined])
    assert.equal((await reader.client.post(`/api/v1/accounts/${mia}/follow`)).status, 403)
    const late = await one.createActor('late', { keys })
    await deliver(late, late.activity('Follow', uriOf({ accountId: mia })))
    await late.inbox.next(({ type }) => type === 'Reject')
    const { body: found } = await reader.client.get('/api/v1/accounts/search', { q: 'mia' })
    assert.deepEqual(
      found.map(({ acct }: { acct: string }) => acct),
      ['mia@two.test'],
    )

    const browser = await signIn(testServer.server, { login: 'mia' })
    assert.equal((await browser.get('/account')).location, '/settings/migration')
    const page = await browser.get('/settings/migration')
    assert.match(page.text, /You have moved/)
    const again = await browser.submit(page, '/settings/migration', { acct: 'late@one.test' })
    assert.match(again.text, /does not list this one/)
    late.document['alsoKnownAs'] = [uriOf({ accountId: mia })]
    const tooSoon = await browser.submit(page, '/settings/migration', { acct: 'late@one.test' })
    assert.match(tooSoon.text, /moved recently/)

    one.inbox.clear()
    await browser.submit(page, '/settings/migration/cancel')
    await makeJobsDue(testServer.ctx, 'deliverProfile')
    const { activity } = await one.inbox.next(isUpdate)
    assert.equal(activity['object'].movedTo, undefined)
    assert.equal((await browser.get('/account')).status, 200)
    assert.equal((await reader.client.get(`/api/v1/accounts/${mia}`)).body.moved, undefined)
    assert.equal((await reader.client.post(`/api/v1/accounts/${mia}/follow`)).body.following, true)
  })

  test('disables the tokens of the user until the redirect is cancelled', async () => {
    const [tom, there] = [await createMigratingUser('tom'), await createMigratingUser('there')]
    await addAlias(there, 'tom')
    assert.equal((await move(tom, 'there@linnet.test')).status, 200)
    const refused = await tom.client.post('/api/v1/statuses', { status: 'still here' })
    assert.deepEqual([refused.status, refused.body.error], [403, 'Your login is currently disabled'])
    const page = await tom.browser.get('/settings/migration')
    await tom.browser.submit(page, '/settings/migration/cancel')
    assert.equal((await tom.client.post('/api/v1/statuses', { status: 'back' })).status, 200)
  })

  test('between local accounts moves all followers, once', async () => {
    const [from, to] = [await createMigratingUser('from'), await createMigratingUser('to')]
    const [ann, ben, remote] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await one.createActor('r', { keys }),
    ]
    for (const follower of [ann, ben])
      await follower.client.post(`/api/v1/accounts/${from.accountId}/follow`, { reblogs: false })
    await ben.client.post(`/api/v1/accounts/${to.accountId}/follow`)
    await deliver(remote, remote.activity('Follow', uriOf(from)))
    await to.client.patch('/api/v1/accounts/update_credentials', { locked: true })
    await addAlias(to, 'from')
    await move(from, 'to')
    await testServer.waitForJobs()
    await migrateRelationships(ctx, { accountId: from.accountId, targetAccountId: to.accountId })
    for (const [follower, showsReblogs] of [
      [ann, false],
      [ben, true],
    ] as const) {
      const { body } = await follower.client.get<Relationship[]>('/api/v1/accounts/relationships', {
        id: [from.accountId, to.accountId],
      })
      assert.deepEqual(
        body.map((one) => [one.following, one.showing_reblogs]),
        [
          [false, false],
          [true, showsReblogs],
        ],
      )
    }
    const counts = async (id: string) => (await testServer.anonymous.get(`/api/v1/accounts/${id}`)).body.followers_count
    assert.deepEqual([await counts(from.accountId), await counts(to.accountId)], [1, 2])
    const { activity } = await remote.inbox.next(({ type }) => type === 'Move')
    assert.equal(activity['target'], uriOf(to))
  })

  test('is possible again after thirty days, but not to the same account, nor in a circle', async () => {
    const [ida, ivy] = [await createMigratingUser('ida'), await createMigratingUser('ivy')]
    await addAlias(ivy, 'ida')
    await addAlias(ida, 'ivy')
    assert.equal((await move(ida, 'ivy')).status, 200)
    assert.match((await move(ida, 'ivy')).text, /You have already moved to that account/)
    assert.match((await move(ivy, 'ida')).text, /has itself moved to another account/)
    await ida.browser.submit(await ida.browser.get('/settings/migration'), '/settings/migration/cancel')
    assert.match((await move(ida, 'ivy')).text, /moved recently/)
    await sql`update account_moves set created_at = created_at - interval '31 days'`.execute(ctx.db)
    assert.match((await move(ida, 'ivy')).text, /You have moved/)
  })
})

test('the settings pages redirect anonymous visitors to the log-in', async () => {
  const { server } = testServer
  for (const path of [
    '/auth/edit',
    '/settings/email',
    '/settings/aliases',
    '/settings/migration',
    '/settings/delete',
  ]) {
    const { statusCode, headers } = await server.inject({ url: path, headers: { accept: 'text/html' } })
    assert.deepEqual([statusCode, headers.location], [303, `/auth/sign_in?next=${encodeURIComponent(path)}`])
  }
})

async function accountOf(name: string): Promise<string> {
  return (await testServer.anonymous.get('/api/v1/accounts/lookup', { acct: name })).body.id
}
