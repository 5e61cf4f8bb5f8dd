import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { problemsOf } from '../../../test/features/config-problems.ts'
import { readConfig } from './config.ts'
import type { Config } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'linnet-config-'))
after(() => rmSync(folder, { recursive: true }))
const cert = join(folder, 'cert.pem')
const key = join(folder, 'key.pem')
writeFileSync(cert, '')
writeFileSync(key, '')

function part<Name extends keyof Config>(env: Record<string, string>, ...names: Name[]): Pick<Config, Name> {
  const config = readConfig(env)
  return Object.fromEntries(names.map((name) => [name, config[name]])) as Pick<Config, Name>
}

test('an empty environment configures a local server with embedded services', () => {
  const { version, dataDir, singleSignOn, ...config } = readConfig({})
  assert.match(version, /^\d+\.\d+\.\d+/)
  assert.deepEqual(Object.values(singleSignOn).filter(Boolean), [])
  assert.match(dataDir, /\/data$/)
  assert.deepEqual(config, {
    port: 3000,
    bind: '127.0.0.1',
    localDomain: 'localhost:3000',
    webDomain: 'localhost:3000',
    origin: 'http://localhost:3000',
    streamingUrl: 'ws://localhost:3000',
    tls: null,
    databaseUrl: null,
    replicaDatabaseUrl: null,
    clientsDir: null,
    redisUrl: null,
    databasePoolSize: 6,
    cacheBytes: 67_108_864,
    s3: null,
    filesUrl: 'http://localhost:3000/system/',
    mediaCacheBytes: 5_000_000_000,
    archiveUploadBytes: 2_147_483_648,
    smtp: null,
    mailFrom: { name: '', address: 'notifications@localhost' },
    mailReplyTo: null,
    translation: null,
    maxSessions: 10,
    retention: { ipSeconds: 31_536_000, sessionSeconds: 2_592_000 },
    registrationsMode: 'none',
    hcaptcha: null,
    switchesToApproval: true,
    emailDomains: { allowed: [], denied: [], applyAfterConfirmation: false },
    access: { disallowUnauthenticatedAccess: false, limitedFederation: false, authorizedFetch: false },
    trustedProxies: ['127.0.0.1/8', '::1/128'],
    metricsAllowedRanges: ['127.0.0.1/8', '::1/128'],
    allowedPrivateAddresses: [],
    testHosts: new Map(),
    testDns: null,
    logLevel: 'info',
    logFormat: null,
    workerConcurrency: 4,
    networkConcurrency: 30,
    singleUserMode: false,
    defaultLocale: 'en',
    shutdownDelaySeconds: 0,
    ffmpeg: 'ffmpeg',
    ffprobe: 'ffprobe',
  })
})

test('a blank value counts as missing, and surrounding white space is removed', () => {
  assert.deepEqual(readConfig({ PORT: ' ', LOCAL_DOMAIN: '', SMTP_SERVER: ' ', DATABASE_URL: '' }), readConfig({}))
  assert.equal(readConfig({ PORT: ' 4000 ' }).port, 4000)
})

test('all problems are reported together, one line each, without values that may be secret', () => {
  const wrong = {
    PORT: '99999',
    BIND: 'everywhere',
    LOCAL_DOMAIN: 'https://social.example/',
    WEB_DOMAIN: 'a b',
    LOCAL_HTTPS: 'perhaps',
    TLS_CERT_FILE: join(folder, 'nothing.pem'),
    DATABASE_URL: 'mysql://user:hunter2@host/name',
    DB_POOL: '1',
    SMTP_SERVER: 'mail.example',
    SMTP_PORT: 'x',
    SMTP_LOGIN: 'me',
    SMTP_TLS: '2',
    SMTP_SSL: 'maybe',
    SMTP_ENABLE_STARTTLS: 'sometimes',
    SMTP_FROM_ADDRESS: 'nobody',
    REGISTRATIONS_MODE: 'close',
    TRUSTED_PROXY_IP: '10.0.0.0/8, proxy.example',
    METRICS_ALLOWED_IP: '10.0.0.0/33',
    ALLOWED_PRIVATE_ADDRESSES: 'all',
    LINNET_TEST_HOSTS: 'remote.test',
    LINNET_TEST_DNS: '9.9.9.9:53',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'xml',
    WORKER_CONCURRENCY: '0',
    NETWORK_CONCURRENCY: '-1',
    SHUTDOWN_DELAY: '-1',
    SINGLE_USER_MODE: '?',
    DEFAULT_LOCALE: '?',
    LINNET_SPEED: 'fast',
    OAUTH_REDIRECT_AT_SIGN_IN: 'true',
    REDIS_URL: 'http://:hunter2@cache',
    // As Docker passes it on from an env file.
    DATA_DIR: '"/data"',
  }
  const mistakes = problemsOf(wrong)
  const named = mistakes.map((line) => line.split(' ')[0]!)
  // Both have their own line for what must be set together.
  assert.deepEqual(
    named.toSorted(),
    [...Object.keys(wrong), 'TLS_CERT_FILE'].filter((name) => name !== 'SMTP_SERVER').toSorted(),
  )
  for (const line of mistakes) assert.match(line, /^[A-Z_]+ .*[a-z]/)
  assert.doesNotMatch(mistakes.join('\n'), /hunter2/)
})

