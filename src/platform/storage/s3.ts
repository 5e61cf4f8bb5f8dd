import type { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import type * as LibStorage from '@aws-sdk/lib-storage'
import type { S3Config } from './settings.ts'
import type { ByteRange, FileFacts, ListedFile, Storage, StoredFile } from './storage.ts'
import { checkKeys, checkType, contentTypeOf, resolveRange, StorageFull, StorageUnavailable } from './storage.ts'

/** Downloads that readers are slow with hold a connection each; uploads must not wait behind them. */
const MAX_SOCKETS = 200

/** What services call it when there is no room, where they do not answer 507. */
const FULL =
  /^(QuotaExceeded|InsufficientStorage|InsufficientCapacity|XMinioStorageFull|XMinioAdminBucketQuotaExceeded)$/

interface Tools {
  sdk: typeof Sdk
  client: Sdk.S3Client
  Upload: typeof LibStorage.Upload
}

/** Keeps files in a bucket. The library is loaded when the first is asked for. */
export function createS3Storage(config: S3Config): Storage {
  const { bucket: Bucket, keyPrefix } = config
  let tools: Promise<Tools> | undefined
  const load = () => (tools ??= connect(config))

  /** Where a file lies, for each request about it. */
  const at = (key: string) => ({ Bucket, Key: keyPrefix + key })

  async function put({ key, body, contentType }: { key: string; body: Readable | Buffer; contentType: string }) {
    checkType(key, contentType)
    const params = {
      ...at(key),
      Body: body,
      ContentType: contentType,
      CacheControl: 'public, max-age=31536000, immutable',
      ...(config.permission !== null && { ACL: config.permission as Sdk.ObjectCannedACL }),
      ...(config.storageClass !== null && { StorageClass: config.storageClass as Sdk.StorageClass }),
    }
    const { client, Upload } = await load()
    // One part at a time, so that a few parts are in memory at most, however large the file is.
    const partSize = config.partBytes ?? Number.POSITIVE_INFINITY
    const upload = new Upload({ client, params, partSize, queueSize: 1 })
    let size = 0
    upload.on('httpUploadProgress', ({ loaded = 0 }) => (size = loaded))
    try {
      await upload.done()
      return { size }
    } catch (error) {
      if (!Buffer.isBuffer(body)) body.destroy()
      throw error
    }
  }

  async function openFile({ key, range }: { key: string; range?: ByteRange }): Promise<StoredFile | null> {
    const contentType = contentTypeOf(key)
    if (contentType === null) return null
    if (range === undefined) return get(key, contentType, null)
    // Services differ in what they make of odd ranges and of the last bytes, so they are only asked for plain ones.
    const facts = await find({ key })
    return facts === null ? null : get(key, contentType, { part: resolveRange(range, facts.size), facts })
  }

  async function get(
    key: string,
    contentType: string,
    wanted: { part: { start: number; end: number }; facts: FileFacts } | null,
  ): Promise<StoredFile | null> {
    const { sdk, client } = await load()
    const range = wanted && { Range: `bytes=${wanted.part.start}-${wanted.part.end}`, IfMatch: wanted.facts.etag }
    const found = await orAbsent(client.send(new sdk.GetObjectCommand({ ...at(key), ...range })))
    if (found === null) return null
    const stream = found.Body as Readable
    const { ContentRange } = found
    if (wanted && ContentRange?.split('/')[0] !== `bytes ${wanted.part.start}-${wanted.part.end}`) {
      stream.destroy()
      throw new StorageUnavailable(new Error(`Asked for ${range!.Range}, the storage gave ${ContentRange}`))
    }
    const facts = wanted ? wanted.facts : factsOf(found, contentType)
    return { ...facts, stream, range: wanted ? wanted.part : null }
  }

  async function find({ key }: { key: string }): Promise<FileFacts | null> {
    const contentType = contentTypeOf(key)
    if (contentType === null) return null
    const { sdk, client } = await load()
    const found = await orAbsent(client.send(new sdk.HeadObjectCommand(at(key))))
    return found && factsOf(found, contentType)
  }

  async function remove({ keys }: { keys: string[] }): Promise<void> {
    checkKeys(keys)
    const { sdk, client } = await load()
    if (config.removeBatch === 1 || keys.length === 1) {
      for (const key of keys) await orAbsent(client.send(new sdk.DeleteObjectCommand(at(key))))
      return
    }
    for (let n = 0; n < keys.length; n += config.removeBatch) {
      const Objects = keys.slice(n, n + config.removeBatch).map((key) => ({ Key: at(key).Key }))
      const { Errors = [] } = await client.send(
        new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      )
      const failed = Errors.find(({ Code }) => Code !== 'NoSuchKey')
      if (failed) throw new Error(`The storage did not remove ${failed.Key}: ${failed.Code} ${failed.Message ?? ''}`)
    }
  }

  async function* list({ folder }: { folder: string }): AsyncGenerator<ListedFile> {
    const { sdk, client } = await load()
    let ContinuationToken: string | undefined
    do {
      const page: Sdk.ListObjectsV2CommandOutput = await client.send(
        new sdk.ListObjectsV2Command({ Bucket, Prefix: keyPrefix + folder, ContinuationToken }),
      )
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        const key = Key.slice(keyPrefix.length)
        if (contentTypeOf(key) !== null) yield { key, size: Size, lastModified: LastModified }
      }
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (ContinuationToken !== undefined)
  }

  return { put, open: openFile, find, remove, list }
}

async function connect(config: S3Config): Promise<Tools> {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const sockets = { maxSockets: MAX_SOCKETS, keepAlive: true }
  const client = new sdk.S3Client({
    region: config.region,
    forcePathStyle: config.pathStyle,
    maxAttempts: config.retries + 1,
    // Newer checksums are understood by few services but Amazon's own.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: config.openTimeoutSeconds * 1000,
      socketTimeout: config.readTimeoutSeconds * 1000,
      httpAgent: sockets,
      httpsAgent: sockets,
    },
    ...(config.endpoint !== null && { endpoint: config.endpoint }),
    ...(config.credentials !== null && { credentials: config.credentials }),
  })
  client.middlewareStack.add(
    (next, { commandName }) =>
      (request) =>
        next(request).catch((error: ServiceError) => {
          // The library aborts an upload that fails. Its error is reported, even if the service refuses the abort as well.
          if (commandName === 'AbortMultipartUploadCommand') return { output: { $metadata: {} }, response: undefined }
          throw storageErrorOf(error)
        }),
    { step: 'initialize', priority: 'high', name: 'storageErrors' },
  )
  return { sdk, client, Upload }
}

function factsOf(
  found: { ContentLength?: number | undefined; ETag?: string | undefined; LastModified?: Date | undefined },
  contentType: string,
): FileFacts {
  const { ContentLength = 0, ETag = '""', LastModified = new Date(0) } = found
  return { size: ContentLength, contentType, etag: ETag, lastModified: LastModified }
}

interface ServiceError extends Error {
  $metadata?: { httpStatusCode?: number }
}

async function orAbsent<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: ServiceError) => {
    if (error.name === 'NoSuchKey' || error.name === 'NotFound') return null
    throw error
  })
}

/** Returns StorageFull, StorageUnavailable, or the service's own error where its settings or rights are wrong. */
function storageErrorOf(error: ServiceError): Error {
  const status = error.$metadata?.httpStatusCode
  if (status === 507 || FULL.test(error.name)) return new StorageFull(error)
  if (status === undefined || status >= 500 || status === 429) return new StorageUnavailable(error)
  return error
}
