import assert from 'node:assert/strict'
import { utimes, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../../test/command-line.ts'
import { multipart } from '../../../../test/http/client.ts'
import { urlOf } from '../../../../test/servers/linnet-process.ts'
import { openPeer } from '../../../../test/federation/peer/open-peer.ts'
import { createImage } from '../../../../test/media/images.ts'
import { HOST, createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { runCommand } from '../../../../test/run-command.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'

const peer = await openPeer({ hosts: ['far.test'] })
const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await testServer.close()
  await peer.close()
})
const { ctx } = testServer
const image = await createImage('png')
peer.host('far.test').serveAt('/a.png', () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: image }))
const viewer = await testServer.createUser()

/** Runs the command with the database and the files of the test server. */
async function media(...args: string[]) {
  const { code, stdout, stderr } = await runCommand(['media', ...args], {
    ...peer.env,
    DATA_DIR: ctx.config.dataDir,
    DATABASE_URL: urlOf(testServer.connection),
    LOCAL_DOMAIN: 'linnet.test',
    NODE_EXTRA_CA_CERTS: peer.caFile,
  })
  return { code, lines: stdout.split('\n').filter(Boolean), stderr }
}

async function makePost(accountId: string): Promise<{ id: string; url: string }> {
  const file = { url: `${HOST}/a.png`, mediaType: null, description: null, blurhash: null, focus: null }
  const attachment = { ...file, type: 'image', width: null, height: null, previewUrl: null } as const
  const id = await createRemoteStatus(ctx, { accountId, attachments: [attachment] })
  const { body } = await viewer.client.get<Status>(`/api/v1/statuses/${id}`)
  return { id, url: body.media_attachments[0]!.url!.replace('https://linnet.test', '') }
}

const fetchFile = async (url: string) => (await testServer.server.inject({ url })).statusCode
const stored = async (folder: string) => (await Array.fromAsync(ctx.storage.list({ folder }))).map(({ key }) => key)

test('the commands fetch, count and evict remote files', async () => {
  const accountId = await createRemoteAccount(ctx, { avatar: { url: `${HOST}/a.png`, description: '' } })
  const { id } = await makePost(accountId)
  await makePost(accountId)
  const wrong = await media('refresh')
  assert.deepEqual([wrong.code, wrong.stderr], [1, 'Specify --account, --domain, --status or --days\n'])
  const dry = await media('refresh', '--status', id, '--dry-run')
  assert.deepEqual(dry.lines, ['Would fetch 2 files, except those that are cached already'], dry.stderr)
  assert.deepEqual(await stored('cache/'), [])
  assert.equal((await media('refresh', '--account', 'nobody')).stderr, 'No account is named nobody\n')
  assert.equal((await media('refresh', '--status', '1')).stderr, 'There is no post 1\n')
  const one = await media('refresh', '--status', id)
  assert.deepEqual(one.lines, ['Fetched 2, already cached 0, rejected by a domain block 0, failed 0'], one.stderr)
  const all = await media('refresh', '--domain', 'far.test')
  assert.deepEqual(all.lines, ['Fetched 3, already cached 2, rejected by a domain block 0, failed 0'])
  const again = await media('refresh', '--days', '1', '--force')
  assert.deepEqual(again.lines, ['Fetched 4, already cached 0, rejected by a domain block 0, failed 0'])
  assert.match(again.stderr, /100 %  fetching\n$/)
  await testServer.waitForJobs()
  assert.equal((await stored('cache/')).length, 5)

  const usage = await media('usage')
  assert.match(usage.lines.join('\n'), /^ +0 B +0 +uploads$/m)
  assert.match(usage.lines.join('\n'), /^ +[\d.]+ [KM]?B +2 +cached attachments of remote posts$/m)
  assert.match(usage.lines.at(-1)!, /^Remote media cache: .* of 5\.0 GB \(MEDIA_CACHE_GB\)$/)

  assert.match((await media('remove', '--days', '1')).lines[0]!, /^Removed 0 files/)
  assert.match((await media('remove', '--days', '0', '--dry-run')).lines[0]!, /^Would remove 4 files/)
  assert.match((await media('remove', '--days', '0')).lines[0]!, /^Removed 4 files/)
  await testServer.waitForJobs()
  assert.deepEqual(
    (await stored('cache/')).map((key) => key.split('/')[1]),
    ['avatars'],
  )
  assert.match((await media('remove', '--days', '0', '--profiles')).lines[0]!, /^Removed 1 files/)
  await testServer.waitForJobs()
  assert.deepEqual(await stored('cache/'), [])
})

test('old unreferenced files are removed, and missing files are listed or fetched again', async () => {
  const form = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes: image } })
  const { body } = await viewer.client.post('/api/v2/media', form.payload, form.headers)
  const uploadKey = new URL(body.url).pathname.replace('/system/', '')
  const { url } = await makePost(await createRemoteAccount(ctx))
  assert.equal(await fetchFile(url), 200)
  const root = join(ctx.config.dataDir, 'media')
  const make = async (key: string, ageHours: number) => {
    const path = join(root, key)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, 'x')
    const then = new Date(Date.now() - ageHours * 3_600_000)
    await utimes(path, then, then)
  }
  await make('media/ab/old.png', 30)
  await make('media/ab/young.png', 1)
  await make('cache/media/ab/old.png', 30)
  await make('exports/ab/old.png', 30)
  const age = new Date(Date.now() - 90_000_000)
  for (const key of [...(await stored('media/')), ...(await stored('cache/'))]) {
    if (!key.includes('young')) await utimes(join(root, key), age, age)
  }
  const before = await stored('')

  const dry = await media('remove-orphans', '--dry-run')
  assert.deepEqual(dry.lines, [
    'Would remove 2 unreferenced files, 2 B',
    'Missing files: 0 local; 0 remote, which are fetched again when needed',
  ])
  assert.deepEqual(await stored(''), before)
  const done = await media('orphans')
  assert.equal(done.lines[0], 'Removed 2 unreferenced files, 2 B')
  assert.deepEqual((await stored('')).toSorted(), before.filter((key) => !/(media|cache).*\/old/.test(key)).toSorted())

  await ctx.storage.remove({ keys: [uploadKey, ...(await stored('cache/media/'))] })
  const result = await media('remove-orphans')
  assert.deepEqual(result.lines, [
    `missing: ${uploadKey}`,
    'Removed 0 unreferenced files, 0 B',
    'Missing files: 1 local; 1 remote, which are fetched again when needed',
  ])
  assert.equal(await fetchFile(url), 200)
  assert.equal(await fetchFile(new URL(body.preview_url).pathname), 200)
})

test('a bucket that does not respond is reported with its reason', async () => {
  const linnet = await openCommandLine(testServer, {
    S3_ENABLED: 'true',
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_RETRY_LIMIT: '0',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  })
  const { code, stderr } = await linnet.run('media', 'usage')
  assert.equal(code, 1)
  assert.match(stderr, /\nThere was a temporary problem .* \(connect ECONNREFUSED 127\.0\.0\.1:1\)\n$/)
})
