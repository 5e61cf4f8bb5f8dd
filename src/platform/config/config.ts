import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOCALES } from '../../lib/messages/locales.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { findNearestName } from '../../lib/find-nearest-name.ts'
import { EnvironmentReader } from './environment-reader.ts'
import type { TestHosts } from '../fetch/parse-request-url.ts'
import { readTestDns, readTestHosts } from '../fetch/read-test-settings.ts'
import type { LogFormat } from '../log/log.ts'
import { readS3Settings } from '../storage/read-s3-settings.ts'
import type { S3Config } from '../storage/read-s3-settings.ts'
import { STORAGE_URL_PREFIX } from '../storage/storage.ts'
import { readSingleSignOnSettings } from '../single-sign-on/read-single-sign-on-settings.ts'
import type { SingleSignOnConfig } from '../single-sign-on/read-single-sign-on-settings.ts'
import { readTranslationSettings } from '../translation/read-translation-settings.ts'
import type { TranslationConfig } from '../translation/read-translation-settings.ts'
import { findUnsupportedSettings } from './find-unsupported-settings.ts'
import { readAccessSettings, readEmailDomainLists } from './read-access-settings.ts'
import type { AccessConfig, EmailDomainLists } from './read-access-settings.ts'
import { readDatabaseUrl, readReplicaDatabaseUrl } from './read-database-settings.ts'
import { readRedisUrl } from './read-valkey-settings.ts'
import { readRetentionSettings } from './read-retention-settings.ts'
import { readMailFrom, readMailReplyTo, readSmtpSettings } from './read-smtp-settings.ts'
import type { MailAddress, SmtpConfig } from './read-smtp-settings.ts'

export type RegistrationsMode = 'open' | 'approved' | 'none'

/** All settings, read once from the environment. No other file reads `process.env`. */
export interface Config {
  readonly version: string
  readonly port: number
  readonly bind: string
  /** The domain in handles (`@name@localDomain`), canonical ASCII, with a port only for localhost. */
  readonly localDomain: string
  /** The host of all URLs of this server. */
  readonly webDomain: string
  /** `https://…` or `http://…` without a trailing slash. */
  readonly origin: string
  /** Base URL of the streaming API: `wss://…` or `ws://…` without a trailing slash. */
  readonly streamingUrl: string
  readonly tls: { certFile: string; keyFile: string } | null
  readonly dataDir: string
  /** Null: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null
  /** A streaming replica for reads that may be a second old. Null: the primary answers them. */
  readonly replicaDatabaseUrl: string | null
  /** Valkey or Redis, which connects the processes of this server. Null: PostgreSQL connects them. */
  readonly redisUrl: string | null
  readonly databasePoolSize: number
  /** How much memory the caches of a process may use. */
  readonly cacheBytes: number
  /** Null: files are stored in the data folder. */
  readonly s3: S3Config | null
  /** URL prefix of all stored files, with a trailing slash. */
  readonly filesUrl: string
  /** Size limit of the remote media cache. 0: no cache; clients load remote media from the origin server. */
  readonly mediaCacheBytes: number
  /** The largest archive of an account that users can upload. */
  readonly archiveUploadBytes: number
  readonly smtp: SmtpConfig | null
  readonly mailFrom: MailAddress
  /** Where answers to mails go; null: to the sender. */
  readonly mailReplyTo: MailAddress | null
  /** Null: translation is not available. */
  readonly translation: TranslationConfig | null
  readonly singleSignOn: SingleSignOnConfig
  /** In how many browsers a user can be logged in. */
  readonly maxSessions: number
  readonly retention: ReturnType<typeof readRetentionSettings>
  readonly registrationsMode: RegistrationsMode
  /** The keys of hCaptcha. Null: the setting `captcha-enabled` has no effect. */
  readonly hcaptcha: { readonly siteKey: string; readonly secretKey: string } | null
  /** Whether open registrations change to approval mode while no moderator is active. */
  readonly switchesToApproval: boolean
  readonly emailDomains: EmailDomainLists
  readonly access: AccessConfig
  /** IP addresses and ranges of the proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** IP addresses and ranges that may read `/metrics`. The address of the connection counts, without proxy headers. */
  readonly metricsAllowedRanges: readonly string[]
  /** Private addresses and ranges that outbound requests may reach. */
  readonly allowedPrivateAddresses: readonly string[]
  /** In tests, the addresses of host names for outbound requests. Must be within `allowedPrivateAddresses`. */
  readonly testHosts: TestHosts
  /** Name servers (`ip:port`) for outbound requests in tests. Null: those of the system. */
  readonly testDns: readonly string[] | null
  readonly logLevel: string
  /** Null: text on a terminal, JSON otherwise. */
  readonly logFormat: LogFormat | null
  readonly workerConcurrency: number
  /** How many jobs of the queue `network` run at the same time. */
  readonly networkConcurrency: number
  readonly singleUserMode: boolean
  /** Folder of third-party clients, one subfolder each. Null: none. */
  readonly clientsDir: string | null
  /** The language of pages for visitors whose language is not available. */
  readonly defaultLocale: Locale
  /** How long the server still serves requests after SIGTERM, while `/readyz` fails. */
  readonly shutdownDelaySeconds: number
  /** Name or path of the program. */
  readonly ffmpeg: string
  readonly ffprobe: string
}

