// Slow: fills a whole server with data.
import assert from 'node:assert/strict'
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { SAMPLE_REPLIES } from '../bin/demo-data/sample-replies.ts'
import { createDemoData } from '../bin/demo-data/create-demo-data.ts'
import type { DemoLogin } from '../bin/demo-data/create-demo-data.ts'
import { createClock } from '../bin/demo-data/with-backdated-ids.ts'
import { verifyPassword } from '../src/domain/auth/passwords.ts'
import { STORAGE_URL_PREFIX } from '../src/platform/storage/storage.ts'
import { hashSecret, generateSecret } from '../src/lib/secrets.ts'
import { parseScopes } from '../src/lib/http/scopes.ts'
import { createCa } from './services/certificates.ts'
import { createClient } from './http/client.ts'
import type { Client } from './http/client.ts'
import { eventually, findPort, startProgram } from './servers/linnet-process.ts'
import { openTestServer } from './servers/test-server.ts'

const DEMO = new URL('../bin/demo.ts', import.meta.url).pathname

const clock = createClock(new Date())
const testServer = await openTestServer({ now: clock.now, env: { DB_POOL: '4', WORKER_CONCURRENCY: '2' } })
after(testServer.close)
const { db } = testServer.ctx
const generator = () => sql`select pg_get_functiondef('next_status_id'::regproc)`.execute(db)

let logins: DemoLogin[]
let generatorBefore: Awaited<ReturnType<typeof generator>>
/** One client for each log-in. */
const clients: Client[] = []

before(async () => {
  generatorBefore = await generator()
  logins = await createDemoData(testServer.ctx, { clock, onProgress: () => {} })
  for (const { email } of logins) {
    const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const token = generateSecret()
    await db
      .insertInto('access_tokens')
      .values({ token_hash: hashSecret(token), user_id: id, scopes: parseScopes('read write') })
      .execute()
    clients.push(createClient(testServer.server, { token }))
  }
})

test('the demo has posts of every kind, spread over days, and users who can log in', async () => {
  const { rows } = await sql<Record<string, boolean>>`
    select count(distinct a.id) >= 25 as "many accounts",
      count(*) filter (where s.reblog_of_id is null) >= 200 as "a few hundred posts",
      count(distinct date_trunc('day', s.created_at)) >= 10 as "over days",
      max(s.created_at) <= now() as "none from the future",
      bool_and(s.created_at = to_timestamp((s.id >> 16) / 1000.0)) as "ids that fit",
      bool_or(s.visibility = 'direct') as direct,
      bool_or(s.visibility = 'private') as "for followers",
      bool_or(s.visibility = 'unlisted') as unlisted,
      bool_or(s.local_only) as "local only",
      bool_or(s.spoiler_text <> '') as warnings,
      bool_or(s.sensitive and exists (
        select from media_attachments m where m.status_id = s.id and m.description is not null)) as "sensitive images",
      bool_or((select count(*) from media_attachments m where m.status_id = s.id) = 4) as "four images",
      bool_or(s.reblog_of_id is not null) as reblogs,
      bool_or(s.edited_at is not null) as edits,
      bool_or(exists (select from statuses p where p.id = s.in_reply_to_id and p.account_id = s.account_id
        and p.in_reply_to_id is not null)) as threads,
      bool_or(s.language = 'ar') as "from right to left",
      bool_or(length(s.text) > 450) as "long ones",
      bool_or(exists (select from status_tags t where t.status_id = s.id)) as hashtags,
      bool_or(s.text like '%https://%') as links
    from statuses s join accounts a on a.id = s.account_id`.execute(db)
  assert.deepEqual(
    Object.entries(rows[0]!).filter(([, found]) => !found),
    [],
  )
  const kinds = await sql<{ type: string }>`select distinct type from notifications order by type`.execute(db)
  const types = kinds.rows.map((row) => row.type)
  for (const type of ['favourite', 'follow', 'follow_request', 'mention', 'reblog'])
    assert.ok(types.includes(type), type)
  const followRequests = await sql`select from follow_requests`.execute(db)
  assert.ok(followRequests.rows.length > 0)

  assert.deepEqual(
    logins.map(({ role }) => role),
    ['owner', 'user'],
  )
  for (const { email, password } of logins) {
    const user = await db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    assert.ok(await verifyPassword(user.password_hash, password))
  }
  // The generator of ids is restored.
  assert.deepEqual((await generator()).rows, generatorBefore.rows)
  const { body } = await testServer.anonymous.get('/api/v1/timelines/public', { limit: 40 })
  assert.equal(body.length, 40)
})

