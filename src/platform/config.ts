import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOCALES } from '../lib/messages/locales.ts'
import type { Locale } from '../lib/messages/locales.ts'
import { findNearestName } from '../lib/nearest-name.ts'
import { Environment } from './environment.ts'
import type { TestHosts } from './fetch/target.ts'
import { readTestDns, readTestHosts } from './fetch/settings.ts'
import type { LogFormat } from './log.ts'
import { readS3 } from './storage/settings.ts'
import type { S3Config } from './storage/settings.ts'
import { STORAGE_URL_PREFIX } from './storage/storage.ts'
import { readTranslation } from './translation/settings.ts'
import type { TranslationConfig } from './translation/settings.ts'
import { findUnsupported } from './unsupported-settings.ts'

export type RegistrationsMode = 'open' | 'approved' | 'none'

/** Everything that the environment says, read once. No other file reads `process.env`. */
export interface Config {
  readonly version: string
  readonly port: number
  readonly bind: string
  /** The domain in handles (`@name@localDomain`), canonical ASCII, with a port only for localhost. */
  readonly localDomain: string
  /** The host of every URL. */
  readonly webDomain: string
  /** `https://…` or `http://…` without a slash at the end. */
  readonly origin: string
  /** Where streams are: `wss://…` or `ws://…` without a slash at the end. */
  readonly streamingUrl: string
  readonly tls: { certFile: string; keyFile: string } | null
  readonly dataDir: string
  /** null = the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null
  /** Valkey or Redis, which joins many processes; null: PostgreSQL does. */
  readonly redisUrl: string | null
  readonly databasePoolSize: number
  /** null = files lie in the data folder. */
  readonly s3: S3Config | null
  /** How the address of every stored file begins, with a slash at the end. */
  readonly filesUrl: string
  /** How much of what lies on other servers is kept here for its readers; 0: it is shown from where it lies. */
  readonly mediaCacheBytes: number
  readonly smtp: SmtpConfig | null
  readonly mailFrom: string
  /** null = nothing is translated. */
  readonly translation: TranslationConfig | null
  readonly registrationsMode: RegistrationsMode
  /** `X-Forwarded-*` is believed only from these. */
  readonly trustedProxies: readonly string[]
  /** Who may read `/metrics`, by the address of the connection itself. */
  readonly metricsReaders: readonly string[]
  /** Addresses and ranges that outbound requests may reach although they are private. */
  readonly allowedPrivateAddresses: readonly string[]
  /** Where outbound requests find these names, in tests; only inside the above. */
  readonly testHosts: TestHosts
  /** Name servers (`ip:port`) for outbound requests in tests; null = those of the system. */
  readonly testDns: readonly string[] | null
  readonly logLevel: string
  /** null = text on a terminal, JSON otherwise. */
  readonly logFormat: LogFormat | null
  readonly workerConcurrency: number
  /** Effects that wait for other servers at once. */
  readonly networkConcurrency: number
  readonly singleUserMode: boolean
  /** The language of pages for readers whose own is not available. */
  readonly defaultLocale: Locale
  /** The programs' names or paths. */
  readonly ffmpeg: string
  readonly ffprobe: string
}

export interface SmtpConfig {
  host: string
  port: number
  login: string | null
  password: string | null
  /** true: TLS from the first byte (SMTPS). */
  tls: boolean
  /** Upgrade by STARTTLS: always, when offered, never. */
  startTls: 'always' | 'auto' | 'never'
}

/** Thrown with every mistake of the environment at once. */
export class ConfigMistakes extends Error {
  readonly mistakes: string[]

