import type { Environment } from '../environment.ts'

/** Where files lie when they do not lie on the disk: a bucket of a service that speaks the protocol of Amazon's S3. */
export interface S3Config {
  bucket: string
  region: string
  /** null: Amazon's, for the region. */
  endpoint: string | null
  /** Whether the bucket stands in the path of addresses and not before the host. */
  pathStyle: boolean
  /** null: what the libraries of the service find by themselves, such as the rights of a machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
  /** Where everybody finds the files, without a slash at the end; null: at our own address. */
  aliasUrl: string | null
  /** What stands before each key, with a slash at the end if there is anything. */
  keyPrefix: string
  /** Who may read a file at the service itself; null: as the bucket says. */
  permission: string | null
  storageClass: string | null
  openTimeoutSeconds: number
  /** How long the service may be silent. */
  readTimeoutSeconds: number
  retries: number
  /** Files that are larger are sent in parts of this size; null: each at once, from memory. */
  partBytes: number | null
  /** So many are removed by one request. */
  removeBatch: number
}

const MB = 1_048_576

/** The least that the protocol allows for a part. */
const MIN_PART_BYTES = 5 * MB

const PERMISSIONS = ['', 'none', 'private', 'public-read', 'authenticated-read', 'bucket-owner-full-control'] as const

const NAMES = [
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

/** Reads the settings `S3_…`, which are called as Mastodon calls them. null: files lie on the disk. */
export function readS3(read: Environment): S3Config | null {
  const bucket = read.text('S3_BUCKET')
  if (read.flag('S3_ENABLED') !== true) {
    // It is more likely that the switch was forgotten than that the bucket was.
    if (read.flag('S3_ENABLED') === null) read.need('S3_ENABLED=true', ['S3_BUCKET', ...NAMES])
    return null
  }
  if (bucket === null) read.wrong('S3_ENABLED', 'is set without S3_BUCKET')
  else if (!/^[A-Za-z0-9._-]{3,255}$/.test(bucket)) read.wrong('S3_BUCKET', `is no name of a bucket: "${bucket}"`)
  const protocol = read.choice('S3_PROTOCOL', 'https', ['https', 'http'])
  const aliasUrl = readAlias(read, protocol)
  const endpoint = readEndpoint(read, protocol)
  read.choice('S3_SIGNATURE_VERSION', 'v4', ['v4'])
  return {
    bucket: bucket ?? '',
    region: read.text('S3_REGION') ?? 'us-east-1',
    endpoint,
    pathStyle: endpoint !== null && read.flag('S3_OVERRIDE_PATH_STYLE') !== true,
    credentials: readCredentials(read),
    aliasUrl,
    keyPrefix: readPrefix(read),
    permission: readPermission(read, aliasUrl !== null),
    storageClass: read.text('S3_STORAGE_CLASS'),
    openTimeoutSeconds: read.integer('S3_OPEN_TIMEOUT', 5, 1, 600),
    readTimeoutSeconds: read.integer('S3_READ_TIMEOUT', 30, 1, 600),
    retries: read.integer('S3_RETRY_LIMIT', 2, 0, 20),
    partBytes:
      read.flag('S3_FORCE_SINGLE_REQUEST') === true
        ? null
        : read.integer('S3_MULTIPART_THRESHOLD', 15 * MB, MIN_PART_BYTES, 500 * MB),
    removeBatch: read.integer('S3_BATCH_DELETE_LIMIT', 1000, 1, 1000),
  }
}

function readEndpoint(read: Environment, protocol: string): string | null {
  const endpoint = read.text('S3_ENDPOINT')
  const host = read.text('S3_HOSTNAME')
  if (endpoint === null && host === null) return null
  const url = endpoint ?? `${protocol}://${host}`
  if (URL.canParse(url) && /^https?:\/\/[^/@?#]+\/?$/.test(url)) return url.replace(/\/$/, '')
  read.wrong(endpoint === null ? 'S3_HOSTNAME' : 'S3_ENDPOINT', `must be such as https://s3.example, not "${url}"`)
  return null
}

function readCredentials(read: Environment): S3Config['credentials'] {
  const accessKeyId = read.text('AWS_ACCESS_KEY_ID')
  const secretAccessKey = read.text('AWS_SECRET_ACCESS_KEY')
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    read.wrong('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY', 'must be set together')
  }
  return accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null
}

/** A host, as Mastodon has it, perhaps with a path. */
function readAlias(read: Environment, protocol: string): string | null {
  const own = read.text('S3_ALIAS_HOST')
  const host = own ?? read.text('S3_CLOUDFRONT_HOST')
  if (host === null) return null
  const url = `${protocol}://${host}`
  if (/^[a-z\d.-]+(:\d{1,5})?(\/[\w.-]+)*\/?$/i.test(host) && URL.canParse(url))
    return new URL(url).href.replace(/\/$/, '')
  read.wrong(
    own === null ? 'S3_CLOUDFRONT_HOST' : 'S3_ALIAS_HOST',
    `must be a host such as files.example, not "${host}"`,
  )
  return null
}

function readPrefix(read: Environment): string {
  const prefix = (read.text('S3_KEY_PREFIX') ?? '').replace(/^\/+|\/+$/g, '')
  if (/^([A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*)?$/.test(prefix)) return prefix === '' ? '' : `${prefix}/`
  read.wrong('S3_KEY_PREFIX', `must be a path of letters, digits, dots and dashes, not "${prefix}"`)
  return ''
}

/** What is read at an alias has to be readable there. An empty value says that no permission is to be sent. */
function readPermission(read: Environment, hasAlias: boolean): string | null {
  if (read.env['S3_PERMISSION'] === undefined) return hasAlias ? 'public-read' : null
  const permission = read.choice('S3_PERMISSION', '', PERMISSIONS)
  return permission === '' || permission === 'none' ? null : permission
}
