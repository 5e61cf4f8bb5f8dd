import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openPeer } from '../../../test/peer.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { FetchRefused } from '../../platform/fetch/refusals.ts'
import { everyJob } from '../../../test/every-job.ts'

const sites = ['alice.test', 'www.alice.test', 'other.test', 'blocked.test', 'linnet.test']
const peer = await openPeer({ hosts: sites })
const world = await openWorld({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await world.close()
  await peer.close()
})
const site = peer.host('alice.test')
const { db } = world.ctx

const html = (body: string, headers = {}) => ({
  status: 200,
  headers: { 'content-type': 'text/html', ...headers },
  body,
})
const link = (href: string, rel = 'me') => `<!doctype html><p>It is <a rel="${rel}" href="${href}">me</a>`
const profileOf = ({ username }: Person) => `https://linnet.test/@${username}`
let count = 0

/** A page of its own at a site; the `document` may name the person. Returns its address. */
function serve(document: string, { host = 'alice.test', headers = {} } = {}): string {
  count += 1
  peer.host(host).serveAt(`/page${count}`, () => html(document, headers))
  return `https://${host}/page${count}`
}

async function write(person: Person, ...values: string[]): Promise<void> {
  const { status } = await person.client.patch('/api/v1/accounts/update_credentials', {
    fields_attributes: values.map((value, n) => ({ name: `Field ${n}`, value })),
  })
  assert.equal(status, 200)
  await world.settle()
}

async function proofs(person: Person): Promise<(string | null)[]> {
  const { body } = await world.anonymous.get(`/api/v1/accounts/${person.accountId}`)
  return body.fields.map(({ verified_at }: { verified_at: string | null }) => verified_at)
}
const verdicts = async (person: Person) => (await proofs(person)).map((one) => one !== null)
const asked = (url: string) => peer.host(new URL(url).host).countRequests(new URL(url).pathname)