test('both log-ins have a full home timeline by many authors, with reblogs', async () => {
  for (const client of clients) {
    const { status, body } = await client.get('/api/v1/timelines/home', { limit: 40 })
    assert.equal(status, 200)
    assert.equal(body.length, 40)
    const authors = new Set(body.map(({ account }: { account: { acct: string } }) => account.acct))
    assert.ok(authors.size >= 8, [...authors].join(' '))
    // The end of the data is the current time, so how many of the newest posts are reblogs varies from run to run.
    const all = [...body]
    for (let page = body; page.length > 0; all.push(...page)) {
      page = (await client.get('/api/v1/timelines/home', { limit: 40, max_id: page.at(-1).id })).body
    }
    assert.ok(all.some(({ reblog }) => reblog !== null))
  }
})

test('both log-ins have a collection of accounts, and are in one', async () => {
  for (const client of clients) {
    const { body: self } = await client.get('/api/v1/accounts/verify_credentials')
    const [own, featuring] = await Promise.all(
      ['collections', 'in_collections'].map((list) => client.get(`/api/v1/accounts/${self.id}/${list}`)),
    )
    assert.equal(own!.body.collections.length, 1)
    assert.ok(own!.body.collections[0].item_count >= 4)
    assert.equal(featuring!.body.collections.length, 1)
  }
})

test('the server has a title, a description and rules', async () => {
  const { body } = await testServer.anonymous.get('/api/v2/instance')
  assert.notEqual(body.title, body.domain)
  assert.ok(body.description.length > 50)
  assert.ok(body.rules.length >= 3)
  assert.equal(body.contact.account.acct, 'wren')
})

test('the demo has open and ended polls with votes, accepted quotes, and cards with images', async () => {
  const { rows } = await sql<Record<string, boolean>>`
    select (select bool_or(ended_at is null and expires_at > now() and voters_count >= 5) from polls) as "open poll",
      (select bool_or(ended_at is not null and voters_count >= 5) from polls) as "ended poll",
      (select bool_and(ended_at is not null or expires_at > now()) from polls) as "no poll is late",
      (select count(*) >= 3 and bool_and(state = 'accepted') from quotes) as quotes`.execute(db)
  assert.deepEqual(rows, [{ 'open poll': true, 'ended poll': true, 'no poll is late': true, quotes: true }])
  const { rows: linked } = await sql<{ id: string }>`
    select status_id as id from status_preview_links where card_id is not null`.execute(db)
  assert.ok(linked.length >= 12)
  for (const { id } of linked) {
    const { card } = (await testServer.anonymous.get(`/api/v1/statuses/${id}`)).body
    assert.ok(card.title !== '' && card.provider_name !== '' && card.image_description !== '', id)
    assert.equal((await testServer.anonymous.send({ method: 'GET', url: new URL(card.image).pathname })).status, 200)
  }
})

test('hashtags, posts and links trend for anonymous viewers', async () => {
  for (const kind of ['tags', 'statuses', 'links']) {
    const { body } = await testServer.anonymous.get(`/api/v1/trends/${kind}`)
    assert.ok(body.length >= 2, `${kind}: ${body.length}`)
  }
})

test('both log-ins take part in a conversation of three', async () => {
  for (const client of clients) {
    const { body } = await client.get('/api/v1/conversations')
    assert.ok(body.some(({ accounts }: { accounts: unknown[] }) => accounts.length === 2))
  }
})

