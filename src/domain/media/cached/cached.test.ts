// Slow: decodes pictures.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { multipart } from '../../../../test/client.ts'
import { openPeer } from '../../../../test/peer.ts'
import { stillPicture } from '../../../../test/pictures.ts'
import { HOST, makeRemote, makeRemoteStatus, newName } from '../../../../test/remote.ts'
import { openS3 } from '../../../../test/s3.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person, World } from '../../../../test/world.ts'
import type { Status } from '../../../entities/status.ts'
import { Unavailable } from '../../../lib/errors.ts'
import { removeRemoteAccount } from '../../accounts/remove-remote.ts'
import { deleteAccount } from '../../accounts/delete.ts'
import { setDomainBlock } from '../../moderation/change-domain-blocks.ts'
import { trimCache } from './drop.ts'
import { findCached } from './find.ts'
import { getCached } from './keep.ts'

const peer = await openPeer({ hosts: ['far.test'] })
const s3 = await openS3()
let hours = 0
const now = () => new Date(Date.now() + hours * 3_600_000)
// Everything lies in a bucket, so that what is removed is removed there.
const world = await openWorld({ env: { ...peer.env, ...s3.env }, extraCa: peer.ca, now })
after(async () => {
  await world.close()
  await peer.close()
  await s3.close()
})
const { ctx } = world
const far = peer.host('far.test')
const viewer = await world.createPerson()
const picture = await stillPicture('png')

function serve(body = picture): string {
  const path = `/files/${newName()}`
  far.serveAt(path, () => ({ status: 200, headers: { 'content-type': 'image/png' }, body }))
  return HOST + path
}

const attachment = (url: string) =>
  ({
    type: 'image',
    url,
    mediaType: null,
    description: null,
    blurhash: null,
    focus: null,
    width: null,
    height: null,
    previewUrl: null,
  }) as const

/** A post from elsewhere with a picture that somebody here has seen. */
async function makeSeen(accountId: string): Promise<string> {
  const url = await attach(accountId, serve())
  assert.equal(await look(url), 200)
  return url
}

/** The address here of a file that a post of another server shows. */
async function attach(accountId: string, url: string): Promise<string> {
  const id = await makeRemoteStatus(ctx, { accountId, attachments: [attachment(url)] })
  const { body } = await viewer.client.get<Status>(`/api/v1/statuses/${id}`)
  return body.media_attachments[0]!.url!
}

async function look(url: string, { server }: Pick<World, 'server'> = world): Promise<number> {
  return (await server.inject({ url: url.replace(/^https:\/\/[^/]+/, '') })).statusCode
}

async function stored(folder = 'cache/'): Promise<string[]> {
  await world.settle()
  return (await Array.fromAsync(ctx.storage.list({ folder }))).map(({ key }) => key)
}

/** With a budget of so many bytes. */
async function trim(mediaCacheBytes: number): Promise<void> {
  await trimCache({ ...ctx, config: { ...ctx.config, mediaCacheBytes } })
  await world.settle()
}

async function upload(person: Person): Promise<string> {
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: picture } })
  const { body } = await person.client.post('/api/v2/media', form.payload, form.headers)
  const posted = await person.client.post<Status>('/api/v1/statuses', { status: 'x', media_ids: [body.id] })
  return posted.body.media_attachments[0]!.url!
}

test('the budget holds: what was not shown for longest goes, here uploads stay, and what is wanted again comes back', async () => {
  const own = await upload(viewer)
  const accountId = await makeRemote(ctx)
  const urls: string[] = []
  for (let n = 0; n < 4; n += 1) {
    urls.push(await makeSeen(accountId))
    hours += 2
  }
  assert.equal(await look(urls[0]!), 200)
  const bytes = picture.length
  await trim(bytes * 4)
  assert.equal((await stored()).length, 4)
  await trim(bytes * 2 + 1)
  const left = await ctx.db.selectFrom('cached_files').select('file_key').orderBy('used_at').execute()
  assert.deepEqual((await stored()).toSorted(), left.map((row) => row.file_key!).toSorted())
  assert.equal(left.length, 2)
  const before = far.requests.length
  assert.equal(await look(urls[0]!), 200)
  assert.equal(far.requests.length, before, 'it was shown last')
  assert.equal(await look(urls[1]!), 200)
  assert.equal(far.requests.length, before + 1)
  assert.equal(await look(own), 200)
  await trim(0)
  assert.deepEqual([(await stored()).length, await look(own), (await stored('media/')).length], [0, 200, 2])
})

