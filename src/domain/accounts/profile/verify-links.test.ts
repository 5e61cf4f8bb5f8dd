import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openPeer } from '../../../../test/federation/peer/open-peer.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { FetchRefusedError } from '../../../platform/fetch/fetch-errors.ts'

const sites = ['alice.test', 'www.alice.test', 'other.test', 'blocked.test', 'linnet.test']
const peer = await openPeer({ hosts: sites })
const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await testServer.close()
  await peer.close()
})
const site = peer.host('alice.test')
const { db } = testServer.ctx

const html = (body: string, headers = {}) => ({
  status: 200,
  headers: { 'content-type': 'text/html', ...headers },
  body,
})
const link = (href: string, rel = 'me') => `<!doctype html><p>It is <a rel="${rel}" href="${href}">me</a>`
const profileOf = ({ username }: TestUser) => `https://linnet.test/@${username}`
let count = 0

/** Serves a document as a new page of a host. Returns its URL. */
function serve(document: string, { host = 'alice.test', headers = {} } = {}): string {
  count += 1
  peer.host(host).serveAt(`/page${count}`, () => html(document, headers))
  return `https://${host}/page${count}`
}

async function saveFields(user: TestUser, ...values: string[]): Promise<void> {
  const { status } = await user.client.patch('/api/v1/accounts/update_credentials', {
    fields_attributes: values.map((value, n) => ({ name: `Field ${n}`, value })),
  })
  assert.equal(status, 200)
  await testServer.waitForJobs()
}

async function verificationTimes(user: TestUser): Promise<(string | null)[]> {
  const { body } = await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)
  return body.fields.map(({ verified_at }: { verified_at: string | null }) => verified_at)
}
const verifications = async (user: TestUser) => (await verificationTimes(user)).map((time) => time !== null)
const countFetches = (url: string) => peer.host(new URL(url).host).countRequests(new URL(url).pathname)

