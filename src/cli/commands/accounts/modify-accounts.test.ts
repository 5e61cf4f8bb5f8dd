import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../../test/command-line.ts'
import { createBrowser } from '../../../../test/http/browser.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const linnet = await openCommandLine(testServer)

async function createUser(username: string) {
  const user = await testServer.createUser({ username })
  const find = () => db.selectFrom('users').selectAll().where('id', '=', user.userId).executeTakeFirstOrThrow()
  return { ...user, find }
}

async function auditOf(accountId: string): Promise<string[]> {
  const entries = await db
    .selectFrom('audit_log_entries')
    .select(['action', 'account_id', 'details'])
    .where('target_type', '=', 'account')
    .where('target_id', '=', accountId)
    .orderBy('id')
    .execute()
  for (const entry of entries) {
    assert.equal(entry.account_id, null)
    assert.doesNotMatch(JSON.stringify(entry.details), /@/)
  }
  return entries.map((entry) => entry.action)
}

async function mailsTo(recipient: string): Promise<string[]> {
  await testServer.waitForJobs()
  const mails = await db
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute()
  return mails.map((mail) => mail.subject)
}

test('modify changes the e-mail address after its confirmation, or at once with --confirm', async () => {
  const user = await createUser('mover')
  await linnet.lines('accounts', 'modify', 'Mover', '--email', 'second@mail.test')
  assert.deepEqual([(await user.find()).email, (await user.find()).unconfirmed_email], [user.email, 'second@mail.test'])
  assert.equal((await mailsTo('second@mail.test')).length, 1)
  await linnet.lines('accounts', 'modify', 'mover', '--confirm')
  assert.deepEqual([(await user.find()).email, (await user.find()).unconfirmed_email], ['second@mail.test', null])
  assert.equal((await mailsTo(user.email)).length, 1)
  await linnet.lines('accounts', 'modify', 'mover', '--email', 'third@mail.test', '--confirm')
  assert.equal((await user.find()).email, 'third@mail.test')
  assert.deepEqual(await mailsTo('third@mail.test'), [])
  assert.deepEqual(await auditOf(user.accountId), ['change_email', 'confirm', 'change_email', 'confirm'])
})

test('the present address cancels a change, and an address of another user is refused', async () => {
  const [user, other] = [await createUser('stayer'), await createUser('owner_of_address')]
  await linnet.lines('accounts', 'modify', 'stayer', '--email', 'another@mail.test')
  await linnet.lines('accounts', 'modify', 'stayer', '--email', user.email)
  assert.equal((await user.find()).unconfirmed_email, null)
  assert.equal(
    await linnet.error('accounts', 'modify', 'stayer', '--email', other.email.toUpperCase()),
    'Validation failed: Email has already been taken',
  )
  assert.equal(
    await linnet.error('accounts', 'modify', 'stayer', '--email', 'no address'),
    'Validation failed: Email is invalid',
  )
})

test('modify confirms and approves a new user, whose address can be replaced before', async () => {
  await linnet.lines('settings', 'registrations', 'approved')
  await linnet.lines('accounts', 'create', 'fresh', '--email', 'typo@mail.test', '--password', 'correct horse battery')
  await linnet.lines('accounts', 'modify', 'fresh', '--email', 'fresh@mail.test')
  const find = () => db.selectFrom('users').selectAll().where('email', '=', 'fresh@mail.test').executeTakeFirstOrThrow()
  assert.deepEqual([(await find()).confirmed_at, (await find()).approved], [null, false])
  await linnet.lines('accounts', 'modify', 'fresh', '--confirm', '--approve', '--role', 'moderator')
  const user = await find()
  assert.deepEqual([user.confirmed_at !== null, user.approved, user.role_id], [true, true, '1'])
  const actions = ['create', 'change_email', 'confirm', 'change_role', 'approve']
  assert.deepEqual(await auditOf(user.account_id), actions)
  // Another confirmation and approval change nothing, and do not prevent the other change.
  await linnet.lines('accounts', 'modify', 'fresh', '--confirm', '--approve', '--remove-role')
  assert.equal((await find()).role_id, '-99')
  assert.deepEqual(await auditOf(user.account_id), [...actions, 'change_role'])
})