test('a file is stored only when it fits into the budget, also when many are stored at once', async () => {
  const budget = Math.floor(picture.length * 3.5)
  let storing = 0
  let most = 0
  const put: typeof ctx.storage.put = async (file) => {
    storing += picture.length
    // What is recorded and what is about to be, of the same moment.
    const { rows } = await sql<{ bytes: string }>`select coalesce(sum(byte_size), 0) as bytes from
      (select byte_size from cached_files union all select byte_size from media_cache_reservations) one`.execute(ctx.db)
    most = Math.max(most, storing, Number(rows[0]!.bytes))
    return ctx.storage.put(file).finally(() => (storing -= picture.length))
  }
  const small = { ...ctx, storage: { ...ctx.storage, put }, config: { ...ctx.config, mediaCacheBytes: budget } }
  const accountId = await makeRemote(ctx)
  const statusId = await makeRemoteStatus(ctx, {
    accountId,
    attachments: Array.from({ length: 12 }, () => attachment(serve())),
  })
  const files = await ctx.db.selectFrom('media_attachments').select('id').where('status_id', '=', statusId).execute()
  assert.equal(files.length, 12)
  const outcomes = await Promise.allSettled(
    files.map(async ({ id }) => {
      const found = await findCached(ctx, { of: 'media', id, rendition: 'original', key: null })
      await getCached(small, found)
    }),
  )
  const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  for (const refusal of refusals) assert.ok(refusal instanceof Unavailable, String(refusal))
  assert.ok(refusals.length < 12)
  assert.ok(most > 0 && most <= budget, `${most} bytes of ${budget}`)
  const { rows } = await sql<{ bytes: string; reserved: string }>`
    select (select byte_size from media_cache_size) - coalesce(sum(byte_size), 0) as bytes,
      (select count(*) from media_cache_reservations) as reserved from cached_files`.execute(ctx.db)
  assert.deepEqual(rows, [{ bytes: '0', reserved: '0' }])
  assert.ok((await stored()).length <= 3)
  await trim(0)
})

test('the files of whoever is gone are gone from the bucket, of here and of elsewhere', async () => {
  const person = await world.createPerson()
  const own = await upload(person)
  const form = await multipart({ avatar: { filename: 'a.png', type: 'image/png', bytes: picture } })
  await person.client.send({
    method: 'PATCH',
    url: '/api/v1/accounts/update_credentials',
    payload: form.payload,
    headers: form.headers,
  })
  assert.equal((await stored('avatars/')).length, 1)
  const before = (await stored('media/')).length
  await ctx.write((tx) => deleteAccount(tx, { accountId: person.accountId }))
  assert.deepEqual([(await stored('avatars/')).length, (await stored('media/')).length], [0, before - 2])
  assert.equal(await look(own), 404)

  const name = newName('gone')
  const uri = `${HOST}/users/${name}`
  const avatar = { url: serve(), description: '' }
  const accountId = await makeRemote(ctx, { uri, handle: { username: name, domain: 'far.test' }, avatar })
  await makeSeen(accountId)
  const { body } = await viewer.client.get(`/api/v1/accounts/${accountId}`)
  assert.equal(await look(body.avatar), 200)
  assert.equal((await stored()).length, 2)
  await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
  await world.settle()
  assert.equal(await look(body.avatar), 404)
  await trim(1e9)
  assert.deepEqual(await stored(), [])
  assert.equal((await sql`select from cached_files`.execute(ctx.db)).rows.length, 0)
})

