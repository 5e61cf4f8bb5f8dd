// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Visit } from '../../../../test/browser.ts'
import { createClient } from '../../../../test/client.ts'
import type { Client } from '../../../../test/client.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import { createAccountWithPassword, PASSWORD } from '../../../../test/passwords.ts'
import { signIn } from '../../../../test/sign-in.ts'
import { issueToken } from '../../../domain/auth/tokens.ts'
import { carryOver } from '../../../domain/relationships/carry-over.ts'
import type { Relationship } from '../../../entities/relationship.ts'

const fediverse = await openFediverse({ hosts: ['one.test', 'two.test'] })
const { world, peer, uriOf, deliver } = fediverse
after(fediverse.close)
const { ctx } = world
const [one, two] = [peer.host('one.test'), peer.host('two.test')]
const { keys } = await one.createActor('key')
const DOCUMENT = { accept: 'application/activity+json' }

interface Mover {
  accountId: string
  username: string
  browser: Browser
  client: Client
}

/** Somebody who is logged in by their password, and holds a token. */
async function createMover(username: string): Promise<Mover> {
  const { accountId, userId } = await createAccountWithPassword(ctx, username)
  const scopes = ['read', 'write', 'follow']
  const { token } = await ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes }))
  const browser = await signIn(world.server, { login: username })
  return { accountId, username, browser, client: createClient(world.server, { token }) }
}

const readActor = async ({ accountId }: { accountId: string }) =>
  (await world.anonymous.send({ method: 'GET', url: `/ap/users/${accountId}`, headers: DOCUMENT })).body
const alias = async ({ browser }: Mover, acct: string): Promise<Visit> =>
  browser.submit(await browser.get('/settings/aliases'), '/settings/aliases', { acct })
const move = async ({ browser }: Mover, acct: string, password = PASSWORD): Promise<Visit> =>
  browser.submit(await browser.get('/settings/migration'), '/settings/migration', { acct, current_password: password })
const isUpdate = ({ type }: { type?: string }) => type === 'Update'

suite('aliases', () => {
  test('are named by handle or address, shown to other servers, and taken back', async () => {
    const ann = await createMover('ann')
    const [bob, follower] = [await one.createActor('bob', { keys }), await two.createActor('fan', { keys })]
    const neighbour = await world.createPerson({ username: 'neighbour' })
    await deliver(follower, follower.activity('Follow', uriOf(ann)))

    assert.match((await alias(ann, '@bob@one.test')).text, /bob@one\.test/)
    const { activity } = await follower.inbox.next(isUpdate)
    assert.deepEqual(activity['object'].alsoKnownAs, [bob.id])
    for (const name of [bob.id, ' bob@ONE.test ', 'neighbour', 'https://linnet.test/@neighbour']) {
      assert.equal((await alias(ann, name)).status, 200, name)
    }
    assert.deepEqual((await readActor(ann)).alsoKnownAs, [bob.id, uriOf(neighbour)])

    const page = await ann.browser.get('/settings/aliases')
    assert.equal(page.forms.filter(({ action }) => action === '/settings/aliases/remove').length, 2)
    const removed = await ann.browser.submit(page, '/settings/aliases/remove')
    assert.doesNotMatch(removed.text, /bob@one\.test/)
    assert.deepEqual((await readActor(ann)).alsoKnownAs, [uriOf(neighbour)])
  })

  test('are of somebody else, who can be found', async () => {
    const eve = await createMover('eve')
    for (const [name, said] of [
      ['', /No account was found/],
      ['nobody@one.test', /No account was found/],
      ['https://one.test/users/bob/followers', /No account was found/],
      ['javascript:alert(1)', /No account was found/],
      ['eve', /the account that you are using/],
    ] as const) {
      const visit = await alias(eve, name)
      assert.equal(visit.status, 422, name)
      assert.match(visit.text, said)
    }
    assert.equal((await readActor(eve)).alsoKnownAs, undefined)
  })
})