/** Thrown with all invalid settings of the environment. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** In the folder of the program, independent of the current directory. */
const DEFAULT_DATA_DIR = fileURLToPath(new URL('../../../data', import.meta.url))

const LOOPBACK_RANGES = ['127.0.0.1/8', '::1/128']
const LINNET_SETTINGS = new Set(['LINNET_TEST_HOSTS', 'LINNET_TEST_DNS'])
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']

/** The address with which the server was last started. It is the default of commands without LOCAL_DOMAIN. */
export interface ServerAddress {
  localDomain: string
  origin: string
}

/**
 * Reads the environment. `lastAddress` has the defaults of LOCAL_DOMAIN and WEB_DOMAIN.
 * @throws ConfigError with one line for each invalid setting
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, lastAddress: ServerAddress | null = null): Config {
  const reader = new EnvironmentReader(env)
  const port = reader.integer('PORT', 3000, 0, 65_535)
  const localDomain = reader.domain('LOCAL_DOMAIN', lastAddress?.localDomain ?? `localhost:${port}`)
  const lastOrigin =
    lastAddress !== null && lastAddress.localDomain === localDomain ? new URL(lastAddress.origin) : null
  const webDomain = reader.domain('WEB_DOMAIN', lastOrigin?.host ?? localDomain)
  const tls = readTls(reader)
  const allowedPrivateAddresses = reader.ranges('ALLOWED_PRIVATE_ADDRESSES', [])
  const httpsSetting = reader.flag('LOCAL_HTTPS')
  if (tls && httpsSetting === false) reader.reportProblem('LOCAL_HTTPS', 'cannot be false when TLS_CERT_FILE is set')
  const https =
    httpsSetting ?? (lastOrigin?.host === webDomain ? lastOrigin.protocol === 'https:' : !isLocalMachine(webDomain))
  const origin = `${tls !== null || https ? 'https' : 'http'}://${webDomain}`
  const s3 = readS3Settings(reader)
  const config: Config = {
    version: readVersion(),
    port,
    bind: readBind(reader),
    localDomain,
    webDomain,
    origin,
    streamingUrl: readStreamingUrl(reader, origin),
    tls,
    dataDir: readDataDir(reader),
    databaseUrl: readDatabaseUrl(reader),
    replicaDatabaseUrl: readReplicaDatabaseUrl(reader),
    redisUrl: readRedisUrl(reader),
    databasePoolSize: reader.integer('DB_POOL', 6, 4, 500),
    cacheBytes: reader.integer('CACHE_SIZE_MB', 64, 8, 100_000) * 1_048_576,
    s3,
    filesUrl: s3 !== null && s3.aliasUrl !== null ? `${s3.aliasUrl}/${s3.keyPrefix}` : origin + STORAGE_URL_PREFIX,
    mediaCacheBytes: reader.integer('MEDIA_CACHE_GB', 5, 0, 1_000_000) * 1e9,
    archiveUploadBytes: reader.integer('ARCHIVE_UPLOAD_MB', 2_048, 1, 100_000) * 1_048_576,
    smtp: readSmtpSettings(reader),
    mailFrom: readMailFrom(reader, webDomain),
    mailReplyTo: readMailReplyTo(reader),
    translation: readTranslationSettings(reader),
    maxSessions: reader.integer('MAX_SESSION_ACTIVATIONS', 10, 1, 1_000),
    retention: readRetentionSettings(reader),
    singleSignOn: readSingleSignOnSettings(reader, { origin }),
    registrationsMode: reader.choice('REGISTRATIONS_MODE', 'none', ['open', 'approved', 'none']),
    hcaptcha: readHcaptchaSettings(reader),
    switchesToApproval: !(reader.flag('DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS') ?? false),
    emailDomains: readEmailDomainLists(reader),
    access: readAccessSettings(reader),
    trustedProxies: reader.ranges('TRUSTED_PROXY_IP', LOOPBACK_RANGES),
    metricsAllowedRanges: reader.ranges('METRICS_ALLOWED_IP', LOOPBACK_RANGES),
    allowedPrivateAddresses,
    testHosts: readTestHosts(reader, allowedPrivateAddresses),
    testDns: readTestDns(reader, allowedPrivateAddresses),
    logLevel: reader.choice('LOG_LEVEL', 'info', LOG_LEVELS),
    logFormat: reader.choice('LOG_FORMAT', null, ['text', 'json']),
    workerConcurrency: reader.integer('WORKER_CONCURRENCY', 4, 1, 200),
    networkConcurrency: reader.integer('NETWORK_CONCURRENCY', 30, 1, 500),
    singleUserMode: reader.flag('SINGLE_USER_MODE') ?? false,
    clientsDir: reader.readableFolder('CLIENTS_DIR'),
    defaultLocale: reader.choice('DEFAULT_LOCALE', 'en', LOCALES),
    shutdownDelaySeconds: reader.integer('SHUTDOWN_DELAY', 0, 0, 600),
    ffmpeg: reader.text('FFMPEG_BINARY') ?? 'ffmpeg',
    ffprobe: reader.text('FFPROBE_BINARY') ?? 'ffprobe',
  }
  rejectUnknownSettings(reader)
  if (reader.problems.length > 0) throw new ConfigError(reader.problems)
  return config
}

/** Returns whether errors are logged with stack traces. Works even if other settings are invalid. */
export function shouldLogStacks(env: NodeJS.ProcessEnv = process.env): boolean {
  return ['debug', 'trace'].includes(env['LOG_LEVEL']?.trim() ?? '')
}