test('of a server whose media are refused nothing is fetched, shown or kept, below its domain neither', async () => {
  const urls: string[] = []
  for (const domain of ['far.test', 'sub.far.test', 'near.test']) {
    const name = newName('r')
    const uri = `https://${domain}/users/${name}`
    urls.push(await makeSeen(await makeRemote(ctx, { uri, handle: { username: name, domain } })))
  }
  const rule = {
    severity: 'noop',
    rejectReports: false,
    publicComment: '',
    privateComment: '',
    obfuscate: false,
  } as const
  await ctx.write((tx) => setDomainBlock(tx, { domain: 'far.test', rejectMedia: true, ...rule }))
  assert.equal((await stored()).length, 1)
  const before = far.requests.length
  assert.deepEqual(await Promise.all(urls.map((url) => look(url))), [404, 404, 200])
  assert.equal(far.requests.length, before)
  await ctx.write((tx) => setDomainBlock(tx, { domain: 'far.test', rejectMedia: false, ...rule }))
  assert.deepEqual(await Promise.all(urls.map((url) => look(url))), [200, 200, 200])
})

test('a file that the bucket lost is fetched again', async () => {
  const url = await makeSeen(await makeRemote(ctx))
  await ctx.storage.remove({ keys: await stored() })
  const before = far.requests.length
  assert.deepEqual([await look(url), await look(url), far.requests.length], [200, 200, before + 1])
})

test('media in a content coding are refused', async () => {
  const path = `/files/${newName()}`
  const headers = { 'content-type': 'image/png', 'content-encoding': 'gzip' }
  far.serveAt(path, () => ({ status: 200, headers, body: gzipSync(picture) }))
  const before = (await stored()).length
  assert.equal(await look(await attach(await makeRemote(ctx), HOST + path)), 502)
  assert.equal((await stored()).length, before)
  assert.equal(far.requests.at(-1)?.headers['accept-encoding'], 'identity')
})

test('with a host of its own for files, readers are led there, and pages may load them from there', async (t) => {
  const env = { ...peer.env, ...s3.env, S3_ALIAS_HOST: 'files.test', S3_KEY_PREFIX: 'own' }
  const aliased = await openWorld({ env, extraCa: peer.ca })
  t.after(aliased.close)
  const person = await aliased.createPerson()
  const url = await upload(person)
  assert.match(url, /^https:\/\/files\.test\/own\/media\/[0-9a-f]{2}\/[0-9a-f]{32}\.png$/)
  const key = url.replace('https://files.test/own/', '')
  const former = await aliased.server.inject({ url: `/system/${key}` })
  assert.deepEqual([former.statusCode, former.headers.location], [302, url])
  for (const path of [
    '/system/../secrets.json',
    '/system/x',
    '/system/%2f%2fevil.test/a.png',
    '/system//evil.test/a.png',
  ]) {
    assert.equal((await aliased.server.inject({ url: path })).statusCode, 404, path)
  }
  const id = await makeRemoteStatus(aliased.ctx, {
    accountId: await makeRemote(aliased.ctx),
    attachments: [attachment(serve())],
  })
  const { body } = await person.client.get<Status>(`/api/v1/statuses/${id}`)
  const shown = await aliased.server.inject({ url: body.media_attachments[0]!.url!.replace('https://linnet.test', '') })
  assert.match(String(shown.headers.location), /^https:\/\/files\.test\/own\/cache\/media\//)
  assert.deepEqual([shown.statusCode, shown.headers['cache-control']], [302, 'public, max-age=300'])
  const page = await aliased.server.inject({ url: '/about' })
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /img-src 'self' https:\/\/files\.test data:;.*media-src 'self' https:\/\/files\.test;/)
})

test('a bucket that does not answer is 503, whatever is asked of it', async (t) => {
  const own = await openS3()
  t.after(() => own.close())
  const failing = await openWorld({ env: { ...peer.env, ...own.env }, extraCa: peer.ca })
  t.after(failing.close)
  const person = await failing.createPerson()
  const url = await upload(person)
  assert.equal(await look(url, failing), 200)
  await own.stop()
  assert.equal(await look(url, failing), 503)
  const text = await person.client.post<Status>('/api/v1/statuses', { status: 'words go on' })
  assert.equal(text.status, 200)
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: picture } })
  assert.equal((await person.client.post('/api/v2/media', form.payload, form.headers)).status, 503)
})
