import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { ZipFile } from 'yazl'
import { uploadArchive, writeZip } from '../../../../test/features/archives.ts'
import { multipart } from '../../../../test/http/client.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { pruneImports } from '../../../domain/transfers/imports/confirm-import.ts'

let clock = () => new Date()
const testServer = await openTestServer({ now: () => clock() })
after(testServer.close)
const { ctx, server } = testServer
const ada = await testServer.createUser()
const browser = await openBrowserSession(testServer, ada)

const ACTOR = JSON.stringify({ id: 'https://old.example/users/ada', type: 'Person' })
const OUTBOX = JSON.stringify({ type: 'OrderedCollection', orderedItems: [{ type: 'Announce' }, { type: 'Announce' }] })
const archiveWith = (files: Record<string, string> = {}) =>
  writeZip({ 'actor.json': ACTOR, 'outbox.json': OUTBOX, ...files })

/** An archive with a file of media. */
const archiveWithFile = () => archiveWith({ 'media_attachments/1.png': 'x' })

const listStored = async () => Array.fromAsync(ctx.storage.list({ folder: 'archives/' }))
const countImports = async () => (await ctx.db.selectFrom('account_imports').selectAll().execute()).length

/** Replaces a name in a ZIP by another one of the same length. */
function renamed(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
}

/** Replaces the sizes of an entry in the directory of a ZIP. */
function withDeclaredSizes(zip: Buffer, name: string, sizes: { compressed?: number; uncompressed: number }): Buffer {
  const entry = zip.lastIndexOf(Buffer.from(name)) - 46
  if (sizes.compressed !== undefined) zip.writeUInt32LE(sizes.compressed, entry + 20)
  zip.writeUInt32LE(sizes.uncompressed, entry + 24)
  return zip
}

async function withLink(): Promise<Buffer> {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(ACTOR), 'actor.json')
  zip.addBuffer(Buffer.from(OUTBOX), 'outbox.json')
  zip.addBuffer(Buffer.from('/etc/passwd'), 'media_attachments/files/1.png', { mode: 0o120_777 })
  zip.end()
  return buffer(zip.outputStream)
}

const NO_ARCHIVE = /The file is not an archive of an account/
const REFUSED: readonly [name: string, bytes: Buffer, text: RegExp][] = [
  ['no content', Buffer.alloc(0), /This field is required/],
  ['no ZIP', Buffer.from('not a ZIP'), NO_ARCHIVE],
  ['a ZIP that ends early', (await archiveWith()).subarray(0, 200), NO_ARCHIVE],
  ['no outbox', await writeZip({ 'actor.json': ACTOR }), NO_ARCHIVE],
  ['no actor', await writeZip({ 'outbox.json': OUTBOX }), NO_ARCHIVE],
  ['an actor that is no JSON', await archiveWith({ 'actor.json': 'ada' }), NO_ARCHIVE],
  ['an actor that is a list', await archiveWith({ 'actor.json': '[]' }), NO_ARCHIVE],
  ['an actor that is too large', await archiveWith({ 'actor.json': ' '.repeat(300_000) }), /The file is too large/],
  ['an outbox that is no JSON', await archiveWith({ 'outbox.json': 'posts' }), NO_ARCHIVE],
  ['an outbox that ends early', await archiveWith({ 'outbox.json': OUTBOX.slice(0, -2) }), NO_ARCHIVE],
  ['an empty outbox', await archiveWith({ 'outbox.json': '{"orderedItems":[]}' }), /The file is empty/],
  [
    'too many entries',
    await archiveWith({ 'outbox.json': `{"orderedItems":[${'1,'.repeat(50_000)}1]}` }),
    /The file has too many rows/,
  ],
  ['a path to another folder', renamed(await archiveWith({ 'xx/evil.txt': '' }), 'xx/evil', '../evil'), NO_ARCHIVE],
  ['an absolute path', renamed(await archiveWith({ 'xx/evil.txt': '' }), 'xx/evil', '/x/evil'), NO_ARCHIVE],
  ['a symbolic link', await withLink(), NO_ARCHIVE],
  [
    'a file that is compressed to less than a two-hundredth',
    withDeclaredSizes(await archiveWithFile(), 'media_attachments/1.png', {
      compressed: 100_000,
      uncompressed: 100_000_000,
    }),
    NO_ARCHIVE,
  ],
  [
    'files that are much larger than the archive',
    withDeclaredSizes(await archiveWithFile(), 'media_attachments/1.png', {
      compressed: 0x7000_0000,
      uncompressed: 0x7fff_ffff,
    }),
    NO_ARCHIVE,
  ],
  [
    'an outbox that declares 300 MB',
    withDeclaredSizes(await archiveWith(), 'outbox.json', { compressed: 100_000_000, uncompressed: 300_000_000 }),
    /The file is too large/,
  ],
  [
    'an outbox that is larger than it declares',
    withDeclaredSizes(await archiveWith({ 'outbox.json': OUTBOX + ' '.repeat(5_000_000) }), 'outbox.json', {
      uncompressed: 50,
    }),
    NO_ARCHIVE,
  ],
]

