import assert from 'node:assert/strict'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { ensureActorKey } from '../../federation/keys/actor-keys.ts'
import { openSecrets } from '../../platform/secrets.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const linnet = await openCommandLine(testServer)
const path = join(ctx.config.dataDir, 'secrets.json')

const countKeys = async () =>
  (await ctx.db.selectFrom('actor_keys').select('id').where('private_key', 'is not', null).execute()).length

test('with lost secrets no command runs until a reset has discarded what only they can decrypt', async (t) => {
  const user = await testServer.createUser({ username: 'ann' })
  await ensureActorKey(ctx, { accountId: user.accountId })
  await ensureActorKey(ctx, { accountId: null })
  const now = new Date()
  const secret = ctx.secrets.encrypt('test', Buffer.from('a secret'))
  await ctx.db
    .insertInto('totp_authenticators')
    .values({ user_id: user.userId, secret, last_step: '0', created_at: now })
    .execute()
  await ctx.db
    .insertInto('webhooks')
    .values({
      url: 'https://far.test/hook',
      events: [],
      enabled: true,
      encrypted_secret: secret,
      created_at: now,
      updated_at: now,
    })
    .execute()
  const right = await readFile(path, 'utf8')
  assert.deepEqual(await linnet.lines('secrets', 'reset', '--dry-run'), ['Would discard: keys 0, push subscriptions 0'])

  await rm(path)
  assert.match(await linnet.error('accounts', 'list'), /secrets\.json is missing, .*bin\/linnet secrets reset$/)
  const lost = { keys: 2, push_subscriptions: 0, authenticator_apps: 1, webhooks: 1 }
  assert.deepEqual(await linnet.json('secrets', 'reset', '--dry-run'), { dry_run: true, ...lost })
  await assert.rejects(access(path))

  const otherDir = await mkdtemp(join(tmpdir(), 'linnet-secrets-'))
  t.after(() => rm(otherDir, { recursive: true }))
  await openSecrets(otherDir)
  await writeFile(path, await readFile(join(otherDir, 'secrets.json')))
  assert.match(
    await linnet.error('accounts', 'list'),
    /secrets\.json is not the file with which the keys of the accounts .*bin\/linnet secrets reset$/,
  )
  assert.equal(await countKeys(), 2)

  await writeFile(path, right)
  assert.equal((await linnet.run('accounts', 'list')).code, 0)

  await rm(path)
  assert.deepEqual(await linnet.lines('secrets', 'reset'), [
    'Discarded: keys 2, push subscriptions 0',
    'Authenticator apps whose codes do not work: 1. Their users need a recovery code, or bin/linnet accounts modify NAME --disable-2fa',
    'Webhooks that need a new secret: 1. POST /api/v1/admin/webhooks/ID/rotate_secret creates one',
  ])
  assert.equal(await countKeys(), 0)
  assert.equal((await linnet.run('accounts', 'list')).code, 0)
  const entry = await ctx.db.selectFrom('audit_log_entries').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  assert.deepEqual(
    [entry.action, entry.label, entry.account_id, entry.details],
    ['rotate_keys', 'local accounts', null, { count: 2 }],
  )
})

test('secrets are not replaced while a server with the lost ones is running', async (t) => {
  const running = await openTestServer()
  t.after(running.close)
  const lost = join(running.ctx.config.dataDir, 'secrets.json')
  await rm(lost)
  const commands = await openCommandLine(running)
  assert.equal(await commands.error('secrets', 'reset'), 'A server uses the database: stop all its processes first')
  await assert.rejects(access(lost))
})
