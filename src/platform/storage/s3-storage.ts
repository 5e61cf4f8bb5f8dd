import type { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import type * as LibStorage from '@aws-sdk/lib-storage'
import type { S3Config } from './read-s3-settings.ts'
import type { ByteRange, FileInfo, ListedFile, Storage, StoredFile } from './storage.ts'
import {
  checkKeys,
  checkContentType,
  contentTypeOf,
  resolveRange,
  StorageFullError,
  StorageUnavailableError,
} from './storage.ts'

/** Slow downloads use one connection each, and uploads must not wait for them. */
const MAX_SOCKETS = 200

/** Error codes of services for a full storage, if they do not respond with 507. */
const STORAGE_FULL_CODES =
  /^(QuotaExceeded|InsufficientStorage|InsufficientCapacity|XMinioStorageFull|XMinioAdminBucketQuotaExceeded)$/

interface S3Tools {
  sdk: typeof Sdk
  client: Sdk.S3Client
  Upload: typeof LibStorage.Upload
}

/** Stores files in a bucket. The SDK is loaded at the first request. */
export function createS3Storage(config: S3Config): Storage {
  const { bucket: Bucket, keyPrefix } = config
  let tools: Promise<S3Tools> | undefined
  const load = () => (tools ??= connect(config))

  /** Returns the parameters that identify a file. */
  const objectKey = (key: string) => ({ Bucket, Key: keyPrefix + key })

  async function put({ key, body, contentType }: { key: string; body: Readable | Buffer; contentType: string }) {
    checkContentType(key, contentType)
    const params = {
      ...objectKey(key),
      Body: body,
      ContentType: contentType,
      CacheControl: 'public, max-age=31536000, immutable',
      ...(config.permission !== null && { ACL: config.permission as Sdk.ObjectCannedACL }),
      ...(config.storageClass !== null && { StorageClass: config.storageClass as Sdk.StorageClass }),
    }
    const { client, Upload } = await load()
    // One part at a time, so that at most a few parts are in memory.
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
    // Services treat unusual ranges and suffix ranges differently, so they receive only ranges with start and end.
    const fileInfo = await find({ key })
    return fileInfo === null ? null : get(key, contentType, { part: resolveRange(range, fileInfo.size), fileInfo })
  }

  async function get(
    key: string,
    contentType: string,
    requestedPart: { part: { start: number; end: number }; fileInfo: FileInfo } | null,
  ): Promise<StoredFile | null> {
    const { sdk, client } = await load()
    const range = requestedPart && {
      Range: `bytes=${requestedPart.part.start}-${requestedPart.part.end}`,
      IfMatch: requestedPart.fileInfo.etag,
    }
    const found = await nullIfMissing(client.send(new sdk.GetObjectCommand({ ...objectKey(key), ...range })))
    if (found === null) return null
    const stream = found.Body as Readable
    const { ContentRange } = found
    if (
      requestedPart &&
      ContentRange?.split('/')[0] !== `bytes ${requestedPart.part.start}-${requestedPart.part.end}`
    ) {
      stream.destroy()
      throw new StorageUnavailableError(new Error(`Requested ${range!.Range}, the storage returned ${ContentRange}`))
    }
    const fileInfo = requestedPart ? requestedPart.fileInfo : fileInfoOf(found, contentType)
    return { ...fileInfo, stream, range: requestedPart ? requestedPart.part : null }
  }

  async function find({ key }: { key: string }): Promise<FileInfo | null> {
    const contentType = contentTypeOf(key)
    if (contentType === null) return null
    const { sdk, client } = await load()
    const found = await nullIfMissing(client.send(new sdk.HeadObjectCommand(objectKey(key))))
    return found && fileInfoOf(found, contentType)
  }

  async function remove({ keys }: { keys: string[] }): Promise<void> {
    checkKeys(keys)
    const { sdk, client } = await load()
    if (config.removeBatch === 1 || keys.length === 1) {
      for (const key of keys) await nullIfMissing(client.send(new sdk.DeleteObjectCommand(objectKey(key))))
      return
    }
    for (let n = 0; n < keys.length; n += config.removeBatch) {
      const Objects = keys.slice(n, n + config.removeBatch).map((key) => ({ Key: objectKey(key).Key }))
      const { Errors = [] } = await client.send(
        new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      )
      const failed = Errors.find(({ Code }) => Code !== 'NoSuchKey')
      if (failed) throw refusal(`to delete ${failed.Key}: ${failed.Code} ${failed.Message ?? ''}`)
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

  async function setPublic({ keys, isPublic }: { keys: string[]; isPublic: boolean }): Promise<void> {
    checkKeys(keys)
    const { sdk, client } = await load()
    const ACL = (isPublic ? config.permission : 'private') as Sdk.ObjectCannedACL
    for (const key of keys) await nullIfMissing(client.send(new sdk.PutObjectAclCommand({ ...objectKey(key), ACL })))
  }

  const hasPublicFiles = config.permission !== null && config.permission.startsWith('public-')
  return { put, open: openFile, find, remove, list, setPublic: hasPublicFiles ? setPublic : null }
}

async function connect(config: S3Config): Promise<S3Tools> {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const sockets = { maxSockets: MAX_SOCKETS, keepAlive: true }
  const client = new sdk.S3Client({
    region: config.region,
    forcePathStyle: config.pathStyle,
    maxAttempts: config.retries + 1,
    // Few services except Amazon support the newer checksums.
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
          // The SDK aborts a failed upload. The error of the upload is thrown even if the abort fails, too.
          if (commandName === 'AbortMultipartUploadCommand') return { output: { $metadata: {} }, response: undefined }
          throw storageErrorOf(error)
        }),
    { step: 'initialize', priority: 'high', name: 'storageErrors' },
  )
  return { sdk, client, Upload }
}

function fileInfoOf(
  found: { ContentLength?: number | undefined; ETag?: string | undefined; LastModified?: Date | undefined },
  contentType: string,
): FileInfo {
  const { ContentLength = 0, ETag = '""', LastModified = new Date(0) } = found
  return { size: ContentLength, contentType, etag: ETag, lastModified: LastModified }
}

interface ServiceError extends Error {
  $metadata?: { httpStatusCode?: number }
}

const isMissingFile = ({ name }: ServiceError) => name === 'NoSuchKey' || name === 'NotFound'

async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: ServiceError) => {
    if (isMissingFile(error)) return null
    throw error
  })
}

/**
 * Returns StorageFullError or StorageUnavailableError, also if settings or permissions are wrong, which an
 * administrator can repair while the server runs; the service's error for a missing file.
 */
function storageErrorOf(error: ServiceError): Error {
  const status = error.$metadata?.httpStatusCode
  if (status === 507 || STORAGE_FULL_CODES.test(error.name)) return new StorageFullError(error)
  if (status === undefined || status >= 500 || status === 429) return new StorageUnavailableError(error)
  if (isMissingFile(error)) return error
  return refusal(`a request with ${status} ${error.name}: ${error.message}`, error)
}

/** Returns the error of a refused request, whose cause names the remedy for the log. */
function refusal(what: string, cause?: unknown): StorageUnavailableError {
  const remedy = 'check the S3_… settings and the permissions of the key; bin/linnet doctor tests them'
  return new StorageUnavailableError(new Error(`The storage refused ${what}; ${remedy}`, { cause }))
}