test('domains are normalised, and URLs are https unless the host is this machine', () => {
  const domains = (env: Record<string, string>) => Object.values(part(env, 'localDomain', 'webDomain', 'origin'))
  assert.deepEqual(domains({ LOCAL_DOMAIN: 'Social.Example.' }), [
    'social.example',
    'social.example',
    'https://social.example',
  ])
  assert.deepEqual(domains({ LOCAL_DOMAIN: 'bücher.example', WEB_DOMAIN: 'www.bücher.example' }), [
    'xn--bcher-kva.example',
    'www.xn--bcher-kva.example',
    'https://www.xn--bcher-kva.example',
  ])
  assert.deepEqual(domains({ LOCAL_DOMAIN: 'social.example:443', WEB_DOMAIN: 'web.example.:0443' }), [
    'social.example',
    'web.example',
    'https://web.example',
  ])
  assert.equal(readConfig({ LOCAL_DOMAIN: '192.168.1.5' }).origin, 'http://192.168.1.5')
  assert.equal(readConfig({ LOCAL_DOMAIN: 'my.localhost:80' }).origin, 'http://my.localhost:80')
  assert.equal(readConfig({ PORT: '8080' }).origin, 'http://localhost:8080')
  assert.equal(readConfig({ LOCAL_DOMAIN: 'social.example', LOCAL_HTTPS: 'false' }).origin, 'http://social.example')
  assert.equal(readConfig({ LOCAL_HTTPS: 'yes' }).origin, 'https://localhost:3000')
  const invalid = "a..b . * a/b user@host host:123456 host:70000 host:0 [::1] a%00b %61.example a'b a_b"
  for (const domain of invalid.split(' ')) assert.equal(problemsOf({ LOCAL_DOMAIN: domain }).length, 1, domain)
})

test('a command without LOCAL_DOMAIN uses the domain of the last server start', () => {
  const served = { localDomain: 'social.example', origin: 'http://web.social.example' }
  const config = readConfig({}, served)
  assert.deepEqual([config.localDomain, config.origin], ['social.example', 'http://web.social.example'])
  const other = readConfig({ LOCAL_DOMAIN: 'other.example' }, served)
  assert.deepEqual([other.localDomain, other.origin], ['other.example', 'https://other.example'])
})

test('TLS requires two readable files and makes all URLs https', () => {
  const both = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key }
  assert.deepEqual(part(both, 'tls', 'origin'), {
    tls: { certFile: cert, keyFile: key },
    origin: 'https://localhost:3000',
  })
  assert.match(problemsOf({ TLS_CERT_FILE: cert })[0]!, /must be set together/)
  assert.match(problemsOf({ TLS_KEY_FILE: key })[0]!, /must be set together/)
  assert.match(problemsOf({ ...both, TLS_KEY_FILE: folder })[0]!, /TLS_KEY_FILE names a file that cannot be read/)
  assert.match(problemsOf({ ...both, LOCAL_HTTPS: 'false' })[0]!, /LOCAL_HTTPS cannot be false/)
})