test('modify disables and enables a user, and changes nothing if one of the changes fails', async () => {
  const user = await createUser('locked')
  await linnet.lines('accounts', 'modify', 'locked', '--disable')
  assert.equal((await user.client.get('/api/v1/preferences')).status, 403)
  await linnet.lines('accounts', 'modify', 'locked', '--enable')
  assert.equal((await user.client.get('/api/v1/preferences')).status, 200)
  await linnet.error('accounts', 'modify', 'locked', '--disable', '--disable-2fa')
  assert.equal((await user.find()).disabled_at, null)
  assert.match(await linnet.error('accounts', 'modify', 'locked'), /^Specify what to change/)
  assert.equal(await linnet.error('accounts', 'modify', 'locked', '--role', 'king'), 'There is no role king')
  assert.equal(await linnet.error('accounts', 'modify', 'nobody', '--enable'), 'No local account is named nobody')
})

test('modify --disable-2fa removes the second factors of a user, who gets a mail', async () => {
  const user = await createUser('stranded')
  const { ctx } = testServer
  const { userId, accountId } = user
  await ctx.db
    .insertInto('totp_authenticators')
    .values({ user_id: userId, secret: Buffer.from('sealed'), last_step: '1', created_at: new Date() })
    .execute()
  await ctx.db
    .insertInto('recovery_codes')
    .values({ user_id: userId, code_hash: Buffer.alloc(32) })
    .execute()
  assert.deepEqual(await linnet.lines('accounts', 'modify', 'stranded', '--disable-2fa'), ['OK'])
  for (const table of ['totp_authenticators', 'recovery_codes'] as const)
    assert.deepEqual(await ctx.db.selectFrom(table).selectAll().where('user_id', '=', userId).execute(), [])
  assert.deepEqual(await auditOf(accountId), ['disable_2fa'])
  assert.deepEqual(await mailsTo(user.email), ['Two-factor authentication disabled (linnet.test)'])
  assert.equal(
    await linnet.error('accounts', 'modify', 'stranded', '--disable-2fa'),
    'stranded does not use two-factor authentication',
  )
})

test('approve approves the oldest sign-ups, after a dry run that changes nothing', async () => {
  await linnet.lines('settings', 'registrations', 'approved')
  const password = ['--password', 'correct horse battery']
  for (const name of ['one', 'two', 'three'])
    await linnet.lines('accounts', 'create', name, '--email', `${name}@mail.test`, '--confirmed', ...password)
  assert.deepEqual(await linnet.lines('accounts', 'approve', '-n', '2', '--dry-run'), ['one', 'two', 'Would approve 2'])
  assert.deepEqual(await linnet.lines('accounts', 'approve', 'two', '--dry-run'), ['Would approve two'])
  assert.deepEqual(await linnet.lines('accounts', 'approve', '--number', '1'), ['one', 'Approved 1'])
  assert.deepEqual(await linnet.json('accounts', 'approve', '--all'), { dry_run: false, approved: ['two', 'three'] })
  assert.deepEqual(await linnet.lines('accounts', 'approve', '--all'), ['Approved 0'])
  assert.equal(await linnet.error('accounts', 'approve', 'one'), 'one has been approved already')
  assert.match(await linnet.error('accounts', 'approve'), /^Specify/)
  assert.match(await linnet.error('accounts', 'approve', 'one', '--all'), /^Specify/)
})

test('reset-password prints a password that works, and ends what was logged in', async () => {
  const user = await createUser('forgetful')
  const [ok, line] = await linnet.lines('accounts', 'reset-password', '@Forgetful')
  const [, password] = /^New password: (\S+)$/.exec(line!)!
  assert.equal(ok, 'OK')
  assert.equal((await user.client.get('/api/v1/preferences')).status, 401)
  const browser = createBrowser(testServer.server)
  await browser.submit(await browser.get('/auth/sign_in'), '/auth/sign_in', { login: 'forgetful', password: password! })
  assert.match((await browser.get('/account')).text, /Hello, forgetful/)
  assert.equal((await mailsTo(user.email)).length, 1)
  assert.deepEqual(await auditOf(user.accountId), ['reset_password'])
})