  constructor(mistakes: string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** Beside the code, from wherever a command is called. */
const DATA_FOLDER = fileURLToPath(new URL('../../data', import.meta.url))

const THIS_MACHINE = ['127.0.0.1/8', '::1/128']
const LINNET_NAMES = new Set(['LINNET_TEST_HOSTS', 'LINNET_TEST_DNS'])
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']

/** As what a server was last started. A command that is given no domain of its own takes these. */
export interface Address {
  localDomain: string
  origin: string
}

/**
 * Reads the environment into one typed object; `served` stands in for domains that it does not name.
 * @throws ConfigMistakes with one line per mistake, all at once.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, served: Address | null = null): Config {
  const read = new Environment(env)
  const port = read.integer('PORT', 3000, 0, 65_535)
  const localDomain = read.domain('LOCAL_DOMAIN', served?.localDomain ?? `localhost:${port}`)
  const known = served !== null && served.localDomain === localDomain ? new URL(served.origin) : null
  const webDomain = read.domain('WEB_DOMAIN', known?.host ?? localDomain)
  const tls = readTls(read)
  const allowedPrivateAddresses = read.ranges('ALLOWED_PRIVATE_ADDRESSES', [])
  const asked = read.flag('LOCAL_HTTPS')
  if (tls && asked === false) read.wrong('LOCAL_HTTPS', 'can not be false when TLS_CERT_FILE is set')
  const https = asked ?? (known?.host === webDomain ? known.protocol === 'https:' : !isHere(webDomain))
  const origin = `${tls !== null || https ? 'https' : 'http'}://${webDomain}`
  const s3 = readS3(read)
  const config: Config = {
    version: readVersion(),
    port,
    bind: readBind(read),
    localDomain,
    webDomain,
    origin,
    streamingUrl: readStreamingUrl(read, origin),
    tls,
    dataDir: resolve(read.text('DATA_DIR') ?? DATA_FOLDER),
    databaseUrl: readDatabaseUrl(read),
    redisUrl: readRedisUrl(read),
    databasePoolSize: read.integer('DB_POOL', 20, 4, 500),
    s3,
    filesUrl: s3 !== null && s3.aliasUrl !== null ? `${s3.aliasUrl}/${s3.keyPrefix}` : origin + STORAGE_URL_PREFIX,
    mediaCacheBytes: read.integer('MEDIA_CACHE_GB', 5, 0, 1_000_000) * 1e9,
    smtp: readSmtp(read),
    mailFrom: readMailFrom(read, webDomain),
    translation: readTranslation(read),
    registrationsMode: read.choice('REGISTRATIONS_MODE', 'none', ['open', 'approved', 'none']),
    trustedProxies: read.ranges('TRUSTED_PROXY_IP', THIS_MACHINE),
    metricsReaders: read.ranges('METRICS_ALLOWED_IP', THIS_MACHINE),
    allowedPrivateAddresses,
    testHosts: readTestHosts(read, allowedPrivateAddresses),
    testDns: readTestDns(read, allowedPrivateAddresses),
    logLevel: read.choice('LOG_LEVEL', 'info', LOG_LEVELS),
    logFormat: read.choice('LOG_FORMAT', null, ['text', 'json']),
    workerConcurrency: read.integer('WORKER_CONCURRENCY', 10, 1, 200),
    networkConcurrency: read.integer('NETWORK_CONCURRENCY', 30, 1, 500),
    singleUserMode: read.flag('SINGLE_USER_MODE') ?? false,
    defaultLocale: read.choice('DEFAULT_LOCALE', 'en', LOCALES),
    ffmpeg: read.text('FFMPEG_BINARY') ?? 'ffmpeg',
    ffprobe: read.text('FFPROBE_BINARY') ?? 'ffprobe',
  }
  refuseForeignNames(read)
  if (read.mistakes.length > 0) throw new ConfigMistakes(read.mistakes)
  return config
}

/** Whether failures are told with where they came from. Also known when the rest of the environment is wrong. */
export function showsStacks(env: NodeJS.ProcessEnv = process.env): boolean {
  return ['debug', 'trace'].includes(env['LOG_LEVEL']?.trim() ?? '')
}

/** Returns whether a script of package.json started this process. */
export function isStartedByNpm(env: NodeJS.ProcessEnv = process.env): boolean {
  return env['npm_lifecycle_event'] !== undefined
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return (manifest as { version: string }).version
}

function readBind(read: Environment): string {
  const bind = read.text('BIND') ?? '127.0.0.1'
  if (isIP(bind) === 0 && bind !== 'localhost') read.wrong('BIND', `must be an IP address, not "${bind}"`)
  return bind
}

/** URLs are https unless the domain is this very machine; `LOCAL_HTTPS=false` is the way out for odd set-ups. */
function isHere(webDomain: string): boolean {
  const host = webDomain.replace(/:\d+$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || isIP(host) !== 0
}

function readStreamingUrl(read: Environment, origin: string): string {
  const value = read.text('STREAMING_API_BASE_URL') ?? origin
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^(wss?|https?):$/.test(url.protocol) && url.href === `${url.protocol}//${url.host}/`) {
    return `${url.protocol.replace('http', 'ws')}//${url.host}`
  }
  read.wrong(
    'STREAMING_API_BASE_URL',
    `must be an address such as wss://streams.example, without a path, not "${value}"`,
  )
  return origin
}

function readTls(read: Environment): Config['tls'] {
  const certFile = read.readable('TLS_CERT_FILE')
  const keyFile = read.readable('TLS_KEY_FILE')
  if (Boolean(read.text('TLS_CERT_FILE')) !== Boolean(read.text('TLS_KEY_FILE'))) {
    read.wrong('TLS_CERT_FILE and TLS_KEY_FILE', 'must be set together')
  }
  return certFile && keyFile ? { certFile, keyFile } : null
}

function readRedisUrl(read: Environment): string | null {
  const url = read.text('REDIS_URL')
  // Not repeated in the message: it holds a password.
  if (url !== null && !(/^(redis|valkey)s?:\/\/[^/]/.test(url) && URL.canParse(url))) {
    read.wrong('REDIS_URL', 'must be an address such as redis://:password@host:6379/0')
  }
  return url?.replace(/^valkey/, 'redis') ?? null
}

function readDatabaseUrl(read: Environment): string | null {
  const url = read.text('DATABASE_URL')
  if (url !== null) {
    // Not repeated in the message: it holds a password.
    if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
      read.wrong('DATABASE_URL', 'must be an address such as postgresql://user:password@host/name')
    }
    return url
  }
  const host = read.text('DB_HOST')
  if (host === null) {
    read.need('DB_HOST', ['DB_NAME', 'DB_USER', 'DB_PASS', 'DB_PORT'])
    return null
  }
  const built = new URL('postgresql://localhost')
  built.username = encodeURIComponent(read.text('DB_USER') ?? 'linnet')
  built.password = encodeURIComponent(read.text('DB_PASS') ?? '')
  built.port = String(read.integer('DB_PORT', 5432, 1, 65_535))
  built.pathname = `/${read.text('DB_NAME') ?? 'linnet'}`
  if (host.startsWith('/')) built.searchParams.set('host', host)
  else built.hostname = host
  return built.href
}

function readSmtp(read: Environment): SmtpConfig | null {
  const host = read.text('SMTP_SERVER')
  const ssl = read.flag('SMTP_SSL')
  const tls = read.flag('SMTP_TLS')
  const smtp = {
    port: read.integer('SMTP_PORT', ssl || tls ? 465 : 587, 1, 65_535),
    login: read.text('SMTP_LOGIN'),
    password: read.text('SMTP_PASSWORD'),
    tls: Boolean(ssl || tls),
    startTls: read.choice('SMTP_ENABLE_STARTTLS', 'auto', ['always', 'auto', 'never']),
  }
  if (host === null) {
    read.need('SMTP_SERVER', [
      'SMTP_PORT',
      'SMTP_LOGIN',
      'SMTP_PASSWORD',
      'SMTP_SSL',
      'SMTP_TLS',
      'SMTP_ENABLE_STARTTLS',
    ])
    return null
  }
  if ((smtp.login === null) !== (smtp.password === null)) {
    read.wrong('SMTP_LOGIN and SMTP_PASSWORD', 'must be set together')
  }
  return { host, ...smtp }
}

/** `Name <address>`, as Mastodon has it, is read too; of that only the address counts. */
function readMailFrom(read: Environment, webDomain: string): string {
  const value = read.text('SMTP_FROM_ADDRESS') ?? `notifications@${webDomain.replace(/:\d+$/, '')}`
  const [, named, plain] = /^(?:[^<>\r\n]*<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/.exec(value) ?? []
  const address = named ?? plain
  if (address === undefined) read.wrong('SMTP_FROM_ADDRESS', `must be an e-mail address, not "${value}"`)
  return address ?? value
}

/** A name that we would have to ignore is a mistake: a typing error must not change what a server does. */
function refuseForeignNames(read: Environment): void {
  for (const name of Object.keys(read.env)) {
    if (!name.startsWith('LINNET_') || LINNET_NAMES.has(name)) continue
    // Linnet's settings mostly have Mastodon's names, without a prefix.
    const meant = findNearestName(name, LINNET_NAMES) ?? findNearestName(name.slice('LINNET_'.length), read.names)
    read.wrong(name, `is not a name that Linnet knows${meant === null ? '' : ` (did you mean ${meant}?)`}`)
  }
  for (const name of findUnsupported(read.env)) read.wrong(name, 'is not supported yet by this version')
  if (read.text('OAUTH_REDIRECT_AT_SIGN_IN') !== null) {
    read.wrong('OAUTH_REDIRECT_AT_SIGN_IN', 'is no longer supported; OMNIAUTH_ONLY with one provider does the same')
  }
}