test('the SMTP settings select the server and its TLS mode', () => {
  const server = { SMTP_SERVER: 'mail.example' }
  const plain = { host: 'mail.example', port: 587, login: null, password: null, tls: false, startTls: 'auto' }
  assert.deepEqual(readConfig(server).smtp, plain)
  assert.deepEqual(readConfig({ ...server, SMTP_SSL: 'true' }).smtp, { ...plain, port: 465, tls: true })
  assert.deepEqual(readConfig({ ...server, SMTP_TLS: 'true', SMTP_SSL: 'false' }).smtp, {
    ...plain,
    port: 465,
    tls: true,
  })
  const full = { SMTP_PORT: '25', SMTP_LOGIN: 'me', SMTP_PASSWORD: 'secret', SMTP_ENABLE_STARTTLS: 'never' }
  const expected = { host: 'mail.example', port: 25, login: 'me', password: 'secret', tls: false, startTls: 'never' }
  assert.deepEqual(readConfig({ ...server, ...full }).smtp, expected)
  assert.deepEqual(
    problemsOf(full),
    Object.keys(full).map((name) => `${name} is set without SMTP_SERVER`),
  )
  assert.match(problemsOf({ ...server, SMTP_PASSWORD: 'secret' })[0]!, /must be set together/)
  for (const host of ['smtp://mail.example', 'mail.example:587', 'mail example'])
    assert.match(problemsOf({ SMTP_SERVER: host }).join('\n'), /^SMTP_SERVER must be a host name or an IP address, .*$/)
})

test('the sender is an address, also in Mastodon’s form with a name, and so is the address of answers', () => {
  const from = (value: string) => readConfig({ SMTP_FROM_ADDRESS: value }).mailFrom
  assert.deepEqual(from('post@social.example'), { name: '', address: 'post@social.example' })
  const named = { name: 'Our Place', address: 'post@social.example' }
  assert.deepEqual(from('Our Place <post@social.example>'), named)
  assert.deepEqual(from('"Our Place" <post@social.example>'), named)
  assert.equal(readConfig({ LOCAL_DOMAIN: 'social.example:8443' }).mailFrom.address, 'notifications@social.example')
  assert.deepEqual(readConfig({ SMTP_REPLY_TO: 'Our Place <post@social.example>' }).mailReplyTo, named)
  for (const value of ['post', 'a@b <c>', 'post@a, b@c', 'a@b\r\nBcc: c@d', '<a@b']) {
    assert.equal(problemsOf({ SMTP_FROM_ADDRESS: value }).length, 1, value)
    assert.equal(problemsOf({ SMTP_REPLY_TO: value }).length, 1, value)
  }
})

