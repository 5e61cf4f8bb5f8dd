// Slow: starts programs or databases.
import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { openS3 } from '../../../../test/services/s3-server.ts'
import { findPort, startLinnet, urlOf } from '../../../../test/servers/linnet-process.ts'
import { runCommand } from '../../../../test/run-command.ts'
import { cloneDatabase } from '../../../../test/services/database/test-database.ts'
import { checkDomain } from './checks/domain.ts'
import { checkPrivateKeys } from './checks/private-keys.ts'
import { checkPush } from './checks/push.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { createPool } from '../../../platform/db/connection.ts'
import { canIsolateNetwork } from '../../../platform/media/sandbox/confine-command.ts'
import { openSecrets } from '../../../platform/secrets.ts'

const database = await cloneDatabase()
let env: Record<string, string>

before(async () => {
  env = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'linnet-doctor-')),
    DATABASE_URL: urlOf(database.connection),
    LOCAL_DOMAIN: 'birds.example',
    PORT: await findPort(),
  }
})

after(async () => {
  await database.drop()
  await rm(env['DATA_DIR']!, { recursive: true, force: true })
})

async function statement(text: string): Promise<void> {
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(text)
  await client.end()
}

test('a correct installation has no errors, but warnings where necessary', async () => {
  const { code, stdout, stderr } = await runCommand(['doctor'], env)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    /^✔ the environment variables are valid\n✔ PostgreSQL \d+\.\d+ responds\n✔ all migrations have run\n/,
  )
  assert.match(stdout, /✔ the clock of the database agrees with the system clock\n/)
  assert.match(stdout, /✔ the URL is https:\/\/birds\.example\n/)
  assert.match(stdout, /! handles end in @birds\.example, not fixed yet\n +the first start fixes the domain/)
  assert.match(stdout, /✔ port \d+ of 127\.0\.0\.1 is free: no server listens there\n/)
  assert.match(stdout, /! no mail server is configured: mails are only stored\n +bin\/linnet mail shows them/)
  assert.match(stdout, /✔ Node \d+.*\n✔ images can be decoded/)
})

test('doctor warns if decoders have network access because the system permits no namespaces', async (t) => {
  const warning = /! media decoders have network access: .*\n +(install util-linux|only Linux)/
  const fine = /✔ media decoders run without network access\n/
  const { stdout } = await runCommand(['doctor'], env)
  assert.match(stdout, (await canIsolateNetwork()) ? fine : warning)
  if (!(await canIsolateNetwork())) return t.diagnostic('no namespaces may be made here at all')
  // A user namespace in which no further ones are permitted.
  const forbidding = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
  const within = ['unshare', '--user', '--map-root-user', 'sh', '-c', forbidding, 'sh']
  const forbidden = await startLinnet(['doctor'], env, { within }).ended
  assert.match(forbidden.stdout, warning)
  assert.match(forbidden.stdout, /! media decoders run as root, like the server\n/)
})

test('doctor warns if other users can list the data folder, and reports a file in its place', async () => {
  const dataDir = env['DATA_DIR']!
  await chmod(dataDir, 0o755)
  const closing = await runCommand(['doctor'], env)
  assert.match(
    closing.stdout,
    /! other users can list the data folder .* \(mode 755\)\n +the next start removes these permissions\n/,
  )
  await writeFile(join(dataDir, 'notes.txt'), '')
  assert.match((await runCommand(['doctor'], env)).stdout, /\(mode 755\)\n +move the files of other programs/)
  const file = await runCommand(['doctor'], { ...env, DATA_DIR: join(dataDir, 'notes.txt') })
  assert.match(file.stdout, /✘ \S+\/notes\.txt is a file, not a folder\n +set DATA_DIR to a folder\n/)
  await rm(join(dataDir, 'notes.txt'))
  await chmod(dataDir, 0o700)
  assert.doesNotMatch((await runCommand(['doctor'], env)).stdout, /other users can list/)
})