for (const [name, bytes, text] of REFUSED) {
  test(`an archive with ${name} is refused with a reason beside the field, and nothing of it is stored`, async () => {
    const page = await uploadArchive(browser, bytes)
    assert.equal(page.status, 422)
    assert.match(page.text, text)
    assert.match(page.html, /name="archive"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="archive"/)
    assert.deepEqual([await countImports(), await listStored()], [0, []])
  })
}

test('an archive is confirmed on a page, or cancelled, and only its owner sees it', async () => {
  const { location, status } = await uploadArchive(browser, await archiveWith())
  assert.equal(status, 303)
  const page = await browser.get(location!)
  assert.match(page.text, /Posts of an archive.*archive\.zip.*The archive has 2 entries\./)
  const [{ key } = { key: '' }] = await listStored()
  assert.match(key, /^archives\/uploaded\//)
  assert.equal((await server.inject({ url: `/system/${key}` })).statusCode, 404)
  const other = await openBrowserSession(testServer, await testServer.createUser())
  assert.equal((await other.get(location!)).status, 404)
  assert.equal((await browser.submit(page, `${location}/delete`)).location, '/settings/imports')
  await testServer.waitForJobs()
  assert.deepEqual([await countImports(), await listStored()], [0, []])
})

test('the time to confirm an archive begins when it is stored', async () => {
  const start = Date.now()
  const { put } = ctx.storage
  ctx.storage.put = async (file) => {
    clock = () => new Date(start + 20 * 60_000)
    await pruneImports(ctx)
    return put.call(ctx.storage, file)
  }
  try {
    const { location } = await uploadArchive(browser, await archiveWith())
    assert.match((await browser.get(location!)).text, /The archive has 2 entries/)
    await browser.submit(await browser.get(location!), `${location}/delete`)
    await testServer.waitForJobs()
  } finally {
    ctx.storage.put = put
    clock = () => new Date()
  }
})

test('the upload of an import that is not confirmed, or whose account is deleted, is deleted', async () => {
  await uploadArchive(browser, await archiveWith())
  const start = Date.now()
  clock = () => new Date(start + 11 * 60_000)
  await pruneImports(ctx)
  await testServer.waitForJobs()
  assert.deepEqual(await listStored(), [])
  await uploadArchive(browser, await archiveWith())
  await ctx.db.deleteFrom('account_imports').execute()
  await pruneImports(ctx)
  assert.deepEqual(await listStored(), [])
  clock = () => new Date()
})

test('OA9 an archive of an anonymous visitor, or without a CSRF token, is refused and changes nothing', async () => {
  const archive = { filename: 'x.zip', type: 'application/zip', bytes: await archiveWith() }
  const { payload, headers } = await multipart({ archive })
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const own of [{}, { cookie }]) {
    const request = {
      method: 'POST',
      url: '/settings/imports/archive',
      headers: { ...headers, ...own },
      payload,
    } as const
    assert.equal((await server.inject(request)).statusCode, 422)
  }
  assert.equal(await countImports(), 0)
})

test('a third archive has to wait until the import of another one is finished', async () => {
  for (let n = 1; n <= 2; n += 1) assert.equal((await uploadArchive(browser, await archiveWith())).status, 303)
  const refused = await uploadArchive(browser, await archiveWith())
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Wait until your other imports are finished/)
})