test('each reply has the language of its text, independent of the language of its author', async () => {
  for (const [language, answers] of Object.entries(SAMPLE_REPLIES)) {
    const { rows } = await sql<{ language: string; count: number }>`
      select language, count(*)::int from statuses
      where regexp_replace(text, '^@\\S+ ', '') = any(${answers}::text[]) group by language`.execute(db)
    assert.deepEqual(
      rows.map((row) => row.language),
      [language],
    )
  }
})

test('every image has a description, is large and is sharp', async () => {
  const { rows } = await sql<{ file_key: string; description: string | null; width: number; height: number }>`
    select file_key, description, (meta->'original'->>'width')::int as width, (meta->'original'->>'height')::int as height from media_attachments order by id`.execute(
    db,
  )
  assert.ok(rows.length >= 25)
  for (const { description, width, height } of rows) {
    assert.ok((description?.length ?? 0) >= 10, String(description))
    assert.ok(Math.min(width, height) >= 1_000)
  }
  for (const { file_key: key } of rows.slice(0, 8)) {
    const { statusCode, rawPayload } = await testServer.server.inject({ url: `${STORAGE_URL_PREFIX}${key}` })
    assert.equal(statusCode, 200)
    assert.ok((await sharpnessOf(rawPayload)) > 0.7, key)
  }
})

/**
 * Returns the share of the strongest edge, from 0 to 1, that lies between two neighbouring pixels: about half in an
 * enlarged image.
 */
async function sharpnessOf(image: Buffer | string): Promise<number> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true })
  const difference = (one: number, other: number) => Math.abs(data[one]! - data[other]!)
  const ratios = [1, info.width].map((stride) => {
    let [step, edge] = [0, 0]
    for (let at = 3 * stride; at < data.length - 4 * stride; at += 1) {
      // The end of a row and the start of the next one form no edge.
      if (Math.min(at % info.width, info.width - 1 - (at % info.width)) < 4) continue
      step = Math.max(step, difference(at + stride, at))
      edge = Math.max(edge, difference(at + 4 * stride, at - 3 * stride))
    }
    return step / edge
  })
  return Math.max(...ratios)
}

test('the outbox has at most twenty mails, and only the log-ins receive e-mail notifications', async () => {
  const { rows } = await sql<{ mails: number; readers: number }>`
    select (select count(*)::int from mails) as mails,
      (select count(*)::int from users where cardinality(mail_types) > 0) as readers`.execute(db)
  assert.ok(rows[0]!.mails > 0 && rows[0]!.mails <= 20, JSON.stringify(rows))
  assert.equal(rows[0]!.readers, logins.length)
})

test('the demo starts with a certificate and prints its address with https', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-demo-test-'))
  const ca = createCa()
  const { cert, key } = ca.issue(['localhost', '127.0.0.1'])
  const [dataDir, certFile, keyFile] = [join(folder, 'data'), join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key), mkdir(dataDir)])
  // A data folder that was filled before.
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ logins }))
  const port = await findPort()
  const demo = startProgram([DEMO], { DATA_DIR: dataDir, PORT: port, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile })
  try {
    await demo.waitForOutput(new RegExp(`Log in at https://localhost:${port}/auth/sign_in`))
    const status = await new Promise((resolve, reject) => {
      get({ host: 'localhost', port, path: '/readyz', ca: ca.pem }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).on('error', reject)
    })
    assert.equal(status, 200)
  } finally {
    demo.kill('SIGTERM')
    await demo.ended
    await rm(folder, { recursive: true, force: true })
  }
})

test('Ctrl-C while the demo is created ends it without errors of unfinished jobs', async (t) => {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'linnet-demo-')), 'data')
  const demo = startProgram([DEMO], { DATA_DIR: dataDir, PORT: await findPort() })
  t.after(async () => {
    demo.kill('SIGKILL')
    await rm(join(dataDir, '..'), { recursive: true, force: true })
  })
  // The first files are those of the accounts that post next.
  for (const path of ['postgres/cluster/postmaster.pid', 'media/avatars'])
    await eventually(() => access(join(dataDir, path)))
  demo.kill('SIGINT')
  const { code, stderr } = await demo.ended
  assert.equal(code, 1)
  assert.match(stderr, /^(Creating the .*\n)+( *\d+ %  .*\n)*$/)
})