test('doctor reports media that its user may not read, as after a copy by another user', async (t) => {
  const folder = join(env['DATA_DIR']!, 'media/avatars')
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o000)
  t.after(() => rm(join(env['DATA_DIR']!, 'media'), { recursive: true }))
  // As root, without the right to enter every folder.
  const within = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
  const { code, stdout } = await startLinnet(['doctor'], env, { within }).ended
  assert.match(stdout, /✘ the data folder is not writable: EACCES: .*'\S+\/media\/avatars'\n +run Linnet as the user/)
  assert.equal(code, 1)
})

test('doctor reports all problems of the environment together as errors', async () => {
  const { code, stdout } = await runCommand(['doctor'], { ...env, PORT: 'x', BIND: 'y' })
  assert.equal(code, 1)
  assert.match(stdout, /^✘ PORT must be .*\n.*\n✘ BIND must be .*\n.*\n$/)
})

test('doctor reports each error with a remedy in a separate line', async () => {
  await statement(`delete from migrations where name like '0006%'`)
  await statement(
    `insert into settings values ('local_domain', '"fish.example"'), ('origin', '"https://fish.example"')`,
  )
  await writeFile(join(env['DATA_DIR']!, 'secrets.json'), '{}', { mode: 0o644 })
  await chmod(join(env['DATA_DIR']!, 'secrets.json'), 0o644)
  const other = createServer((socket) => socket.end('no')).listen(Number(env['PORT']), '127.0.0.1')
  const { code, stdout } = await runCommand(['doctor'], { ...env, SMTP_SERVER: '127.0.0.1', SMTP_PORT: '1' })
  other.close()
  assert.equal(code, 1)
  assert.match(stdout, /✘ pending migrations: 0006-\S+\n +start the server or run/)
  assert.match(stdout, /✘ other users can read .*secrets\.json \(mode 644\)\n +run chmod 600 /)
  assert.match(stdout, /✘ the web push key is not usable: .*\n +restore \S+secrets\.json from a backup/)
  assert.match(stdout, /! another program uses port \d+ of 127\.0\.0\.1\n/)
  assert.match(stdout, /✘ the mail server 127\.0\.0\.1:1 is not usable: .*\n/)
  await statement(`insert into migrations (name) values ('0006-timelines-and-notifications')`)
  assert.match(
    (await runCommand(['doctor'], env)).stdout,
    /✘ LOCAL_DOMAIN is birds\.example, but the server was first started as fish\.example\n +set LOCAL_DOMAIN=fish\.example\n/,
  )
})

test('a database from before the first release is reported in one line, and no server starts with it', async () => {
  await statement(`update migrations set name = '0001-accounts' where name = '0001-accounts-and-auth'`)
  const doctor = await runCommand(['doctor'], env)
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, /✘ The database has the tables of a version from before the first release, .*\n/)
  const { code, stderr } = await runCommand(['migrate'], env)
  assert.equal(code, 1)
  assert.match(stderr, /^The database has the tables of a version from before the first release, .*\n$/)
  await statement(`update migrations set name = '0001-accounts-and-auth' where name = '0001-accounts'`)
})

test('doctor warns if a newer version has migrated the database', async () => {
  await statement(`insert into migrations (name) values ('9999-later')`)
  const { stdout } = await runCommand(['doctor'], env)
  await statement(`delete from migrations where name = '9999-later'`)
  assert.match(stdout, /! a newer version of Linnet has migrated the database: 9999-later\n +install that version here/)
})

test('doctor warns if video and audio cannot be converted', async () => {
  const { stdout } = await runCommand(['doctor'], { ...env, FFMPEG_BINARY: '/nowhere/ffmpeg' })
  assert.match(stdout, /! users can upload only images: \/nowhere\/ffmpeg or ffprobe is missing .*\n +install ffmpeg/)
})