/** Returns whether a script of package.json started this process. */
export function isStartedByNpm(env: NodeJS.ProcessEnv = process.env): boolean {
  return env['npm_lifecycle_event'] !== undefined
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return (manifest as { version: string }).version
}

function readDataDir(reader: EnvironmentReader): string {
  const folder = reader.text('DATA_DIR') ?? DEFAULT_DATA_DIR
  // Docker passes the quotes of its env files on. The data would be in a new folder below the current one.
  if (/^(["']).*\1$/.test(folder)) reader.reportProblem('DATA_DIR', `must be a path without quotes, not ${folder}`)
  return resolve(folder)
}

function readBind(reader: EnvironmentReader): string {
  const bind = reader.text('BIND') ?? '127.0.0.1'
  if (isIP(bind) === 0 && bind !== 'localhost') reader.reportProblem('BIND', `must be an IP address, not "${bind}"`)
  return bind
}

/** URLs are https unless the domain is this machine. `LOCAL_HTTPS=false` overrides this for unusual setups. */
function isLocalMachine(webDomain: string): boolean {
  const host = webDomain.replace(/:\d+$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || isIP(host) !== 0
}

function readStreamingUrl(reader: EnvironmentReader, origin: string): string {
  const value = reader.text('STREAMING_API_BASE_URL') ?? origin
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^(wss?|https?):$/.test(url.protocol) && url.href === `${url.protocol}//${url.host}/`) {
    return `${url.protocol.replace('http', 'ws')}//${url.host}`
  }
  reader.reportProblem(
    'STREAMING_API_BASE_URL',
    `must be an address such as wss://streams.example, without a path, not "${value}"`,
  )
  return origin
}

function readTls(reader: EnvironmentReader): Config['tls'] {
  const certFile = reader.readableFile('TLS_CERT_FILE')
  const keyFile = reader.readableFile('TLS_KEY_FILE')
  if (Boolean(reader.text('TLS_CERT_FILE')) !== Boolean(reader.text('TLS_KEY_FILE'))) {
    reader.reportProblem('TLS_CERT_FILE and TLS_KEY_FILE', 'must be set together')
  }
  return certFile && keyFile ? { certFile, keyFile } : null
}

function readHcaptchaSettings(reader: EnvironmentReader): Config['hcaptcha'] {
  const siteKey = reader.text('HCAPTCHA_SITE_KEY')
  const secretKey = reader.text('HCAPTCHA_SECRET_KEY')
  if ((siteKey === null) !== (secretKey === null))
    reader.reportProblem('HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY', 'must be set together')
  return siteKey !== null && secretKey !== null ? { siteKey, secretKey } : null
}

/** Reports unknown and unsupported names, so that a typing error does not silently change what the server does. */
function rejectUnknownSettings(reader: EnvironmentReader): void {
  for (const name of Object.keys(reader.env)) {
    if (!name.startsWith('LINNET_') || LINNET_SETTINGS.has(name)) continue
    // Most settings have Mastodon's names, without a prefix.
    const suggestion =
      findNearestName(name, LINNET_SETTINGS) ?? findNearestName(name.slice('LINNET_'.length), reader.knownNames)
    reader.reportProblem(
      name,
      `is not a setting of Linnet${suggestion === null ? '' : ` (did you mean ${suggestion}?)`}`,
    )
  }
  for (const name of findUnsupportedSettings(reader.env))
    reader.reportProblem(name, 'is not supported yet by this version')
  if (reader.text('OAUTH_REDIRECT_AT_SIGN_IN') !== null) {
    reader.reportProblem(
      'OAUTH_REDIRECT_AT_SIGN_IN',
      'is no longer supported; OMNIAUTH_ONLY with one provider does the same',
    )
  }
}