suite('moving away', () => {
  test('sends the followers elsewhere and here to the new account, which names the old one', async () => {
    const [mia, friend] = [await createMover('mia'), await world.createPerson()]
    const target = await two.createActor('mia', { keys })
    const follower = await one.createActor('follower', { keys })
    await deliver(follower, follower.activity('Follow', uriOf(mia)))
    await friend.client.post(`/api/v1/accounts/${mia.accountId}/follow`)

    for (const [name, password, said] of [
      [target.handle, 'not the password', /This is not your current password/],
      [target.handle, PASSWORD, /does not list this one as an alias yet/],
      ['nobody@two.test', PASSWORD, /No account was found/],
      ['mia', PASSWORD, /the account that you are using/],
    ] as const) {
      const visit = await move(mia, name, password)
      assert.equal(visit.status, 422)
      assert.match(visit.text, said)
    }
    // It is looked at anew, though it was known by now.
    target.document['alsoKnownAs'] = [uriOf(mia)]
    assert.match((await move(mia, `@${target.handle}`)).text, /mia@two\.test/)
    await world.settle()

    const sent = one.inbox.received.map(({ activity }) => activity).filter(({ actor }) => actor === uriOf(mia))
    const last = new Map(sent.map((activity) => [activity.type, activity]))
    assert.equal(last.get('Update')!['object'].movedTo, target.id)
    const { object, target: to, id } = last.get('Move')!
    assert.deepEqual([object, to], [uriOf(mia), target.id])
    assert.match(id, /#moves\/\d+$/)
    const { activity: follow } = await target.inbox.next(({ type }) => type === 'Follow')
    assert.equal(follow['actor'], uriOf(friend))
    const { body: known } = await friend.client.get('/api/v1/accounts/relationships', { id: [mia.accountId] })
    assert.equal(known[0].following, false)
  })

  test('leaves an account that shows where it went, and can do nothing until the redirection is undone', async () => {
    const [mia, reader] = [await accountOf('mia'), await world.createPerson()]
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

    const browser = await signIn(world.server, { login: 'mia' })
    assert.equal((await browser.get('/account')).location, '/settings/migration')
    const page = await browser.get('/settings/migration')
    assert.match(page.text, /You have moved/)
    const again = await browser.submit(page, '/settings/migration', {
      acct: 'late@one.test',
      current_password: PASSWORD,
    })
    assert.match(again.text, /does not list this one/)
    late.document['alsoKnownAs'] = [uriOf({ accountId: mia })]
    const tooSoon = await browser.submit(page, '/settings/migration', {
      acct: 'late@one.test',
      current_password: PASSWORD,
    })
    assert.match(tooSoon.text, /moved recently/)

    one.inbox.clear()
    await browser.submit(page, '/settings/migration/cancel')
    const { activity } = await one.inbox.next(isUpdate)
    assert.equal(activity['object'].movedTo, undefined)
    assert.equal((await browser.get('/account')).status, 200)
    assert.equal((await reader.client.get(`/api/v1/accounts/${mia}`)).body.moved, undefined)
    assert.equal((await reader.client.post(`/api/v1/accounts/${mia}/follow`)).body.following, true)
  })

  test('a token of who has moved counts for nothing until then', async () => {
    const [tom, there] = [await createMover('tom'), await createMover('there')]
    await alias(there, 'tom')
    assert.equal((await move(tom, 'there@linnet.test')).status, 200)
    const refused = await tom.client.post('/api/v1/statuses', { status: 'still here' })
    assert.deepEqual([refused.status, refused.body.error], [403, 'Your login is currently disabled'])
    const page = await tom.browser.get('/settings/migration')
    await tom.browser.submit(page, '/settings/migration/cancel')
    assert.equal((await tom.client.post('/api/v1/statuses', { status: 'back' })).status, 200)
  })

  test('within this server takes all followers along, and does it once', async () => {
    const [from, to] = [await createMover('from'), await createMover('to')]
    const [ann, ben, remote] = [
      await world.createPerson(),
      await world.createPerson(),
      await one.createActor('r', { keys }),
    ]
    for (const person of [ann, ben])
      await person.client.post(`/api/v1/accounts/${from.accountId}/follow`, { reblogs: false })
    await ben.client.post(`/api/v1/accounts/${to.accountId}/follow`)
    await deliver(remote, remote.activity('Follow', uriOf(from)))
    await to.client.patch('/api/v1/accounts/update_credentials', { locked: true })
    await alias(to, 'from')
    await move(from, 'to')
    await world.settle()
    await carryOver(ctx, { accountId: from.accountId, targetAccountId: to.accountId })
    for (const [person, boosts] of [
      [ann, false],
      [ben, true],
    ] as const) {
      const { body } = await person.client.get<Relationship[]>('/api/v1/accounts/relationships', {
        id: [from.accountId, to.accountId],
      })
      assert.deepEqual(
        body.map((one) => [one.following, one.showing_reblogs]),
        [
          [false, false],
          [true, boosts],
        ],
      )
    }
    const counts = async (id: string) => (await world.anonymous.get(`/api/v1/accounts/${id}`)).body.followers_count
    assert.deepEqual([await counts(from.accountId), await counts(to.accountId)], [1, 2])
    const { activity } = await remote.inbox.next(({ type }) => type === 'Move')
    assert.equal(activity['target'], uriOf(to))
  })

  test('is possible again after thirty days, but not to where it has led already, nor in a circle', async () => {
    const [ida, ivy] = [await createMover('ida'), await createMover('ivy')]
    await alias(ivy, 'ida')
    await alias(ida, 'ivy')
    assert.equal((await move(ida, 'ivy')).status, 200)
    assert.match((await move(ida, 'ivy')).text, /You have already moved to that account/)
    assert.match((await move(ivy, 'ida')).text, /has itself moved to another account/)
    await ida.browser.submit(await ida.browser.get('/settings/migration'), '/settings/migration/cancel')
    assert.match((await move(ida, 'ivy')).text, /moved recently/)
    await sql`update account_moves set created_at = created_at - interval '31 days'`.execute(ctx.db)
    assert.match((await move(ida, 'ivy')).text, /You have moved/)
  })
})

test('the pages of one’s own account lead nobody else anywhere but to the log-in', async () => {
  const stranger = world.server
  for (const path of [
    '/auth/edit',
    '/settings/email',
    '/settings/aliases',
    '/settings/migration',
    '/settings/delete',
  ]) {
    const { statusCode, headers } = await stranger.inject({ url: path, headers: { accept: 'text/html' } })
    assert.deepEqual([statusCode, headers.location], [303, `/auth/sign_in?next=${encodeURIComponent(path)}`])
  }
})

async function accountOf(name: string): Promise<string> {
  return (await world.anonymous.get('/api/v1/accounts/lookup', { acct: name })).body.id
}