test('an unreachable database is an error, and the other checks run nevertheless', async () => {
  const { code, stdout } = await runCommand(['doctor'], { ...env, DATABASE_URL: 'postgresql://127.0.0.1:1/birds' })
  assert.equal(code, 1)
  assert.match(stdout, /✘ The database at 127\.0\.0\.1:1\/birds can't be used: /)
  assert.match(stdout, /✔ images can be decoded/)
  assert.doesNotMatch(stdout, /not fixed yet/)
})

test('a mail server that accepts the log-in is ok', async (t) => {
  const mail = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
  t.after(() => mail.server.close())
  mail.listen(0, '127.0.0.1')
  await once(mail.server, 'listening')
  const { port } = mail.server.address() as AddressInfo
  const { stdout } = await runCommand(['doctor'], { ...env, SMTP_SERVER: '127.0.0.1', SMTP_PORT: String(port) })
  assert.match(stdout, /✔ the mail server 127\.0\.0\.1:\d+ accepts mails from notifications@birds\.example\n/)
})

test('doctor tests the bucket and its public host', async (t) => {
  const s3 = await openS3()
  t.after(() => s3.close())
  const well = await runCommand(['doctor'], { ...env, ...s3.env })
  assert.match(well.stdout, /✔ the bucket media at http:\/\/127\.0\.0\.1:\d+ is writable\n/)
  const alias = { S3_ALIAS_HOST: `127.0.0.1:${s3.port}/media`, S3_PROTOCOL: 'http' }
  const aliased = await runCommand(['doctor'], { ...env, ...s3.env, ...alias })
  assert.match(aliased.stdout, /✔ files are publicly readable at http:\/\/127\.0\.0\.1:\d+\n/)
  const astray = await runCommand(['doctor'], {
    ...env,
    ...s3.env,
    ...alias,
    S3_ALIAS_HOST: `127.0.0.1:${s3.port}/other`,
  })
  assert.match(astray.stdout, /✘ files are not publicly readable at http:\/\/127\.0\.0\.1:\d+: status \d+\n/)
  const missing = await runCommand(['doctor'], { ...env, ...s3.env, S3_BUCKET: 'another' })
  assert.match(missing.stdout, /✘ the bucket another at .* is not usable: .*bucket.*\n +check the S3_… settings\n/)
  assert.equal(missing.code, 1)
})

/** A certificate only for these tests: for birds.example, until the given day. */
const CERTIFICATE = `
-----BEGIN CERTIFICATE-----
MIIBoDCCAUWgAwIBAgIUSN0t0YFq3rA4Wj1AveH4W64mawowCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNYmlyZHMuZXhhbXBsZTAeFw0yNjExMjAyMjQ2MjRaFw0yNzEx
MjAyMjQ2MjRaMBgxFjAUBgNVBAMMDWJpcmRzLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASQPQdwGFt1PzJ9481cHcHQr6+5oUQcHFCw8ouB18M3lciB
pa7YxaTibowU4GDKdXwYwrAV1QxPm8SOjTeu3pNoo20wazAdBgNVHQ4EFgQUqgYd
G8zUHywPqYf8ypYGWmTZxegwHwYDVR0jBBgwFoAUqgYdG8zUHywPqYf8ypYGWmTZ
xegwDwYDVR0TAQH/BAUwAwEB/zAYBgNVHREEETAPgg1iaXJkcy5leGFtcGxlMAoG
CCqGSM49BAMCA0kAMEYCIQCbjEYpIVcomwCn4WEJCU6LCxVuuprQsaP9oqqLnsAZ
AAIhAONK21ujQ0dPRTp+CGtDe7uB9psgIjMOy3VLbOXfWwo+
-----END CERTIFICATE-----
`
const CERTIFICATE_KEY = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgh+CcESu9iSatU/PB
3r7JtrooXyZsNrW1iXpjfojbenKhRANCAASQPQdwGFt1PzJ9481cHcHQr6+5oUQc
HFCw8ouB18M3lciBpa7YxaTibowU4GDKdXwYwrAV1QxPm8SOjTeu3pNo
-----END PRIVATE KEY-----
`
const CERTIFICATE_END = new X509Certificate(CERTIFICATE).validToDate

test('a certificate is ok until two weeks before its expiry, for its domain and with its key', async () => {
  const certFile = join(env['DATA_DIR']!, 'crt.pem')
  const keyFile = join(env['DATA_DIR']!, 'key.pem')
  await writeFile(certFile, CERTIFICATE)
  await writeFile(keyFile, CERTIFICATE_KEY)
  const check = async (daysLeft: number, more: Record<string, string> = {}) => {
    const config = readConfig({
      LOCAL_DOMAIN: 'birds.example',
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
      ...more,
    })
    const now = new Date(CERTIFICATE_END.getTime() - daysLeft * 86_400_000)
    const finding = (await checkDomain(config, { lastAddress: null, now })).at(-1)
    return `${finding?.kind}: ${finding?.text}`
  }
  const end = CERTIFICATE_END.toISOString().slice(0, 10)
  assert.equal(await check(15), `ok: the certificate is valid until ${end}`)
  assert.equal(await check(13), `warning: the certificate is valid until ${end} (13 days left)`)
  assert.equal(await check(-1), `error: the certificate expired on ${end}`)
  assert.equal(
    await check(15, { LOCAL_DOMAIN: 'fish.example' }),
    'error: the certificate is not valid for fish.example',
  )
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  assert.equal(await check(15), 'error: TLS_KEY_FILE is not the key of TLS_CERT_FILE')
  await writeFile(certFile, 'nothing')
  assert.match(await check(15), /^error: the certificate is not usable: /)
})

test('the web push key is ok if its public and private key match', async (t) => {
  const [dataDir, otherDir] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'linnet-doctor-'))))
  t.after(() => Promise.all([dataDir!, otherDir!].map((folder) => rm(folder, { recursive: true }))))
  const config = { ...readConfig(env), dataDir: dataDir! }
  assert.deepEqual(await checkPush(config), [])
  await Promise.all([openSecrets(dataDir!), openSecrets(otherDir!)])
  assert.deepEqual(await checkPush(config), [{ kind: 'ok', text: 'the web push key is valid' }])
  const [own, other] = await Promise.all(
    [dataDir!, otherDir!].map(async (folder) => JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))),
  )
  const vapid = { ...own.vapid, privateKey: other.vapid.privateKey }
  await writeFile(join(dataDir!, 'secrets.json'), JSON.stringify({ ...own, vapid }), { mode: 0o600 })
  assert.deepEqual(
    (await checkPush(config)).map(({ kind }) => kind),
    ['error'],
  )
})

test('private keys that were encrypted with other secrets, and missing secrets that the database needs, are errors', async (t) => {
  const [dataDir, otherDir] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'linnet-doctor-'))))
  t.after(() => Promise.all([dataDir!, otherDir!].map((folder) => rm(folder, { recursive: true }))))
  const [own, other] = await Promise.all([openSecrets(dataDir!), openSecrets(otherDir!)])
  const pool = createPool(database.connection, { max: 1, onError: () => {} })
  t.after(() => pool.end())
  assert.deepEqual(await checkPrivateKeys(pool, { dataDir: dataDir! }), [])
  const add = async (name: string, secrets: typeof own) =>
    pool.query(
      `insert into actor_keys (key_id, owner_uri, public_key_pem, private_key, fetched_at)
      values ('${name}#main-key', '${name}', '', $1, now())`,
      [secrets.encrypt(name, Buffer.from('key'))],
    )
  await add('https://birds.example/a', own)
  const expectFinding = async (dataDir: string, expected: RegExp) => {
    const [{ kind, text }] = (await checkPrivateKeys(pool, { dataDir })) as [{ kind: string; text: string }]
    assert.match(`${kind}: ${text}`, expected)
  }
  await expectFinding(dataDir!, /^ok: the private keys of the accounts can be decrypted$/)
  await add('https://birds.example/b', other)
  await expectFinding(dataDir!, /^error: .*: 1 of them were encrypted with other secrets$/)
  await rm(join(dataDir!, 'secrets.json'))
  await expectFinding(dataDir!, /^error: .*: ENOENT/)
  await assert.rejects(readFile(join(dataDir!, 'secrets.json')), 'no secrets were created')
  await pool.query(`delete from actor_keys where owner_uri like 'https://birds.example/_'`)
  await pool.query(`insert into webhooks (url, events, enabled, encrypted_secret, created_at, updated_at)
     values ('https://hook.example/', '{}', true, '', now(), now())`)
  await expectFinding(dataDir!, /^error: \S+secrets\.json is missing, but the database contains data /)
  await pool.query('delete from webhooks')
})