suite('a link of a profile', () => {
  test('is verified when its page links back, by the address of the profile or that of the actor', async () => {
    const alice = await world.createPerson({ username: 'Alice' })
    await alice.client.get('/api/v1/accounts/verify_credentials')
    const pages = [
      serve(link(profileOf(alice))),
      serve(link(`https://linnet.test/ap/users/${alice.accountId}`, 'nofollow Me noopener')),
      serve(`<head><link rel="me" href="https://LINNET.test/@alice/#top"></head>`),
      serve('<p>nothing</p>'),
    ]
    await write(alice, ...pages)
    assert.deepEqual(await verdicts(alice), [true, true, true, false])
    const [first] = await proofs(alice)
    assert.match(first!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { body } = await alice.client.get('/api/v1/accounts/verify_credentials')
    assert.deepEqual([body.source.fields[0].verified_at, body.fields[0].verified_at], [first, first])
    assert.deepEqual((await alice.client.get('/api/v1/profile')).body.formatted_fields[0].verified_at, first)
  })

  test('stays verified as long as it stays, and what is not is asked for again with every change', async () => {
    const alice = await world.createPerson()
    const [page, late] = [serve(link(profileOf(alice))), serve('<p>not yet</p>')]
    await write(alice, page, late)
    const [seen] = await proofs(alice)
    peer.host('alice.test').serveAt(new URL(late).pathname, () => html(link(profileOf(alice))))
    await alice.client.patch('/api/v1/accounts/update_credentials', { note: 'new' })
    await world.settle()
    assert.deepEqual(await verdicts(alice), [true, true])
    await write(alice, late, page)
    assert.equal((await proofs(alice))[1], seen)
    assert.deepEqual([asked(page), asked(late)], [1, 2])
    await write(alice, `${page}?changed`)
    assert.deepEqual([await verdicts(alice), asked(page)], [[true], 2])
    assert.notEqual((await proofs(alice))[0], seen)
  })

  test('is verified for everybody at once, also where a status shows its author', async () => {
    const alice = await world.createPerson()
    const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'x' })
    const shown = async () => (await world.anonymous.get(`/api/v1/statuses/${status.id}`)).body.account.fields
    assert.deepEqual(await shown(), [])
    await write(alice, serve(link(profileOf(alice))))
    assert.notEqual((await shown())[0].verified_at, null)
  })

  test('is not verified by a page that names somebody else, or nobody', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
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
      await write(alice, serve(document))
      assert.deepEqual(await verdicts(alice), [false], document)
    }
  })

  test('counts only as a page of the web that is there, of a size to read, and HTML', async () => {
    const alice = await world.createPerson()
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
      await write(alice, url)
      assert.deepEqual(await verdicts(alice), [false], url)
    }
    const jobs = await sql<{ n: number }>`select count(*)::int as n from ${everyJob} j`.execute(db)
    assert.equal(jobs.rows[0]!.n, 0, 'nothing is tried again and again')
    await write(alice, serve(`${' '.repeat(900_000)}${own}`, { headers: { 'content-type': 'application/xhtml+xml' } }))
    assert.deepEqual(await verdicts(alice), [true])
  })

  test('is looked at only if the field is nothing but an https address', async () => {
    const alice = await world.createPerson()
    const page = serve(link(profileOf(alice)))
    for (const value of [
      `me: ${page}`,
      `${page} ${page}`,
      page.replace('https:', 'http:'),
      page.replace('https://', ''),
      page.replace('https://', 'https://user:secret@'),
      page.replace('alice.test', 'alice.test:8443'),
    ]) {
      await write(alice, value)
      assert.deepEqual(await verdicts(alice), [false], value)
    }
    assert.equal(asked(page), 0)
  })

  test('may lead on within its site, but not to another one, which anybody could be sent to', async () => {
    const alice = await world.createPerson()
    const own = link(profileOf(alice))
    const leadTo = (location: string) => {
      count += 1
      site.serveAt(`/page${count}`, () => ({ status: 302, headers: { location }, body: '' }))
      return `https://alice.test/page${count}`
    }
    const elsewhere = serve(own, { host: 'other.test' })
    await write(alice, leadTo(serve(own)), leadTo(serve(own, { host: 'www.alice.test' })), leadTo(elsewhere))
    assert.deepEqual([await verdicts(alice), asked(elsewhere)], [[true, true, false], 0])
  })

  test('is not asked for at a host that is blocked, nor at this server itself', async () => {
    const alice = await world.createPerson()
    await sql`insert into domain_blocks (domain, severity) values ('blocked.test', 'suspend')`.execute(db)
    const pages = ['blocked.test', 'linnet.test'].map((host) => serve(link(profileOf(alice)), { host }))
    await write(alice, ...pages)
    assert.deepEqual(
      [await verdicts(alice), pages.map(asked)],
      [
        [false, false],
        [0, 0],
      ],
    )
  })

  test('is not asked for when its owner may not act', async () => {
    const shy = await world.createPerson({ approved: false })
    const page = serve(link(profileOf(shy)))
    await sql`update accounts set fields = ${JSON.stringify([{ name: 'x', value: page, verified_at: null }])}::jsonb
      where id = ${shy.accountId}`.execute(db)
    await world.ctx.write(async (tx) => tx.emit('account.updated', { accountId: shy.accountId, mediaKeys: [] }))
    await world.settle()
    assert.equal(asked(page), 0)
  })

  test('that was replaced while its page was asked for is not verified in the place of the new one', async () => {
    const alice = await world.createPerson()
    const page = serve(link(profileOf(alice)))
    const other = serve('<p>nothing</p>')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const reached = new Promise<void>((resolve) => {
      site.behave(new URL(page).pathname, async ({ respond }) => {
        resolve()
        await held
        await respond()
      })
    })
    const change = (value: string) =>
      alice.client.patch('/api/v1/accounts/update_credentials', { fields_attributes: [{ name: 'x', value }] })
    await change(page)
    await reached
    await change(other)
    release()
    await world.settle()
    site.recover()
    assert.deepEqual(await verdicts(alice), [false])
    await change(page)
    await world.settle()
    assert.deepEqual(await verdicts(alice), [true])
  })
})

test('FE4 the check of links goes the guarded way, and reaches no address that is not public', async () => {
  const guarded = await openWorld()
  after(guarded.close)
  const mallory = await guarded.createPerson({ username: 'mallory' })
  const refused: string[] = []
  const { request } = guarded.ctx.fetcher
  guarded.ctx.fetcher.request = async (input) =>
    request(input).catch((err: unknown) => {
      if (err instanceof FetchRefused && err.reason === 'address') refused.push(input.url)
      throw err
    })
  const places = [
    'https://localhost/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:127.0.0.1]/',
  ]
  for (const value of places) {
    await mallory.client.patch('/api/v1/accounts/update_credentials', { fields_attributes: [{ name: 'x', value }] })
    await guarded.settle()
    const { body } = await mallory.client.get('/api/v1/accounts/verify_credentials')
    assert.deepEqual([body.fields[0].verified_at, body.source.fields[0].value], [null, value])
  }
  assert.deepEqual(refused, places)
})