test('addresses and ranges are separated by commas or spaces', () => {
  const env = { TRUSTED_PROXY_IP: '10.0.0.1, 192.168.0.0/16 2001:db8::/32', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
  const { trustedProxies, testHosts } = readConfig({ ...env, LINNET_TEST_HOSTS: 'Remote.Test=127.0.0.2:4443' })
  assert.deepEqual(trustedProxies, ['10.0.0.1', '192.168.0.0/16', '2001:db8::/32'])
  assert.deepEqual([...testHosts], [['remote.test', { ip: '127.0.0.2', port: 4443 }]])
  assert.match(problemsOf({ LINNET_TEST_HOSTS: 'remote.test=127.0.0.2:4443' })[0]!, /ALLOWED_PRIVATE_ADDRESSES/)
})

test('test hosts are limited to ALLOWED_PRIVATE_ADDRESSES', () => {
  const open = { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8,::1' }
  const { testHosts } = readConfig({ ...open, LINNET_TEST_HOSTS: 'a.test=127.0.0.1:1,bücher.test.=[::1]:4444' })
  assert.deepEqual(Object.fromEntries(testHosts), {
    'a.test': { ip: '127.0.0.1', port: 1 },
    'xn--bcher-kva.test': { ip: '::1', port: 4444 },
  })
  assert.equal(problemsOf({ ...open, LINNET_TEST_HOSTS: 'a.test=10.0.0.1:1,b.test=127.0.0.1:1' }).length, 1)
  for (const entry of ['a.test', 'a.test=127.0.0.1', '=127.0.0.1:1', 'a.test=b.test:1', 'a.test=127.0.0.1:0']) {
    assert.equal(problemsOf({ ...open, LINNET_TEST_HOSTS: entry }).length, 1, entry)
  }
})

test('the streaming URL is that of the server unless STREAMING_API_BASE_URL is set', () => {
  const { streamingUrl } = readConfig({ LOCAL_DOMAIN: 'social.test' })
  assert.equal(streamingUrl, 'wss://social.test')
  for (const [value, expected] of [
    ['wss://streams.test', 'wss://streams.test'],
    ['https://Streams.test:443/', 'wss://streams.test'],
    ['ws://streams.test:4000', 'ws://streams.test:4000'],
  ] as const) {
    assert.equal(readConfig({ STREAMING_API_BASE_URL: value }).streamingUrl, expected)
  }
  for (const value of [
    'streams.test',
    'ftp://streams.test',
    'wss://streams.test/api',
    'wss://me@streams.test',
    'wss://x.test?a',
  ]) {
    assert.equal(problemsOf({ STREAMING_API_BASE_URL: value }).length, 1, value)
  }
})

test('the folder of clients must exist, and a replica needs an external database', () => {
  for (const path of ['/nowhere', import.meta.filename])
    assert.deepEqual(problemsOf({ CLIENTS_DIR: path }), [`CLIENTS_DIR names a folder that cannot be read: ${path}`])
  assert.equal(readConfig({ CLIENTS_DIR: import.meta.dirname }).clientsDir, import.meta.dirname)
  const [REPLICA_DATABASE_URL, DATABASE_URL] = ['postgresql://replica/linnet', 'postgresql://primary/linnet']
  assert.deepEqual(problemsOf({ REPLICA_DATABASE_URL }), ['REPLICA_DATABASE_URL is set without DATABASE_URL'])
  assert.equal(readConfig({ REPLICA_DATABASE_URL, DATABASE_URL }).replicaDatabaseUrl, REPLICA_DATABASE_URL)
  assert.match(problemsOf({ REPLICA_DATABASE_URL: 'secret', DATABASE_URL })[0]!, /must be an address such as postgres/)
})

test('unsupported settings of Mastodon are rejected unless they are disabled', () => {
  for (const name of ['PAM_ENABLED', 'SWIFT_ENABLED', 'AZURE_ENABLED', 'SELF_DESTRUCT']) {
    assert.deepEqual(problemsOf({ [name]: 'True' }), [`${name} is not supported yet by this version`])
    for (const off of ['false', '0', '', 'off']) assert.deepEqual(problemsOf({ [name]: off }), [], `${name}=${off}`)
  }
  assert.deepEqual(problemsOf({ OIDC_ISSUER: 'x', SECRET_KEY_BASE: 'x' }), [])
})

test('the translation service is LibreTranslate with a URL or DeepL with a key, not both or incomplete', () => {
  const translationOf = (env: Record<string, string>) => readConfig(env).translation
  const endpoint = 'http://10.0.0.5:5000'
  assert.deepEqual(translationOf({ LIBRE_TRANSLATE_ENDPOINT: `${endpoint}/` }), {
    service: 'libretranslate',
    endpoint,
    apiKey: null,
  })
  assert.deepEqual(translationOf({ LIBRE_TRANSLATE_ENDPOINT: 'https://a.example/x/', LIBRE_TRANSLATE_API_KEY: 'k' }), {
    service: 'libretranslate',
    endpoint: 'https://a.example/x',
    apiKey: 'k',
  })
  assert.deepEqual(translationOf({ DEEPL_API_KEY: 'k' }), { service: 'deepl', apiKey: 'k', plan: 'free' })
  assert.deepEqual(translationOf({ DEEPL_API_KEY: 'k', DEEPL_PLAN: 'pro' }), {
    service: 'deepl',
    apiKey: 'k',
    plan: 'pro',
  })
  const addresses = ['ftp://a.example', 'a.example', 'https://u:p@a.example', 'https://a.example/?x']
  const wrong: Record<string, string>[] = [
    { LIBRE_TRANSLATE_ENDPOINT: endpoint, DEEPL_API_KEY: 'k' },
    { LIBRE_TRANSLATE_API_KEY: 'k' },
    { DEEPL_PLAN: 'free' },
    { DEEPL_API_KEY: 'k', DEEPL_PLAN: 'gold' },
    ...addresses.map((value) => ({ LIBRE_TRANSLATE_ENDPOINT: value })),
  ]
  for (const env of wrong) assert.equal(problemsOf(env).length, 1, JSON.stringify(env))
})