suite('a link of a profile', () => {
  test('is verified when its page links back to the URL of the profile or of the actor', async () => {
    const alice = await testServer.createUser({ username: 'Alice' })
    await alice.client.get('/api/v1/accounts/verify_credentials')
    const pages = [
      serve(link(profileOf(alice))),
      serve(link(`https://linnet.test/ap/users/${alice.accountId}`, 'nofollow Me noopener')),
      serve(`<head><link rel="me" href="https://LINNET.test/@alice/#top"></head>`),
      serve('<p>nothing</p>'),
    ]
    await saveFields(alice, ...pages)
    assert.deepEqual(await verifications(alice), [true, true, true, false])
    const [first] = await verificationTimes(alice)
    assert.match(first!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { body } = await alice.client.get('/api/v1/accounts/verify_credentials')
    assert.deepEqual([body.source.fields[0].verified_at, body.fields[0].verified_at], [first, first])
    assert.deepEqual((await alice.client.get('/api/v1/profile')).body.formatted_fields[0].verified_at, first)
  })

  test('stays verified while its field stays; an unverified one is fetched again at each profile change', async () => {
    const alice = await testServer.createUser()
    const [page, late] = [serve(link(profileOf(alice))), serve('<p>not yet</p>')]
    await saveFields(alice, page, late)
    const [verifiedAt] = await verificationTimes(alice)
    peer.host('alice.test').serveAt(new URL(late).pathname, () => html(link(profileOf(alice))))
    await alice.client.patch('/api/v1/accounts/update_credentials', { note: 'new' })
    await testServer.waitForJobs()
    assert.deepEqual(await verifications(alice), [true, true])
    await saveFields(alice, late, page)
    assert.equal((await verificationTimes(alice))[1], verifiedAt)
    assert.deepEqual([countFetches(page), countFetches(late)], [1, 2])
    await saveFields(alice, `${page}?changed`)
    assert.deepEqual([await verifications(alice), countFetches(page)], [[true], 2])
    assert.notEqual((await verificationTimes(alice))[0], verifiedAt)
  })

  test('is shown as verified at once, also in the account of a cached status', async () => {
    const alice = await testServer.createUser()
    const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'x' })
    const shown = async () => (await testServer.anonymous.get(`/api/v1/statuses/${status.id}`)).body.account.fields
    assert.deepEqual(await shown(), [])
    await saveFields(alice, serve(link(profileOf(alice))))
    assert.notEqual((await shown())[0].verified_at, null)
  })

  test('is not verified by a page that links to another account, or to none', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const own = profileOf(alice)
    for (const document of [
      link(profileOf(bob)),
      link(own, 'nofollow'),
      link(`${own}x`),
      link(`${own}/1`),
      link(own.replace('https:', 'http:')),
      link(own.replace('linnet.test', 'linnet.test.evil.test')),
      link(`https://evil.test/?${own}`),
      link(`/@${alice.username}`),
      `<!-- ${link(own)} -->`,
      `<script>${link(own)}</script>`,
      own,
      '',
    ]) {
      await saveFields(alice, serve(document))
      assert.deepEqual(await verifications(alice), [false], document)
    }
  })

  test('is verified only by an existing HTML page of at most 1 MiB', async () => {
    const alice = await testServer.createUser()
    const own = link(profileOf(alice))
    const paths = ['/gone', '/broken', '/hung-up']
    site.serveAt('/gone', () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: own }))
    site.serveAt('/broken', () => ({ status: 500, headers: { 'content-type': 'text/html' }, body: own }))
    site.behave('/hung-up', async ({ response }) => void response.destroy())
    for (const url of [
      ...paths.map((path) => `https://alice.test${path}`),
      serve(own, { headers: { 'content-type': 'text/plain' } }),
      serve(own, { headers: { 'content-type': 'application/activity+json' } }),
      serve(`${' '.repeat(1_100_000)}${own}`),
      'https://nobody.test/',
    ]) {
      await saveFields(alice, url)
      assert.deepEqual(await verifications(alice), [false], url)
    }
    const jobs = await sql<{
      n: number
    }>`select count(*)::int as n from jobs j where j.name <> 'deliverProfile'`.execute(db)
    assert.equal(jobs.rows[0]!.n, 0, 'a failed check is not retried')
    await saveFields(
      alice,
      serve(`${' '.repeat(900_000)}${own}`, { headers: { 'content-type': 'application/xhtml+xml' } }),
    )
    assert.deepEqual(await verifications(alice), [true])
  })

  test('is fetched only if the value of the field is exactly one https URL', async () => {
    const alice = await testServer.createUser()
    const page = serve(link(profileOf(alice)))
    for (const value of [
      `me: ${page}`,
      `${page} ${page}`,
      page.replace('https:', 'http:'),
      page.replace('https://', ''),
      page.replace('https://', 'https://user:secret@'),
      page.replace('alice.test', 'alice.test:8443'),
    ]) {
      await saveFields(alice, value)
      assert.deepEqual(await verifications(alice), [false], value)
    }
    assert.equal(countFetches(page), 0)
  })

  test('may redirect within its site, but not to another site', async () => {
    const alice = await testServer.createUser()
    const own = link(profileOf(alice))
    const redirectTo = (location: string) => {
      count += 1
      site.serveAt(`/page${count}`, () => ({ status: 302, headers: { location }, body: '' }))
      return `https://alice.test/page${count}`
    }
    const otherSite = serve(own, { host: 'other.test' })
    await saveFields(
      alice,
      redirectTo(serve(own)),
      redirectTo(serve(own, { host: 'www.alice.test' })),
      redirectTo(otherSite),
    )
    assert.deepEqual([await verifications(alice), countFetches(otherSite)], [[true, true, false], 0])
  })

  test('is not fetched from a blocked host or from this server', async () => {
    const alice = await testServer.createUser()
    await blockDomainAsStaff(testServer.ctx, 'blocked.test', { severity: 'suspend' })
    const pages = ['blocked.test', 'linnet.test'].map((host) => serve(link(profileOf(alice)), { host }))
    await saveFields(alice, ...pages)
    assert.deepEqual(
      [await verifications(alice), pages.map(countFetches)],
      [
        [false, false],
        [0, 0],
      ],
    )
  })

  test('is not fetched while its owner awaits approval', async () => {
    const unapproved = await testServer.createUser({ approved: false })
    const page = serve(link(profileOf(unapproved)))
    await sql`update accounts set fields = ${JSON.stringify([{ name: 'x', value: page, verified_at: null }])}::jsonb
      where id = ${unapproved.accountId}`.execute(db)
    await testServer.ctx.write(async (tx) =>
      tx.emit('account.updated', { accountId: unapproved.accountId, mediaKeys: [] }),
    )
    await testServer.waitForJobs()
    assert.equal(countFetches(page), 0)
  })

  test('that was replaced during the fetch does not verify the new one', async () => {
    const alice = await testServer.createUser()
    const page = serve(link(profileOf(alice)))
    const other = serve('<p>nothing</p>')
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const reached = new Promise<void>((resolve) => {
      site.behave(new URL(page).pathname, async ({ respond }) => {
        resolve()
        await released
        await respond()
      })
    })
    const change = (value: string) =>
      alice.client.patch('/api/v1/accounts/update_credentials', { fields_attributes: [{ name: 'x', value }] })
    await change(page)
    await reached
    await change(other)
    release()
    await testServer.waitForJobs()
    site.recover()
    assert.deepEqual(await verifications(alice), [false])
    await change(page)
    await testServer.waitForJobs()
    assert.deepEqual(await verifications(alice), [true])
  })
})

test('FE4 the verification of links sends no request to an address that is not public', async () => {
  const guarded = await openTestServer()
  after(guarded.close)
  const mallory = await guarded.createUser({ username: 'mallory' })
  const refused: string[] = []
  const { request } = guarded.ctx.fetcher
  guarded.ctx.fetcher.request = async (input) =>
    request(input).catch((err: unknown) => {
      if (err instanceof FetchRefusedError && err.reason === 'address') refused.push(input.url)
      throw err
    })
  const urls = [
    'https://localhost/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:127.0.0.1]/',
  ]
  for (const value of urls) {
    await mallory.client.patch('/api/v1/accounts/update_credentials', { fields_attributes: [{ name: 'x', value }] })
    await guarded.waitForJobs()
    const { body } = await mallory.client.get('/api/v1/accounts/verify_credentials')
    assert.deepEqual([body.fields[0].verified_at, body.source.fields[0].value], [null, value])
  }
  assert.deepEqual(refused, urls)
})
