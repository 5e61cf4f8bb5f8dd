import type { EnvironmentReader } from '../config/environment-reader.ts'

/** A bucket of an S3-compatible service. */
export interface S3Config {
  bucket: string
  region: string
  /** Null: Amazon's endpoint of the region. */
  endpoint: string | null
  /** Whether the bucket is in the path of URLs instead of the host name. */
  pathStyle: boolean
  /** Null: the default credentials of the SDK, for example an instance role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
  /** Public URL of the bucket, without a trailing slash. Null: this server serves the files. */
  aliasUrl: string | null
  /** Prefix of all keys: empty, or with a trailing slash. */
  keyPrefix: string
  /** Canned ACL of the files. Null: the default of the bucket. */
  permission: string | null
  storageClass: string | null
  openTimeoutSeconds: number
  /** Maximum time without data from the service. */
  readTimeoutSeconds: number
  retries: number
  /** Part size of multipart uploads, which larger files use. Null: files are sent in one request, from memory. */
  partBytes: number | null
  /** How many files one request deletes. */
  removeBatch: number
}

const MB = 1_048_576

/** The minimum of the protocol. */
const MIN_PART_BYTES = 5 * MB

const PERMISSIONS = ['', 'none', 'private', 'public-read', 'authenticated-read', 'bucket-owner-full-control'] as const

const S3_SETTINGS = [
  'S3_REGION',
  'S3_ENDPOINT',
  'S3_HOSTNAME',
  'S3_PROTOCOL',
  'S3_ALIAS_HOST',
  'S3_CLOUDFRONT_HOST',
  'S3_PERMISSION',
  'S3_KEY_PREFIX',
  'S3_STORAGE_CLASS',
  'S3_OVERRIDE_PATH_STYLE',
]

/** Reads the settings `S3_…`, which have Mastodon's names. Returns null if files are stored on the disk. */
export function readS3Settings(reader: EnvironmentReader): S3Config | null {
  const bucket = reader.text('S3_BUCKET')
  const isEnabled = reader.flag('S3_ENABLED')
  if (isEnabled !== true) {
    // The administrator has probably forgotten S3_ENABLED.
    if (isEnabled === null && reader.text('S3_ENABLED') === null)
      reader.requireSetting('S3_ENABLED=true', ['S3_BUCKET', ...S3_SETTINGS])
    return null
  }
  if (bucket === null) reader.reportProblem('S3_ENABLED', 'is set without S3_BUCKET')
  else if (!/^[A-Za-z0-9._-]{3,255}$/.test(bucket))
    reader.reportProblem('S3_BUCKET', `is not a valid bucket name: "${bucket}"`)
  const protocol = reader.choice('S3_PROTOCOL', 'https', ['https', 'http'])
  const aliasUrl = readAlias(reader, protocol)
  const endpoint = readEndpoint(reader, protocol)
  reader.choice('S3_SIGNATURE_VERSION', 'v4', ['v4'])
  return {
    bucket: bucket ?? '',
    region: reader.text('S3_REGION') ?? 'us-east-1',
    endpoint,
    pathStyle: endpoint !== null && reader.flag('S3_OVERRIDE_PATH_STYLE') !== true,
    credentials: readCredentials(reader),
    aliasUrl,
    keyPrefix: readPrefix(reader),
    permission: readPermission(reader, aliasUrl !== null),
    storageClass: reader.text('S3_STORAGE_CLASS'),
    openTimeoutSeconds: reader.integer('S3_OPEN_TIMEOUT', 5, 1, 600),
    readTimeoutSeconds: reader.integer('S3_READ_TIMEOUT', 30, 1, 600),
    retries: reader.integer('S3_RETRY_LIMIT', 2, 0, 20),
    partBytes:
      reader.flag('S3_FORCE_SINGLE_REQUEST') === true
        ? null
        : reader.integer('S3_MULTIPART_THRESHOLD', 15 * MB, MIN_PART_BYTES, 500 * MB),
    removeBatch: reader.integer('S3_BATCH_DELETE_LIMIT', 1000, 1, 1000),
  }
}

function readEndpoint(reader: EnvironmentReader, protocol: string): string | null {
  const endpoint = reader.text('S3_ENDPOINT')
  const host = reader.text('S3_HOSTNAME')
  if (endpoint === null && host === null) return null
  const url = endpoint ?? `${protocol}://${host}`
  if (URL.canParse(url) && /^https?:\/\/[^/@?#]+\/?$/.test(url)) return url.replace(/\/$/, '')
  reader.reportProblem(
    endpoint === null ? 'S3_HOSTNAME' : 'S3_ENDPOINT',
    `must be such as https://s3.example, not "${url}"`,
  )
  return null
}

function readCredentials(reader: EnvironmentReader): S3Config['credentials'] {
  const accessKeyId = reader.text('AWS_ACCESS_KEY_ID')
  const secretAccessKey = reader.text('AWS_SECRET_ACCESS_KEY')
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    reader.reportProblem('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY', 'must be set together')
  }
  return accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null
}

/** Reads a host as in Mastodon, which may have a path. */
function readAlias(reader: EnvironmentReader, protocol: string): string | null {
  const aliasHost = reader.text('S3_ALIAS_HOST')
  const host = aliasHost ?? reader.text('S3_CLOUDFRONT_HOST')
  if (host === null) return null
  const url = `${protocol}://${host}`
  if (/^[a-z\d.-]+(:\d{1,5})?(\/[\w.-]+)*\/?$/i.test(host) && URL.canParse(url))
    return new URL(url).href.replace(/\/$/, '')
  reader.reportProblem(
    aliasHost === null ? 'S3_CLOUDFRONT_HOST' : 'S3_ALIAS_HOST',
    `must be a host such as files.example, not "${host}"`,
  )
  return null
}

function readPrefix(reader: EnvironmentReader): string {
  const prefix = (reader.text('S3_KEY_PREFIX') ?? '').replace(/^\/+|\/+$/g, '')
  if (/^([A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*)?$/.test(prefix)) return prefix === '' ? '' : `${prefix}/`
  reader.reportProblem('S3_KEY_PREFIX', `must be a path of letters, digits, dots and dashes, not "${prefix}"`)
  return ''
}

/** Files must be public if clients read them at an alias. An empty value means that no ACL is sent. */
function readPermission(reader: EnvironmentReader, hasAlias: boolean): string | null {
  if (reader.env['S3_PERMISSION'] === undefined) return hasAlias ? 'public-read' : null
  const permission = reader.choice('S3_PERMISSION', '', PERMISSIONS)
  return permission === '' || permission === 'none' ? null : permission
}
