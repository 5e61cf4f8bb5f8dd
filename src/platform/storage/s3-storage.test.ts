import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openS3 } from '../../../test/services/s3-server.ts'
import { readConfig } from '../config/config.ts'
import { createS3Storage } from './s3-storage.ts'
import { StorageUnavailableError } from './storage.ts'
import type { Storage } from './storage.ts'

const file = { key: 'a.png', body: Buffer.from('x'), contentType: 'image/png' }

function storageAt(env: Record<string, string>): Storage {
  return createS3Storage(readConfig(env).s3!)
}

/** Opens a service that responds to all requests with one error. */
async function storageThatFailsWith(t: TestContext, status: number, code: string): Promise<Storage> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', S3_RETRY_LIMIT: '0' }
  return storageAt({ S3_ENABLED: 'true', S3_BUCKET: 'media', S3_ENDPOINT: `http://127.0.0.1:${port}`, ...keys })
}

test('F10: a full service causes 507', async (t) => {
  for (const [status, code] of [
    [507, 'InsufficientStorage'],
    [403, 'QuotaExceeded'],
    [507, 'XMinioStorageFull'],
  ] as const) {
    const storage = await storageThatFailsWith(t, status, code)
    await assert.rejects(storage.put(file), { name: 'StorageFullError', status: 507 }, code)
  }
})

test('a failing or unreachable service is a temporary error, not a missing file', async (t) => {
  const s3 = await openS3()
  await s3.stop()
  t.after(() => s3.close())
  for (const storage of [await storageThatFailsWith(t, 500, 'InternalError'), storageAt(s3.env)]) {
    const unavailable = { name: 'StorageUnavailableError', status: 503 }
    await assert.rejects(storage.put(file), unavailable)
    await assert.rejects(storage.open({ key: file.key }), unavailable)
    await assert.rejects(storage.find({ key: file.key }), unavailable)
    await assert.rejects(storage.remove({ keys: [file.key] }), unavailable)
  }
})

test('a missing bucket and wrong credentials are no missing file, and name their remedy for the log', async (t) => {
  const s3 = await openS3()
  t.after(() => s3.close())
  const refused = (cause: RegExp) => (err: unknown) => {
    assert.ok(err instanceof StorageUnavailableError)
    assert.match((err.cause as Error).message, cause)
    assert.match((err.cause as Error).message, /; check the S3_… settings and the permissions of the key/)
    return true
  }
  const otherBucket = storageAt({ ...s3.env, S3_BUCKET: 'another' })
  await assert.rejects(otherBucket.open({ key: file.key }), refused(/404 NoSuchBucket/))
  const unknown = storageAt({ ...s3.env, AWS_ACCESS_KEY_ID: 'another' })
  await assert.rejects(unknown.put(file), refused(/403 InvalidAccessKeyId/))
  const forbidden = await storageThatFailsWith(t, 403, 'AccessDenied')
  for (const request of [
    () => forbidden.put(file),
    () => forbidden.open({ key: file.key }),
    () => forbidden.remove({ keys: [file.key] }),
  ])
    await assert.rejects(request(), refused(/403 AccessDenied: no/))
})

test('files that clients read from the service become private and public again; missing ones are ignored', async (t) => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${String(request.headers['x-amz-acl'])}`)
    request.resume().on('end', () => {
      const isMissing = request.url!.includes('missing')
      response.writeHead(isMissing ? 404 : 200, { 'content-type': 'application/xml' })
      response.end(isMissing ? '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>' : '')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const env = {
    S3_ENABLED: 'true',
    S3_BUCKET: 'media',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_OVERRIDE_PATH_STYLE: 'false',
    S3_RETRY_LIMIT: '0',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  }
  const storage = storageAt({ ...env, S3_PERMISSION: 'public-read' })
  await storage.setPublic!({ keys: ['a.png', 'missing.png'], isPublic: false })
  await storage.setPublic!({ keys: ['a.png'], isPublic: true })
  assert.deepEqual(requests, [
    'PUT /media/a.png?acl= private',
    'PUT /media/missing.png?acl= private',
    'PUT /media/a.png?acl= public-read',
  ])
  assert.equal(storageAt({ ...env, S3_PERMISSION: '' }).setPublic, null)
})
